/** What a case's ledger is derived from: the case as it was registered, and every movement since. */
import type { AllocationOrder, Component } from './allocation.ts'
import type { InterestTerms, RateTable } from '../interest/interest.ts'

/** A claim of a case: an invoice or the like. */
export interface Claim {
  id: string
  /** Above zero, in minor units. */
  principal: bigint
  /** Who fell due first is paid first; null comes before every date. */
  dueDate: string | null
  /** The day after which interest runs; null when it bears none. */
  interestFrom: string | null
  /** The claim's own terms; null for those of the case. */
  terms: InterestTerms | null
}

export interface CaseOpening {
  registeredOn: string
  claims: readonly Claim[]
  /** Interest and costs that were owed already when the case was registered, zero or more. */
  interest: bigint
  cost: bigint
  terms: InterestTerms
}

interface Moved {
  id: string
  /** When it counts, not before the case was registered. */
  valueDate: string
  /** Orders movements of one value date, then their ids do. */
  booking: number
  /** What was in force when it was booked, so that later terms of the client replay nothing otherwise; else the input's. */
  order?: AllocationOrder
  tolerance?: bigint
}

/** All amounts are above zero, in minor units. */
export type MovementEffect =
  /** Money to us; what it doesn't take is the debtor's credit. */
  | { kind: 'payment'; amount: bigint }
  /** Money to the client or another; never client money, and what it doesn't take is for the third party to return. */
  | { kind: 'thirdPartyPayment'; amount: bigint }
  /** The debtor's credit, of this case or another of the debtor's, used to pay this case; no more than is owed. */
  | { kind: 'creditUse'; amount: bigint }
  /** Credit paid back to the debtor. */
  | { kind: 'refund'; amount: bigint }
  | { kind: 'fee'; amount: bigint }
  /** No more than is owed; `amount` null for all of it, `component` null for all three, in the order of allocation. */
  | { kind: 'writeOff'; amount: bigint | null; component: Component | null }
  /** Lowers the principal of a claim, no further than to zero. */
  | { kind: 'creditNote'; amount: bigint; claim: string }
  | { kind: 'claim'; claim: Claim }
  /** Other terms after the value date, of one claim or (`claim` null) of the case. */
  | { kind: 'terms'; terms: InterestTerms; claim: string | null }
  /** Closed by hand: interest stands still until `reopen`. */
  | { kind: 'close' }
  | { kind: 'reopen' }
  /** Undoes a movement of whatever date, as though it had never been. */
  | { kind: 'reversal'; of: string }

export type Movement = Moved & MovementEffect
export type MovementKind = MovementEffect['kind']

export interface LedgerInput {
  opening: CaseOpening
  /** In any order. */
  movements: readonly Movement[]
  order: AllocationOrder
  /** A balance up to this, in minor units, counts as covered. */
  tolerance: bigint
  rates: RateTable
}

/**
 * The movements that count up to a date, in the order they count: by value date, then booking. Those that a reversal
 * undoes are left out, and the reversals too. Throws RangeError for one dated before the case.
 */
export function effectiveMovements({ opening, movements }: LedgerInput, asOf: string): Movement[] {
  const undone = new Set(movements.flatMap((movement) => (movement.kind === 'reversal' ? movement.of : [])))
  const counted = movements.filter(
    ({ id, kind, valueDate }) => kind !== 'reversal' && valueDate <= asOf && !undone.has(id),
  )
  if (counted.some(({ valueDate }) => valueDate < opening.registeredOn))
    throw new RangeError(`A movement counts from ${opening.registeredOn} on, when the case was registered.`)
  return counted.toSorted(
    (a, b) => byText(a.valueDate, b.valueDate) || a.booking - b.booking || byText(a.id, b.id),
  )
}

const byText = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0)
