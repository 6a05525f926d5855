/** What was known of a case on a day: the input of its ledger without what was booked later. */
import type { LedgerInput } from './case-movement.ts'

/**
 * Leaves out movements that nobody had booked yet. A reversal among them no longer undoes its movement.
 * The result is the input that a booking of that day saw, where rates and terms are those of the day too.
 */
export function withoutMovements(input: LedgerInput, later: ReadonlySet<string>): LedgerInput {
  if (later.size === 0) return input
  return { ...input, movements: input.movements.filter(({ id }) => !later.has(id)) }
}
