/** Input of a case's ledger: the case as registered, and all its movements. */
import { DayRangeError } from '../calendar/day-range-error.ts'
import type { AllocationOrder, Component } from './allocation.ts'
import type { DayCounts } from '../interest/day-count.ts'
import type { InterestTerms, RateTable } from '../interest/interest.ts'

/** A claim of a case, such as an invoice. */
export interface Claim {
  id: string
  /** Minor units, above zero. */
  principal: bigint
  /** The claim due first is paid first. Null sorts before every date. */
  dueDate: string | null
  /** Interest runs from the day after. Null for a claim without interest. */
  interestFrom: string | null
  /** The claim's own terms. Null for the terms of the case. */
  terms: InterestTerms | null
}

export interface CaseOpening {
  registeredOn: string
  claims: readonly Claim[]
  /** Interest and costs already owed at the registration. Minor units, zero or more. */
  interest: bigint
  cost: bigint
  terms: InterestTerms
}

interface Moved {
  id: string
  /** The value date, not before the registration. */
  valueDate: string
  /** Orders movements with the same value date; ids break ties. */
  booking: number
  /**
   * The values in force at the booking, so that a replay gives the same result after the client's terms
   * change. Default: the input's.
   */
  order?: AllocationOrder
  tolerance?: bigint
}

/** All amounts are in minor units and above zero. */
export type MovementEffect =
  /** Money paid to the agency. An overpayment becomes the debtor's credit. */
  | { kind: 'payment'; amount: bigint }
  /** Money paid to the client or another third party, who must return any overpayment. Never client money. */
  | { kind: 'thirdPartyPayment'; amount: bigint }
  /** The debtor's credit from this or another case, used to pay this case. At most the amount owed. */
  | { kind: 'creditUse'; amount: bigint }
  /** A refund of credit to the debtor. */
  | { kind: 'refund'; amount: bigint }
  | { kind: 'fee'; amount: bigint }
  /**
   * At most the amount owed. A null `amount` means everything. A null `component` means all three in
   * allocation order.
   */
  | { kind: 'writeOff'; amount: bigint | null; component: Component | null }
  /** Reduces the principal of a claim, at most to zero. */
  | { kind: 'creditNote'; amount: bigint; claim: string }
  /**
   * `byTermsOfDay`: interest for days before a change of the case's terms follows the terms of those days. Left out for
   * claims that were booked before this was known: all their days follow the terms in force when they were added.
   */
  | { kind: 'claim'; claim: Claim; byTermsOfDay?: true }
  /** New terms after the value date, for one claim, or for the case when `claim` is null. */
  | { kind: 'terms'; terms: InterestTerms; claim: string | null }
  /** Closed manually: interest stops until `reopen`. */
  | { kind: 'close' }
  | { kind: 'reopen' }
  /** Interest of the days after the value date is not owed, until `resume`. Each pause has a resume of its own. */
  | { kind: 'pause' }
  /** Interest is owed again from the day after the value date on. */
  | { kind: 'resume' }
  /** Undoes a movement of any date, as if it had never been made. */
  | { kind: 'reversal'; of: string }

export type Movement = Moved & MovementEffect
export type MovementKind = MovementEffect['kind']

export interface LedgerInput {
  opening: CaseOpening
  /** In any order. */
  movements: readonly Movement[]
  order: AllocationOrder
  /** A balance up to this amount, in minor units, counts as covered. */
  tolerance: bigint
  rates: RateTable
  /** Default: actual/365. */
  dayCounts?: DayCounts
}

/**
 * The movements that count up to a date, ordered by value date, then booking. Reversals and the movements
 * they undo are left out. Throws RangeError for a movement before the registration of the case.
 */
export function effectiveMovements({ opening, movements }: LedgerInput, asOf: string): Movement[] {
  const undone = new Set(movements.flatMap((movement) => (movement.kind === 'reversal' ? movement.of : [])))
  const counted = movements.filter(
    ({ id, kind, valueDate }) => kind !== 'reversal' && valueDate <= asOf && !undone.has(id),
  )
  if (counted.some(({ valueDate }) => valueDate < opening.registeredOn))
    throw new DayRangeError(
      (day) => `A movement counts from ${day} on, when the case was registered.`,
      opening.registeredOn,
    )
  return counted.toSorted(
    (a, b) => byText(a.valueDate, b.valueDate) || a.booking - b.booking || byText(a.id, b.id),
  )
}

const byText = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0)
