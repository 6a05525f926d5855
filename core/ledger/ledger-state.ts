/**
 * The working state while a ledger is derived: what each claim owes, and since when interest is not posted.
 * Contains the steps shared by all kinds of movements. Used only by case-ledger.ts.
 */
import { allocate, type Bucket, type Component } from './allocation.ts'
import { fromDayNumber, toDayNumber } from '../calendar/calendar.ts'
import type { Claim, LedgerInput } from './case-movement.ts'
import {
  addToBalances,
  type Balances,
  type Entry,
  type InterestPeriod,
  type Transaction,
} from './case-transaction.ts'
import {
  accrualLine,
  interestDenominator,
  interestNumerator,
  buildRateSteps,
  type AccrualLine,
  type InterestTerms,
  type RateSteps,
} from '../interest/interest.ts'
import { divideHalfUp, splitByWeight } from '../money/money.ts'

export interface ClaimState {
  id: string
  dueDate: string | null
  ownTerms: InterestTerms | null
  steps: RateSteps
  principal: bigint
  interest: bigint
  /** Interest after this day is not posted yet. Null for a claim without interest. */
  from: number | null
  /** Days before `from` whose interest is not posted yet either, by the terms that were in force then. */
  earlier: readonly RatePeriod[]
}

/** Day numbers: `from` is excluded, `to` included. */
interface RatePeriod {
  steps: RateSteps
  from: number
  to: number
}

/** The working state of a ledger while its movements are applied. */
export interface LedgerState {
  input: LedgerInput
  claims: ClaimState[]
  terms: InterestTerms
  /** The terms of the case before, each through a day number, in order. */
  formerTerms: { terms: InterestTerms; through: number }[]
  /** Amounts of the case as a whole. */
  interest: bigint
  cost: bigint
  coveredOn: string | null
  coveredBy: 'payment' | 'WRITTEN_OFF' | 'CREDITED' | null
  closedByHand: boolean
  /** Interest pauses that have begun and not ended. */
  pauses: number
  transactions: Transaction[]
  balances: Balances
  unapplied: { movementId: string; amount: bigint }[]
}

/** Two entries that move an amount from one account to another. */
export const entryPair = (
  debit: Entry['account'],
  credit: Entry['account'],
  claim: string | null,
  amount: bigint,
): Entry[] => [
  { account: debit, claim, amount },
  { account: credit, claim, amount: -amount },
]

/** Adds a claim. Returns the entries for its amounts. */
export function addClaim(course: LedgerState, claim: Claim, byTermsOfDay = false): Entry[] {
  const { id, principal, dueDate, interestFrom, terms } = claim
  const steps = buildRateSteps(terms ?? course.terms, course.input.rates, course.input.dayCounts)
  const first = interestFrom === null ? null : toDayNumber(interestFrom)
  const earlier = byTermsOfDay && first !== null && terms === null ? findEarlier(course, first) : []
  const from = earlier.at(-1)?.to ?? first
  course.claims.push({ id, dueDate, ownTerms: terms, steps, principal, interest: 0n, from, earlier })
  return principal ? entryPair('receivable:principal', 'claim:principal', id, principal) : []
}

/** The days after one that former terms of the case were in force on. */
function findEarlier({ formerTerms, input }: LedgerState, after: number): RatePeriod[] {
  let from = after
  return formerTerms.flatMap(({ terms, through }) => {
    if (through <= from) return []
    const period = { steps: buildRateSteps(terms, input.rates, input.dayCounts), from, to: through }
    from = through
    return period
  })
}

/** The days up to and including one whose interest is not posted yet. */
function listUnposted({ steps, from, earlier }: ClaimState, to: number): RatePeriod[] {
  return [...earlier, ...(from === null ? [] : [{ steps, from, to }])].flatMap((period) => {
    const last = Math.min(period.to, to)
    return period.from < last ? { ...period, to: last } : []
  })
}

/** Adds a transaction, unless it has no entries. */
export function post(
  course: LedgerState,
  kind: Transaction['kind'],
  valueDate: string,
  movementId: string | null,
  parts: Pick<Transaction, 'entries'> & Partial<Transaction>,
): void {
  const transaction = { lines: [], periods: [], ...parts, kind, valueDate, movementId }
  if (transaction.entries.length === 0) return
  course.transactions.push(transaction)
  addToBalances(course.balances, transaction)
}

/** True while interest is stopped. */
const isStopped = ({ coveredOn, closedByHand, pauses }: LedgerState): boolean =>
  coveredOn !== null || closedByHand || pauses > 0

/**
 * The interest periods not yet posted on a day, for each interest-bearing claim. The exact interest of all
 * claims is rounded half up once and split by largest remainder.
 */
export function pendingPeriods(course: LedgerState, to: number): InterestPeriod[] {
  if (isStopped(course)) return []
  const running = course.claims.flatMap((claim) =>
    claim.principal > 0n
      ? listUnposted(claim, to).map((period) => ({ claim: claim.id, principal: claim.principal, ...period }))
      : [],
  )
  const exact = running.map((one) => interestNumerator(one.principal, one.steps, one.from, one.to))
  const whole = exact.reduce((sum, part) => sum + part, 0n)
  const shares = splitByWeight(divideHalfUp(whole, interestDenominator), exact)
  return running.map((period, index) => ({ ...period, amount: shares[index]! }))
}

/** Posts interest accrued up to and including a day. */
export function postInterest(course: LedgerState, valueDate: string): void {
  const periods = pendingPeriods(course, toDayNumber(valueDate))
  if (periods.length === 0) return
  const claims = new Map(course.claims.map((claim) => [claim.id, claim]))
  const entries: Entry[] = []
  for (const { claim: id, amount, to } of periods) {
    if (amount) entries.push(...entryPair('receivable:interest', 'income:interest', id, amount))
    const claim = claims.get(id)!
    claim.interest += amount
    claim.from = to
    claim.earlier = []
  }
  post(course, 'interest', valueDate, null, { entries, periods })
}

/** Skips interest for the days up to and including this one. */
export function skipInterest(claims: readonly ClaimState[], date: string): void {
  const day = toDayNumber(date)
  for (const claim of claims) {
    claim.earlier = claim.earlier.flatMap((period) =>
      period.to > day ? { ...period, from: Math.max(period.from, day) } : [],
    )
    if (claim.from !== null && claim.from < day) claim.from = day
  }
}

function openBuckets({ claims, interest, cost }: LedgerState): Bucket[] {
  const whole: Bucket[] = [
    { claim: null, component: 'cost', dueDate: null, owed: cost },
    { claim: null, component: 'interest', dueDate: null, owed: interest },
  ]
  return whole.concat(
    claims.flatMap(({ id, dueDate, interest: owedInterest, principal }): Bucket[] => [
      { claim: id, component: 'interest', dueDate, owed: owedInterest },
      { claim: id, component: 'principal', dueDate, owed: principal },
    ]),
  )
}

/** Allocates an amount to the owed amounts and reduces them. A null amount means everything owed. */
export function reduceOwed(course: LedgerState, amount: bigint | null, order: readonly Component[]) {
  const buckets = openBuckets(course)
  const owed = buckets.reduce((sum, bucket) => sum + bucket.owed, 0n)
  const { lines, surplus } = allocate(amount ?? owed, buckets, order)
  const byId = new Map(course.claims.map((claim) => [claim.id, claim]))
  for (const { claim, component, amount: part } of lines) {
    if (component === 'cost') course.cost -= part
    else if (claim === null) course.interest -= part
    else byId.get(claim)![component] -= part
  }
  const entries = lines.map(({ claim, component, amount: part }): Entry => ({
    account: `receivable:${component}`,
    claim,
    amount: -part,
  }))
  return { lines, entries, surplus, lowered: lines.reduce((sum, line) => sum + line.amount, 0n) }
}

/** The accrual line of interest not yet posted, from a day on. */
export function unpostedLine(course: LedgerState, day: number): AccrualLine {
  if (isStopped(course)) return { from: fromDayNumber(day), exact: 0n, perDay: 0n, until: null }
  const parts = course.claims.flatMap(({ principal, steps, from }) =>
    from === null || principal === 0n ? [] : { principal, steps, from },
  )
  const line = accrualLine(parts, day)
  const earlier = course.claims.flatMap(({ principal, earlier: periods }) =>
    periods.map(({ steps, from, to }) => interestNumerator(principal, steps, from, Math.min(to, day))),
  )
  return earlier.reduce((sum, exact) => ({ ...sum, exact: sum.exact + exact }), line)
}
