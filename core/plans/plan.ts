/**
 * Computes payment plans of five types. Pure, and exact to the minor unit: the rows sum to what was owed,
 * accrued and charged. Amounts are bigint minor units of one currency, dates are `YYYY-MM-DD`.
 */
import { solveFlowRate, intervalBetweenDays, roundPercentage } from '../interest/annual-percentage.ts'
import { fromDayNumber, toDayNumber } from '../calendar/calendar.ts'
import { dayNumberToCivil } from '../calendar/civil-day.ts'
import { createDueDates, findDisorder, type DueDates } from './schedule/plan-dates.ts'
import { totalLeft, solveLeastLevel, solveLeastShrinking, solveLevel } from './schedule/plan-level.ts'
import { findPeriods } from './schedule/plan-periods.ts'
import { findFault } from './plan-faults.ts'
import { composeRows, composeReliefRows } from './schedule/plan-rows.ts'
import {
  AmountTooLarge,
  computeSchedule,
  createCourse,
  type ScheduleInput,
  type Schedule,
} from './schedule/plan-schedule.ts'
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
 * Computes the plan for its terms, or returns why there is none. The same terms always give the same plan, so
 * a preview equals the stored plan. With `tail` only the unpaid payments are computed, from what is owed now.
 *
 * The caller must check its input first: RangeError is thrown for an invalid date, an empty interval, a
 * negative debt, or days before the first known reference rate.
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

/** The level amount and its schedule. */
function solve(
  terms: PlanTerms,
  course: ScheduleInput,
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
  // An active plan may have only a few small payments left, so it need not reduce the debt any further.
  if (terms.tail || totalLeft(schedule) < course.claim) return { level, schedule }
  return {
    error: { code: 'never-repays', leastAmount: minorUp(solveLeastShrinking(course, last), course.unit) },
  }
}

const minorUp = (units: number, unit: number): bigint => BigInt(Math.ceil(units / unit))

/** Faults of deviations that can only be found once the last payment is known. */
function findLateFault(terms: PlanTerms, dates: DueDates, last: number): PlanError | null {
  for (const [index, { paymentNo }] of (terms.deviations ?? []).entries()) {
    if (paymentNo > last) return { code: 'deviation-unknown', index, paymentNo, lastPaymentNo: last }
  }
  return findDisorder(terms, dates, last)
}

function composePlan(
  terms: PlanTerms,
  course: ScheduleInput,
  level: number,
  schedule: Schedule,
): PaymentPlan {
  const { unit } = course
  const { rows, totals, left } = composeRows(terms, course, schedule)
  const claim = BigInt(course.claim / unit)
  const total = left.principal + left.interest + left.fee
  return {
    type: terms.type,
    startDate: terms.startDate,
    numberOfPayments: course.first + rows.length - 1,
    countedFrom: fromDayNumber(course.dates.anchor),
    levelAmount: BigInt(Math.round(level / unit)),
    rows,
    periods: findPeriods(rows, terms.interval ?? monthly),
    totals,
    claim,
    left: { total, ...left },
    annualPercentage: terms.tail
      ? null
      : computePercentage(
          terms.interval ?? monthly,
          course.dates,
          Number(claim),
          rows.map(({ amount }, index) => Number(amount) + (index === rows.length - 1 ? Number(total) : 0)),
        ),
  }
}

/**
 * A percentage above 10^13 has no two exact decimals in a double. It occurs when high fees fall due at once
 * and has no meaning.
 */
const highestRate = 1e11

/** The annual percentage of the payments on their due dates against the amount owed at the start. */
function computePercentage(
  interval: PlanInterval,
  dates: DueDates,
  claim: number,
  paid: number[],
): number | null {
  const amounts = new Float64Array(paid.length + 1)
  const years = new Float64Array(paid.length + 1)
  const from = dayNumberToCivil(dates.start)
  let months = -1
  let day = 0
  let known = 0
  for (let index = 0; index < paid.length; index++) {
    amounts[index] = paid[index]!
    const to = dates.civil[index + 1]!
    const monthsNow = to.year * 12 + to.month
    // From a date to the same day of a later month only whole months are added.
    if (interval.type === 3 && to.day === day && months >= 0) known += (monthsNow - months) / 12
    else known = intervalBetweenDays(dates.start, dates.due[index + 1]!, interval.type, from, to).years
    ;[months, day] = [monthsNow, to.day]
    years[index] = known
  }
  amounts[paid.length] = -claim
  const rate = solveFlowRate(amounts, years)
  return rate === null || rate > highestRate ? null : roundPercentage(rate * 100, 2)
}

/**
 * The annual percentage of a plan with paid payments: from its original start and claim, all its payments,
 * and the outstanding remainder (types 2 and 4). Percent, rounded half up to two decimals. Null when no rate
 * exists.
 */
export function computeAnnualPercentage(plan: {
  startDate: string
  claim: bigint
  payments: readonly { dueDate: string; amount: bigint }[]
  left: bigint
  interval?: PlanInterval
}): number | null {
  const days = plan.payments.map(({ dueDate }) => toDayNumber(dueDate))
  const dates: DueDates = {
    start: toDayNumber(plan.startDate),
    anchor: days[0]!,
    due: [0, ...days],
    civil: [dayNumberToCivil(0), ...days.map(dayNumberToCivil)],
    extendTo: () => {},
  }
  const end = plan.payments.length - 1
  const amounts = plan.payments.map(
    ({ amount }, index) => Number(amount) + (index === end ? Number(plan.left) : 0),
  )
  return computePercentage(plan.interval ?? monthly, dates, Number(plan.claim), amounts)
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
  // The part of a payment that was paid before belongs to its row, and no longer to the claim.
  const total = left.reduce((sum, one) => sum + one, 0n)
  return {
    ok: true,
    plan: {
      type: terms.type,
      startDate: terms.startDate,
      numberOfPayments: first + rows.length - 1,
      countedFrom: fromDayNumber(dates.anchor),
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
