import { useNavigate, useParams } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { refresh } from '../../api/queries.ts'
import { EntityForm } from '../../forms/entity-form.tsx'
import { noticeDone } from '../../widgets/notices.ts'
import { Page } from '../../widgets/page.tsx'

export default function DebtorEdit() {
  const { t } = useTranslation()
  const { debtorGuid } = useParams({ from: '/debtors/$debtorGuid/edit' })
  const navigate = useNavigate()
  const back = (ignoreBlocker: boolean) =>
    void navigate({ to: '/debtors/$debtorGuid', params: { debtorGuid }, ignoreBlocker })
  return (
    <Page title={t('debtor.edit')}>
      <div className="panel" style={{ padding: '1.25rem' }}>
        <EntityForm
          entity="debtor"
          type="edit"
          place={{ id: debtorGuid }}
          onDone={() => {
            noticeDone(t('form.stored'))
            void refresh('getDebtor', 'listDebtors', 'listAuditEntries', 'listTimeline')
            back(true)
          }}
          onCancel={() => back(false)}
        />
      </div>
    </Page>
  )
}
