/**
 * Derives a case's ledger as a pure function of its movements. Registration, interest and every movement
 * become transactions that sum to zero, ordered by value date and booking.
 *
 * Interest is posted before each movement that changes principal or terms or reduces the amount owed. A
 * posting covers the time since the previous posting, or since a claim's start of interest. The exact sum of
 * all claims is rounded half up once and split by largest remainder. Interest since the last posting is an
 * accrual line. Interest stops while the case is covered, that is at most the tolerance is owed after a
 * reduction, while the case is closed manually, and in interest pauses.
 */
import { toDayNumber } from '../calendar/calendar.ts'
import {
  addClaim,
  unpostedLine,
  reduceOwed,
  entryPair,
  pendingPeriods,
  post,
  postInterest,
  skipInterest,
  type ClaimState,
  type LedgerState,
} from './ledger-state.ts'
import { effectiveMovements, type LedgerInput, type Movement } from './case-movement.ts'
import {
  emptyBalances,
  sumComponents,
  type Balances,
  type InterestPeriod,
  type Transaction,
} from './case-transaction.ts'
import { accruedAt, buildRateSteps, type AccrualLine } from '../interest/interest.ts'

export interface CaseLedger {
  transactions: Transaction[]
  /** Posted balances: sums of the entries. */
  posted: Balances
  /** Interest up to the date that is not posted yet, in minor units, rounded half up. */
  accrued: bigint
  /** The periods that `accrued` consists of. */
  pending: InterestPeriod[]
  /** The accrual line of `accrued`. Zero while interest is stopped. */
  line: AccrualLine
  /** The balances to show: `posted` plus `accrued` in accrued and remaining interest. */
  balances: Balances
  /** The value date on which the case became covered. Null while it is not. */
  coveredOn: string | null
  /** The closure code of a covered case, by the movement that covered it. Null while it is not covered. */
  closure: 'PAID_IN_FULL' | 'SMALL_BALANCE' | 'WRITTEN_OFF' | 'CREDITED' | null
  /**
   * The parts of movements that no open balance absorbed: credit used, write-offs and credit notes above what
   * is owed.
   */
  unapplied: { movementId: string; amount: bigint }[]
}

/**
 * Derives the ledger as of a date. Later movements do not count. Throws RangeError for a movement before the
 * registration, an amount of zero or less, or interest before the first known rate.
 */
export function deriveLedger(input: LedgerInput, asOf: string): CaseLedger {
  const course = register(input)
  for (const movement of effectiveMovements(input, asOf)) applyMovement(course, movement)
  const { transactions, balances: posted, coveredOn, coveredBy } = course
  const day = toDayNumber(asOf)
  const line = unpostedLine(course, day)
  const pending = pendingPeriods(course, day)
  const accrued = accruedAt(line, asOf)
  const balances: Balances = {
    ...posted,
    accrued: { ...posted.accrued, interest: posted.accrued.interest + accrued },
    remaining: { ...posted.remaining, interest: posted.remaining.interest + accrued },
  }
  const covering = sumComponents(posted.remaining) > 0n ? 'SMALL_BALANCE' : 'PAID_IN_FULL'
  const closure = coveredBy === 'payment' ? covering : coveredBy
  return {
    transactions,
    posted,
    accrued,
    pending,
    line,
    balances,
    coveredOn,
    closure,
    unapplied: course.unapplied,
  }
}

function register(input: LedgerInput): LedgerState {
  const { opening } = input
  const course: LedgerState = {
    input,
    claims: [],
    terms: opening.terms,
    formerTerms: [],
    interest: opening.interest,
    cost: opening.cost,
    coveredOn: null,
    coveredBy: null,
    closedByHand: false,
    pauses: 0,
    transactions: [],
    balances: emptyBalances(),
    unapplied: [],
  }
  const entries = opening.claims.flatMap((claim) => addClaim(course, claim))
  if (opening.interest)
    entries.push(...entryPair('receivable:interest', 'claim:interest', null, opening.interest))
  if (opening.cost) entries.push(...entryPair('receivable:cost', 'claim:cost', null, opening.cost))
  post(course, 'registration', opening.registeredOn, null, { entries })
  return course
}

function applyMovement(course: LedgerState, movement: Movement): void {
  if ('amount' in movement && movement.amount !== null && movement.amount <= 0n)
    throw new RangeError('A movement moves an amount above zero.')
  const { kind, valueDate } = movement
  if (kind !== 'fee' && kind !== 'refund' && kind !== 'claim' && kind !== 'reopen' && kind !== 'resume')
    postInterest(course, valueDate)
  switch (kind) {
    case 'payment':
    case 'thirdPartyPayment':
    case 'creditUse':
      return pay(course, movement)
    case 'writeOff':
      return writeOff(course, movement)
    case 'creditNote':
      return creditNote(course, movement)
    case 'refund':
      return post(course, kind, valueDate, movement.id, {
        entries: entryPair('credit', 'bank', null, movement.amount),
      })
    case 'fee':
      course.cost += movement.amount
      post(course, kind, valueDate, movement.id, {
        entries: entryPair('receivable:cost', 'income:fee', null, movement.amount),
      })
      return reopenIfOwing(course, valueDate, course.claims)
    case 'claim': {
      const before = [...course.claims]
      post(course, kind, valueDate, movement.id, {
        entries: addClaim(course, movement.claim, movement.byTermsOfDay),
      })
      return reopenIfOwing(course, valueDate, before)
    }
    case 'terms':
      return changeTerms(course, movement)
    case 'close':
      course.closedByHand = true
      return
    case 'pause':
      course.pauses += 1
      return
    case 'resume':
      if (course.pauses > 0) course.pauses -= 1
      if (course.pauses === 0) skipInterest(course.claims, valueDate)
      return
    case 'reopen':
      if (course.closedByHand) {
        course.closedByHand = false
        if (!course.coveredOn) skipInterest(course.claims, valueDate)
      }
  }
}

type Of<Kind extends Movement['kind']> = Extract<Movement, { kind: Kind }>

function addUnapplied({ unapplied }: LedgerState, movementId: string, amount: bigint): void {
  if (amount > 0n) unapplied.push({ movementId, amount })
}

function pay(course: LedgerState, movement: Of<'payment' | 'thirdPartyPayment' | 'creditUse'>): void {
  const { kind, amount, valueDate, id } = movement
  const { lines, entries, surplus, lowered } = reduceOwed(
    course,
    amount,
    movement.order ?? course.input.order,
  )
  if (kind === 'creditUse') {
    if (lowered) entries.unshift({ account: 'credit', claim: null, amount: lowered })
    post(course, kind, valueDate, id, { entries, lines })
    addUnapplied(course, id, surplus)
  } else {
    entries.unshift({ account: kind === 'payment' ? 'bank' : 'third-party', claim: null, amount })
    const account = kind === 'payment' ? 'credit' : 'third-party-credit'
    if (surplus) entries.push({ account, claim: null, amount: -surplus })
    post(course, kind, valueDate, id, { entries, lines })
  }
  coverIfPaid(course, 'payment', movement)
}

function writeOff(course: LedgerState, movement: Of<'writeOff'>): void {
  const { kind, amount, component, valueDate, id } = movement
  const order = component ? [component] : (movement.order ?? course.input.order)
  const { lines, entries, surplus, lowered } = reduceOwed(course, amount, order)
  if (lowered) entries.unshift({ account: 'write-off', claim: null, amount: lowered })
  post(course, kind, valueDate, id, { entries, lines })
  addUnapplied(course, id, amount === null ? 0n : surplus)
  coverIfPaid(course, 'WRITTEN_OFF', movement)
}

function creditNote(course: LedgerState, movement: Of<'creditNote'>): void {
  const { kind, amount, claim: claimId, valueDate, id } = movement
  const claim = course.claims.find((one) => one.id === claimId)
  const part = claim && claim.principal < amount ? claim.principal : claim ? amount : 0n
  if (claim) claim.principal -= part
  post(course, kind, valueDate, id, {
    entries: part ? entryPair('claim:principal', 'receivable:principal', claimId, part) : [],
    lines: part ? [{ claim: claimId, component: 'principal', amount: part }] : [],
  })
  addUnapplied(course, id, amount - part)
  coverIfPaid(course, 'CREDITED', movement)
}

function changeTerms(course: LedgerState, { terms, claim: claimId, valueDate }: Of<'terms'>): void {
  const { rates, dayCounts } = course.input
  if (claimId === null) {
    course.formerTerms.push({ terms: course.terms, through: toDayNumber(valueDate) })
    course.terms = terms
  }
  for (const claim of course.claims) {
    if (claim.id === claimId) claim.ownTerms = terms
    claim.steps = buildRateSteps(claim.ownTerms ?? course.terms, rates, dayCounts)
  }
}

function coverIfPaid(
  course: LedgerState,
  by: NonNullable<LedgerState['coveredBy']>,
  { valueDate, tolerance = course.input.tolerance }: Movement,
): void {
  if (course.coveredOn || sumComponents(course.balances.remaining) > tolerance) return
  course.coveredOn = valueDate
  course.coveredBy = by
}

function reopenIfOwing(course: LedgerState, valueDate: string, claims: readonly ClaimState[]): void {
  if (!course.coveredOn || sumComponents(course.balances.remaining) <= course.input.tolerance) return
  course.coveredOn = null
  course.coveredBy = null
  if (!course.closedByHand) skipInterest(claims, valueDate)
}
