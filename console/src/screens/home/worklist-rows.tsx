import { useTranslation } from 'react-i18next'
import { useBusinessDate } from '../../api/business-date.ts'
import { CaseRows } from '../cases/case-rows.tsx'

/** Open cases, with filters for those that need attention. */
export default function WorklistRows() {
  const { t } = useTranslation()
  const today = useBusinessDate()
  const now = today ? new Date(today) : new Date()
  const day = (ahead: number) =>
    `${new Date(now.getTime() + ahead * 86_400_000).toISOString().slice(0, 10)}T00:00:00Z`
  return (
    <CaseRows
      name="worklist"
      always="closureDate eq null"
      columns={['caseNumber', 'mainDebtorName', 'status', 'subStatus', 'remainingSum', 'limitationDate']}
      sort="limitationDate"
      quickFilters={[
        { label: t('worklist.open') },
        { label: t('worklist.new'), filter: "status eq 'NEW'" },
        { label: t('worklist.limitation'), filter: `limitationDate lt ${day(365)}`, sort: 'limitationDate' },
        { label: t('worklist.hold'), filter: 'hold ne null' },
        { label: t('worklist.disputed'), filter: "hold eq 'HOLD_DISPUTE'" },
        { label: t('worklist.large'), filter: 'remainingSum ge 10000', sort: 'remainingSum desc' },
        { label: t('worklist.unpaid'), filter: 'paidSum eq 0', sort: 'registrationDate' },
      ]}
    />
  )
}
