import { useTranslation } from 'react-i18next'
import { ApprovalLimit } from '../../../../contract/access/approvals.ts'
import { codeLabel } from '../../texts/labels.ts'
import { RecordPage } from './record-page.tsx'

/** The limits above which a role needs a second person. */
export default function ApprovalLimitList() {
  const { t } = useTranslation()
  return (
    <RecordPage<ApprovalLimit>
      title={t('navigation.approvalLimits')}
      about={t('approvals.limitsAbout')}
      newText={t('approvals.newLimit')}
      entity="approvallimit"
      write="system.admin"
      operation="listApprovalLimits"
      name="approval-limits"
      row={ApprovalLimit}
      getKey={({ approvalLimitGuid }) => approvalLimitGuid}
      getName={({ act, userRole }) => `${codeLabel('act', act)} ${codeLabel('userRole', String(userRole))}`}
      columns={['act', 'userRole', 'amount', 'userAmount', 'periodDays', 'daysBack']}
      empty={t('approvals.noLimits')}
    />
  )
}
