/** Until when a case's claim can be enforced, by what was booked on it (core/limitation/limitation.ts holds the rules). Pure. */
import { earliest } from '../../core/calendar/calendar.ts'
import type { LedgerInput } from '../../core/ledger/case-movement.ts'
import { limitationOf, type ClaimKind, type InterruptionEvent } from '../../core/limitation/limitation.ts'

export interface CaseLimitation {
  country: string
  claim: ClaimKind
  /** The day of the first invoice, where it has one. */
  originDate: string | null
  /** Those that were noted by hand. */
  interruptions: readonly InterruptionEvent[]
}

/**
 * The date and what the period runs from, as columns of the case. What the debtor pays, to whomever, is a recognition of the
 * debt in all six countries; a payment that was reversed never was.
 */
export function limitationColumns(
  { country, claim, originDate, interruptions }: CaseLimitation,
  { opening, movements }: Pick<LedgerInput, 'opening' | 'movements'>,
) {
  const undone = new Set(movements.flatMap((movement) => (movement.kind === 'reversal' ? movement.of : [])))
  const added = movements.flatMap((movement) => (movement.kind === 'claim' ? movement.claim : []))
  const dueDates = [...opening.claims, ...added].flatMap(({ dueDate }) => dueDate ?? [])
  const payments = movements.flatMap(({ id, kind, valueDate }): InterruptionEvent[] =>
    (kind === 'payment' || kind === 'thirdPartyPayment') && !undone.has(id)
      ? [{ kind: 'PAYMENT', date: valueDate }]
      : [],
  )
  const dates = { dueDate: dueDates.reduce(earliest, dueDates[0] ?? opening.registeredOn), originDate }
  const found = limitationOf(country, claim, dates, [...interruptions, ...payments])
  return {
    limitation_date: found?.date ?? null,
    interrupted_by: found?.interruptedBy?.kind ?? null,
    interrupted_date: found?.interruptedBy?.date ?? null,
  }
}
