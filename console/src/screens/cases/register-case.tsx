import { useTranslation } from 'react-i18next'
import { refresh } from '../../api/queries.ts'
import { FormDialog } from '../../widgets/form-dialog.tsx'
import { noticeDone } from '../../widgets/notices.ts'

interface RegisterCaseProps {
  debtorGuid?: string
  clientGuid?: string
  onDone: (caseGuid: string) => void
  onClose: () => void
}

/** A new case, optionally for a given debtor or client. */
export function RegisterCase({ debtorGuid, clientGuid, onDone, onClose }: RegisterCaseProps) {
  const { t } = useTranslation()
  return (
    <FormDialog
      title={t('case.new')}
      entity="case"
      type="register"
      place={{}}
      preset={{ ...(debtorGuid && { debtorGuid }), ...(clientGuid && { clientGuid }) }}
      onDone={(answer) => {
        noticeDone(t('case.registered', { number: String(answer?.['caseNumber'] ?? '') }))
        void refresh('listAllCases', 'getCaseOverview', 'listCases')
        onClose()
        if (answer?.['caseGuid']) onDone(String(answer['caseGuid']))
      }}
      onClose={onClose}
    />
  )
}
