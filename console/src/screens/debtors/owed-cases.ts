import type { CaseOverview, OverviewCase } from '../../../../contract/cases/cases.ts'
import { owingRoles } from '../../../../core/cases/case-lifecycle.ts'

/** The open cases that the debtor owes, by currency. The currency of the oldest case comes first. */
export function owedByCurrency({ cases }: CaseOverview): Map<string, OverviewCase[]> {
  const owed = cases.filter(
    ({ status, debtorRole }) => status !== 'CLOSED' && owingRoles.some((role) => role === debtorRole),
  )
  return Map.groupBy(owed, ({ currencyCode }) => currencyCode)
}
