/**
 * Computes the limitation date of a case from its movements. Pure; core/limitation/limitation.ts has the
 * rules.
 */
import { earliest } from '../../core/calendar/calendar.ts'
import type { LedgerInput } from '../../core/ledger/case-movement.ts'
import {
  computeLimitation,
  type ClaimDates,
  type ClaimKind,
  type InterruptionEvent,
} from '../../core/limitation/limitation.ts'

export interface CaseLimitation {
  country: string
  claim: ClaimKind
  /** The earliest invoice date. Null when no invoice has a date. */
  originDate: string | null
  /** Interruptions recorded manually. */
  interruptions: readonly InterruptionEvent[]
}

/**
 * The dates and events that limitation counts. In all six countries a payment by the debtor acknowledges the
 * debt, whoever receives it. A reversed payment does not interrupt.
 */
export function limitationFacts(
  { originDate, interruptions }: Pick<CaseLimitation, 'originDate' | 'interruptions'>,
  { opening, movements }: Pick<LedgerInput, 'opening' | 'movements'>,
): { dates: ClaimDates; events: InterruptionEvent[] } {
  const undone = new Set(movements.flatMap((movement) => (movement.kind === 'reversal' ? movement.of : [])))
  const added = movements.flatMap((movement) => (movement.kind === 'claim' ? movement.claim : []))
  const dueDates = [...opening.claims, ...added].flatMap(({ dueDate }) => dueDate ?? [])
  const payments = movements.flatMap(({ id, kind, valueDate }): InterruptionEvent[] =>
    (kind === 'payment' || kind === 'thirdPartyPayment') && !undone.has(id)
      ? [{ kind: 'PAYMENT', date: valueDate }]
      : [],
  )
  return {
    dates: { dueDate: dueDates.reduce(earliest, dueDates[0] ?? opening.registeredOn), originDate },
    events: [...interruptions, ...payments],
  }
}

/** The limitation date and the last interruption, as columns of the case. */
export function limitationColumns(
  limitation: CaseLimitation,
  input: Pick<LedgerInput, 'opening' | 'movements'>,
) {
  const { dates, events } = limitationFacts(limitation, input)
  const found = computeLimitation(limitation.country, limitation.claim, dates, events)
  return {
    limitation_date: found?.date ?? null,
    interrupted_by: found?.interruptedBy?.kind ?? null,
    interrupted_date: found?.interruptedBy?.date ?? null,
  }
}
