import { useNavigate } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { refresh } from '../../api/queries.ts'
import { EntityForm } from '../../forms/entity-form.tsx'
import { noticeDone } from '../../widgets/notices.ts'
import { Page } from '../../widgets/page.tsx'

export default function UserCreate() {
  const { t } = useTranslation()
  const navigate = useNavigate()
  return (
    <Page title={t('user.new')} about={t('profile.passwordRule')}>
      <div className="panel" style={{ padding: '1.25rem' }}>
        <EntityForm
          entity="user"
          type="create"
          onDone={() => {
            noticeDone(t('form.stored'))
            void refresh('listUsers')
            void navigate({ to: '/users', ignoreBlocker: true })
          }}
          onCancel={() => void navigate({ to: '/users' })}
        />
      </div>
    </Page>
  )
}
