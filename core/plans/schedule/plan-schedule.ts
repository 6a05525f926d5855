/**
 * The sequence of a plan's payments, in whole units. Money goes to costs, then interest, then principal of
 * the oldest case. Unpaid costs and interest move to the next payment and bear no interest.
 *
 * Doubles represent whole numbers exactly up to 2^53. Every product and sum is checked to stay below.
 */
import { buildRateSteps } from '../../interest/interest.ts'
import { createDueDates } from './plan-dates.ts'
import { createPeriodRates, caseInterest, type PeriodRates } from './plan-interest.ts'
import { mostPayments, type PlanCase, type PlanInvoice, type PlanTerms } from '../plan-terms.ts'
import type { DueDates } from './plan-dates.ts'

/** A plan's terms as numbers. Amounts are in units; `unit` of them make one minor unit. */
export interface ScheduleInput {
  unit: number
  halfEven: boolean
  /** True if the level amount is principal only, with interest and fees on top. */
  byPrincipal: boolean
  first: number
  /** The total owed at the start, without the plan's own fees. */
  claim: number
  /** Principal by invoice, and the range of invoices of each case. */
  principal: number[]
  cases: { from: number; to: number }[]
  interest: number
  /** Includes the registration fee. */
  costs: number
  invoiceFee: number
  /** Spreads the rounding of the level amount over the payments. */
  even: boolean
  /** The first payment whose invoice fee is not yet in `costs`. */
  feesFrom: number
  /** The part already paid of the first payment. */
  paid: { fee: number; interest: number; instalment: number }
  /** Amounts of deviating payments, by payment number. */
  specified: (number | undefined)[]
  dates: DueDates
  rates: PeriodRates
}

/** Amounts by row. The first row is payment `Course.first`. */
export interface Schedule {
  fee: number[]
  interest: number[]
  instalment: number[]
  /** The remainder after the last row. */
  left: { fee: number; interest: number; principal: number[] }
  /** True if nothing remains. */
  repaid: boolean
}

const noPrincipal: PlanInvoice = { principal: 0n, rates: buildRateSteps({ kind: 'none' }, new Map()) }

export function createCourse(terms: PlanTerms): ScheduleInput {
  const { cases, tail, deviations = [], rounding = 'half-up' } = terms
  const first = (tail?.paidThrough ?? 0) + 1
  const dates = createDueDates(terms)
  const withPrincipal = cases.flatMap((one) => one.invoices)
  // Where only interest and costs are owed: the search for the level amount lowers a principal by what is too much.
  const invoices = withPrincipal.length > 0 ? withPrincipal : [noPrincipal]
  const owed = cases.reduce((sum, one) => sum + totalClaim(one), 0n)
  const unit = rounding === 'none' ? finestUnit(Number(owed)) : 1
  const read = (amount: bigint): number => {
    if (amount < 0n) throw new RangeError('What is owed or paid is zero or more.')
    return requireExact(Number(amount) * unit)
  }
  const specified: (number | undefined)[] = []
  for (const { paymentNo, amount } of deviations) {
    if (amount !== undefined && amount !== null) specified[paymentNo] = read(amount)
  }
  const paid = tail?.partlyPaid
  return {
    unit,
    halfEven: rounding === 'half-even',
    byPrincipal: terms.type === 3 || terms.type === 4,
    first,
    claim: read(owed),
    principal: invoices.map(({ principal }) => read(principal)),
    cases: caseRanges(cases),
    interest: cases.reduce((sum, { interest }) => sum + read(interest), 0),
    costs: cases.reduce((sum, { costs }) => sum + read(costs), read(terms.registrationFee ?? 0n)),
    invoiceFee: read(terms.invoiceFee ?? 0n),
    even: terms.evenPayments === true && unit === 1,
    feesFrom: (tail?.invoicedThrough ?? 0) + 1,
    paid: {
      fee: read(paid?.fee ?? 0n),
      interest: read(paid?.interest ?? 0n),
      instalment: read(paid?.instalment ?? 0n),
    },
    specified,
    dates,
    rates: createPeriodRates(invoices, dates, first, terms.dayCount ?? 'actual/365'),
  }
}

/** The total owed on a case. */
export const totalClaim = ({ invoices, interest, costs }: PlanCase): bigint =>
  invoices.reduce((sum, { principal }) => sum + principal, interest + costs)

function caseRanges(cases: readonly PlanCase[]): { from: number; to: number }[] {
  let from = 0
  return cases.map(({ invoices }) => ({ from, to: (from += invoices.length) }))
}

/** Units per minor unit: a million, or fewer when the debt is too large for a double. */
function finestUnit(owed: number): number {
  let unit = 1_000_000
  while (unit > 1 && owed * unit > Number.MAX_SAFE_INTEGER / 1000) unit /= 10
  return unit
}

/** An amount or sum that a double cannot represent exactly. */
export class AmountTooLarge extends RangeError {}

/** Returns the amount. Throws AmountTooLarge when it is not exact. */
export function requireExact(amount: number): number {
  if (Number.isSafeInteger(amount)) return amount
  throw new AmountTooLarge('The amounts of a plan stay below 2^53 units.')
}

/**
 * The payments under a level amount, until nothing remains, at most up to payment `last`. If `clears`, that
 * payment pays the remainder. `extra` are units on top of the level amount, by payment number.
 */
export function computeSchedule(
  course: ScheduleInput,
  level: number,
  last: number,
  clears: boolean,
  extra?: Int8Array,
): Schedule {
  const { rates, specified, byPrincipal, invoiceFee } = course
  const balances = course.principal.slice()
  const [fees, interests, instalments]: [number[], number[], number[]] = [[], [], []]
  let { costs: feeDue, interest: interestDue } = course
  let principalDue = sumAmounts(balances)
  let { fee: paidFee, interest: paidInterest, instalment: paidInstalment } = course.paid
  let repaid = false
  if (last < mostPayments) rates.extendTo(last)
  for (let no = course.first; no <= last && !repaid; no++) {
    if (last === mostPayments) rates.extendTo(no)
    interestDue += periodInterest(course, balances, no)
    if (no >= course.feesFrom) feeDue += invoiceFee
    const owed = requireExact(feeDue + interestDue + principalDue)
    const specifiedAmount = specified[no]
    const each = extra ? level + extra[no]! : level
    let pay = owed
    if (!(clears && no === last)) {
      if (specifiedAmount !== undefined)
        pay = Math.max(0, specifiedAmount - paidFee - paidInterest - paidInstalment)
      else if (byPrincipal) pay = feeDue + interestDue + Math.max(0, each - paidInstalment)
      else pay = Math.max(0, each - paidFee - paidInterest - paidInstalment)
      if (pay > owed) pay = owed
    }
    const fee = Math.min(pay, feeDue)
    const interest = Math.min(pay - fee, interestDue)
    const instalment = pay - fee - interest
    if (instalment > 0) payOldest(balances, instalment)
    fees.push(fee + paidFee)
    interests.push(interest + paidInterest)
    instalments.push(instalment + paidInstalment)
    feeDue -= fee
    interestDue -= interest
    principalDue -= instalment
    paidFee = paidInterest = paidInstalment = 0
    repaid = pay === owed
  }
  return {
    fee: fees,
    interest: interests,
    instalment: instalments,
    left: { fee: feeDue, interest: interestDue, principal: balances },
    repaid,
  }
}

function periodInterest(
  { rates, cases, halfEven }: ScheduleInput,
  balances: readonly number[],
  no: number,
): number {
  let sum = 0
  for (let index = 0; index < cases.length; index++) {
    sum += caseInterest(rates, balances, cases[index]!, no, halfEven)
  }
  return sum
}

function payOldest(balances: number[], instalment: number): void {
  let left = instalment
  for (let index = 0; left > 0; index++) {
    const part = Math.min(left, balances[index]!)
    balances[index]! -= part
    left -= part
  }
}

export function sumAmounts(amounts: readonly number[]): number {
  let sum = 0
  for (const amount of amounts) sum += amount
  return sum
}
