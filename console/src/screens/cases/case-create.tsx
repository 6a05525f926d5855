import { useNavigate } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { refresh } from '../../api/queries.ts'
import { FormScreen } from '../../forms/form-screen.tsx'
import { noticeDone } from '../../widgets/notices.ts'

export default function CaseCreate() {
  const { t } = useTranslation()
  const navigate = useNavigate()
  return (
    <FormScreen
      title={t('case.new')}
      entity="case"
      type="register"
      back="/cases"
      onDone={(answer) => {
        noticeDone(t('case.registered', { number: String(answer?.['caseNumber'] ?? '') }))
        void refresh('listAllCases', 'getCaseOverview', 'listCases')
        const caseGuid = String(answer?.['caseGuid'])
        void navigate({ to: '/cases/$caseGuid', params: { caseGuid }, ignoreBlocker: true })
      }}
    />
  )
}
