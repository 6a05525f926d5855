import { useNavigate } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { refresh } from '../../api/queries.ts'
import { EntityForm } from '../../forms/entity-form.tsx'
import { noticeDone } from '../../widgets/notices.ts'
import { Page } from '../../widgets/page.tsx'

export default function DebtorCreate() {
  const { t } = useTranslation()
  const navigate = useNavigate()
  return (
    <Page title={t('debtor.new')} about={t('debtor.newAbout')}>
      <div className="panel" style={{ padding: '1.25rem' }}>
        <EntityForm
          entity="debtor"
          type="create"
          onDone={(answer) => {
            noticeDone(t('debtor.created', { name: String(answer?.['fullName'] ?? '') }))
            void refresh('listDebtors')
            void navigate({
              to: '/debtors/$debtorGuid',
              params: { debtorGuid: String(answer?.['debtorGuid']) },
              ignoreBlocker: true,
            })
          }}
          onCancel={() => void navigate({ to: '/debtors' })}
        />
      </div>
    </Page>
  )
}
