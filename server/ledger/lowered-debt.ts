/** By how much a change dated back lowers what is owed. */
import { sumComponents } from '../../core/ledger/case-transaction.ts'
import { refuseRangeErrors } from './book-on-case.ts'
import { deriveWith, type BookedCase, type NewMovement } from './booking.ts'

/**
 * Minor units, as of the business date: a change for days to come takes nothing from what is owed. Zero when the change
 * raises the debt. What it turns into a credit of the debtor counts too. Throws a 422 for a missing rate.
 */
export function findLoweredDebt(found: BookedCase, movements: readonly NewMovement[]): bigint {
  const owed = (added: readonly NewMovement[]) => {
    const { remaining, credit } = deriveWith(found, added).ledger.balances
    return sumComponents(remaining) - credit
  }
  const lowered = refuseRangeErrors(() => owed([]) - owed(movements))
  return lowered > 0n ? lowered : 0n
}
