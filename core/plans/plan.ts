/**
 * Payment plans: what is paid when, of five types. Pure, and exact to the minor unit: the rows sum to what was owed,
 * accrued and charged. Amounts are bigint minor units of one currency, dates `YYYY-MM-DD`.
 */
import { annualRateOfFlows, intervalOfDays, roundPercentage } from '../interest/annual-percentage.ts'
import { dayNumberOf } from '../calendar/calendar.ts'
import { civilOf } from '../calendar/civil-day.ts'
import { createDueDates, findDisorder, type DueDates } from './plan-dates.ts'
import { leftOf, solveLeastLevel, solveLeastShrinking, solveLevel } from './plan-level.ts'
import { findPeriods } from './plan-periods.ts'
import { findFault } from './plan-faults.ts'
import { composeRows, composeReliefRows } from './plan-rows.ts'
import { AmountTooLarge, computeSchedule, createCourse, type Course, type Schedule } from './plan-schedule.ts'
import {
  mostPayments,
  type PaymentPlan,
  type PlanError,
  type PlanInterval,
  type PlanOutcome,
  type PlanTerms,
} from './plan-terms.ts'

const monthly: PlanInterval = { type: 3, count: 1 }

/**
 * The plan that follows from its terms, or why there is none. The same terms always give the same plan, so a preview is
 * what will be stored. With `tail` only the payments that are not yet paid are computed, from what is owed now.
 *
 * Throws RangeError for what the caller checks before: dates that are none, an interval without length, a debt below zero,
 * days before the first known reference rate.
 */
export function computePlan(terms: PlanTerms): PlanOutcome {
  const fault = findFault(terms)
  if (fault) return { ok: false, error: fault }
  try {
    return terms.type === 5 ? computeRelief(terms) : computeLevel(terms)
  } catch (error) {
    if (error instanceof AmountTooLarge) return refuse({ code: 'too-large' })
    throw error
  }
}

const refuse = (error: PlanError): PlanOutcome => ({ ok: false, error })

function computeLevel(terms: PlanTerms): PlanOutcome {
  const course = createCourse(terms)
  const { dates } = course
  const given = terms.numberOfPayments ?? null
  if (given !== null) {
    const disorder = findDisorder(terms, dates, given)
    if (disorder) return refuse(disorder)
  }
  const solved = solve(terms, course, given)
  if ('error' in solved) return refuse(solved.error)
  const { level, schedule } = solved
  const last = course.first + schedule.fee.length - 1
  const late = findLateFault(terms, dates, last)
  if (late) return refuse(late)
  return { ok: true, plan: composePlan(terms, course, level, schedule) }
}

/** The level amount and the schedule under it. */
function solve(
  terms: PlanTerms,
  course: Course,
  last: number | null,
): { level: number; schedule: Schedule } | { error: PlanError } {
  const { amount = null } = terms
  if (amount === null) return solveLevel(course, last!)
  const level = Number(amount) * course.unit
  const schedule = computeSchedule(course, level, last ?? mostPayments, false)
  if (last === null) {
    if (schedule.repaid) return { level, schedule }
    return { error: { code: 'never-repays', leastAmount: minorUp(solveLeastLevel(course), course.unit) } }
  }
  // Of a running plan only a few small payments may be left, or be put off: it was worth while as a whole.
  if (terms.tail || leftOf(schedule) < course.claim) return { level, schedule }
  return {
    error: { code: 'never-repays', leastAmount: minorUp(solveLeastShrinking(course, last), course.unit) },
  }
}

const minorUp = (units: number, unit: number): bigint => BigInt(Math.ceil(units / unit))

/** Deviations that turn out wrong once the last payment is known. */
function findLateFault(terms: PlanTerms, dates: DueDates, last: number): PlanError | null {
  for (const [index, { paymentNo }] of (terms.deviations ?? []).entries()) {
    if (paymentNo > last) return { code: 'deviation-unknown', index, paymentNo, lastPaymentNo: last }
  }
  return findDisorder(terms, dates, last)
}

function composePlan(terms: PlanTerms, course: Course, level: number, schedule: Schedule): PaymentPlan {
  const { unit } = course
  const { rows, totals, left } = composeRows(terms, course, schedule)
  const claim = BigInt(course.claim / unit)
  const total = left.principal + left.interest + left.fee
  return {
    type: terms.type,
    startDate: terms.startDate,
    numberOfPayments: course.first + rows.length - 1,
    levelAmount: BigInt(Math.round(level / unit)),
    rows,
    periods: findPeriods(rows, terms.interval ?? monthly),
    totals,
    claim,
    left: { total, ...left },
    annualPercentage: terms.tail
      ? null
      : percentageOf(
          terms.interval ?? monthly,
          course.dates,
          Number(claim),
          rows.map(({ amount }, index) => Number(amount) + (index === rows.length - 1 ? Number(total) : 0)),
        ),
  }
}

/** A percentage above 10^13 has no two decimals in a double, and says nothing: much is charged on what is due at once. */
const highestRate = 1e11

/** What flows on the plan's due dates against what was owed at its start. */
function percentageOf(interval: PlanInterval, dates: DueDates, claim: number, paid: number[]): number | null {
  const amounts = new Float64Array(paid.length + 1)
  const years = new Float64Array(paid.length + 1)
  const from = civilOf(dates.start)
  let months = -1
  let day = 0
  let known = 0
  for (let index = 0; index < paid.length; index++) {
    amounts[index] = paid[index]!
    const to = dates.civil[index + 1]!
    const monthsNow = to.year * 12 + to.month
    // From one date to the same day of a later month only whole months are added.
    if (interval.type === 3 && to.day === day && months >= 0) known += (monthsNow - months) / 12
    else known = intervalOfDays(dates.start, dates.due[index + 1]!, interval.type, from, to).years
    ;[months, day] = [monthsNow, to.day]
    years[index] = known
  }
  amounts[paid.length] = -claim
  const rate = annualRateOfFlows(amounts, years)
  return rate === null || rate > highestRate ? null : roundPercentage(rate * 100, 2)
}

/**
 * The annual percentage of a plan of which some payments are made: its start and claim then, all its payments, and what
 * stays outstanding after the last (types 2 and 4). Per cent, half up to two decimals; null where no rate exists.
 */
export function computeAnnualPercentage(plan: {
  startDate: string
  claim: bigint
  payments: readonly { dueDate: string; amount: bigint }[]
  left: bigint
  interval?: PlanInterval
}): number | null {
  const days = plan.payments.map(({ dueDate }) => dayNumberOf(dueDate))
  const dates: DueDates = {
    start: dayNumberOf(plan.startDate),
    due: [0, ...days],
    civil: [civilOf(0), ...days.map(civilOf)],
    extendTo: () => {},
  }
  const end = plan.payments.length - 1
  const amounts = plan.payments.map(
    ({ amount }, index) => Number(amount) + (index === end ? Number(plan.left) : 0),
  )
  return percentageOf(plan.interval ?? monthly, dates, Number(plan.claim), amounts)
}

function computeRelief(terms: PlanTerms): PlanOutcome {
  const last = terms.numberOfPayments!
  const first = (terms.tail?.paidThrough ?? 0) + 1
  const dates = createDueDates(terms)
  const disorder = findDisorder(terms, dates, last)
  if (disorder) return refuse(disorder)
  const { rows, left, claim } = composeReliefRows(terms, dates, first)
  const late = findLateFault(terms, dates, first + rows.length - 1)
  if (late) return refuse(late)
  const paid = rows.reduce((sum, { amount }) => sum + amount, 0n)
  // What was paid before of a payment is part of its row, and no longer of the claim.
  const total = left.reduce((sum, one) => sum + one, 0n)
  return {
    ok: true,
    plan: {
      type: terms.type,
      startDate: terms.startDate,
      numberOfPayments: first + rows.length - 1,
      levelAmount: terms.amount!,
      rows,
      periods: findPeriods(rows, terms.interval ?? monthly),
      totals: { amount: paid, principal: paid, interest: 0n, fee: 0n },
      claim,
      left: { total, principal: total, interest: 0n, fee: 0n, byCase: left },
      annualPercentage: null,
    },
  }
}
