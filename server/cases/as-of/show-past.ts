/** Puts the amounts and the status of a day into rows that show today's. */
import { amounts } from '../../../contract/cases/cases.ts'
import { toMidnightOrNull } from '../../../core/calendar/date-time.ts'
import { sumComponents, type Balances } from '../../../core/ledger/case-transaction.ts'
import { fromMinor } from '../../../core/money/money.ts'
import type { CasePast } from '../../ledger/as-of/case-past.ts'

type AmountName = (typeof amounts)[number]

/** The amounts of a case in minor units. */
export const minorAmounts = ({
  original,
  paid,
  paidToThirdParty,
  remaining,
}: Balances): Record<AmountName, bigint> => ({
  originalPrincipal: original.principal,
  originalFee: original.cost,
  originalInterest: original.interest,
  originalSum: sumComponents(original),
  paidPrincipal: paid.principal,
  paidFee: paid.cost,
  paidInterest: paid.interest,
  paidToThirdParty,
  paidSum: sumComponents(paid),
  remainingPrincipal: remaining.principal,
  remainingFee: remaining.cost,
  remainingInterest: remaining.interest,
  remainingSum: sumComponents(remaining),
})

interface Shown {
  currencyCode: string
  status: string
  subStatus: string
  closureCode?: string | null
  closureDate?: string | null
}

/** The row as of a day. Only members that the row has are replaced. */
export function showPast<T extends Shown>(row: T, past: CasePast): T {
  const { state, ledger } = past
  const closureCode = 'closureCode' in state ? state.closureCode : row.closureCode
  const found: Record<string, unknown> = {
    ...Object.fromEntries(
      Object.entries(minorAmounts(ledger.balances)).map(([name, minor]) => [
        name,
        fromMinor(minor, row.currencyCode),
      ]),
    ),
    ...state,
    closureDate: closureCode === null ? null : toMidnightOrNull(past.closedOn),
    ...('limitationDate' in state && {
      limitationDate: toMidnightOrNull(state.limitationDate as string | null),
    }),
    interruptedBy: past.interruptedBy,
    interruptedDate: toMidnightOrNull(past.interruptedDate),
  }
  return Object.fromEntries(
    Object.entries(row).map(([name, value]) => [name, name in found ? found[name] : value]),
  ) as T
}
