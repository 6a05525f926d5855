import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { refresh } from '../../api/queries.ts'
import { EntityForm } from '../../forms/entity-form.tsx'
import { noticeDone } from '../../widgets/notices.ts'
import { Page } from '../../widgets/page.tsx'
import { ShownSecretDialog, type ShownSecret } from './new-secret.tsx'

export default function UserCreate() {
  const { t } = useTranslation()
  const navigate = useNavigate()
  const [shown, setShown] = useState<ShownSecret>()
  const leave = () => void navigate({ to: '/users', ignoreBlocker: true })
  return (
    <Page title={t('user.new')} about={t('user.newAbout')}>
      <div className="panel" style={{ padding: '1.25rem' }}>
        <EntityForm
          entity="user"
          type="create"
          onDone={(made) => {
            noticeDone(t('form.stored'))
            void refresh('listUsers')
            const { clientId, clientSecret } = made ?? {}
            if (clientSecret) setShown({ clientId: String(clientId), clientSecret: String(clientSecret) })
            else leave()
          }}
          onCancel={() => void navigate({ to: '/users' })}
        />
      </div>
      {shown && <ShownSecretDialog {...shown} onClose={leave} />}
    </Page>
  )
}
