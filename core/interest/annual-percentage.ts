/**
 * The annual percentage rate of charge (APR).
 *
 * Sources: Directive 2008/48/EC article 19 and annex I part I; Directive (EU) 2023/2225 article 30 and annex
 * III; day counting by Directive 2014/17/EU annex I part II remark (c) and the Commission's guidelines
 * SWD(2012) 128 final, section 4.1.1.
 *
 * The rate X solves  sum of C(k) (1 + X)^-t(k)  =  sum of D(l) (1 + X)^-s(l),  with drawdowns C, payments D,
 * and times in years from the first drawdown. A year has 365 or 366 days, 52 weeks or 12 equal months.
 */
import { toDayNumber } from '../calendar/calendar.ts'
import { dayNumberToCivil, civilToDayNumber, monthLength, type Civil } from '../calendar/civil-day.ts'

/** The unit for whole periods, numbered like plan interval types: 1 day, 2 week, 3 month, 4 year. */
export type Frequency = 1 | 2 | 3 | 4

/** An amount, in any unit, and the years from the first drawdown until it flows. */
export interface Flow {
  amount: number
  years: number
}

/** The time between two dates: whole periods counted back from the later date, then days. */
export interface Interval {
  periods: number
  days: number
  daysInYear: 365 | 366
  years: number
}

const yearsPer: Record<Frequency, number> = { 1: 1, 2: 1 / 52, 3: 1 / 12, 4: 1 }

/**
 * The time from a drawdown to a payment (`YYYY-MM-DD`). Days are divided by the days of the year that ends on
 * the date where they begin. Daily payments count in whole years and days. Throws RangeError when the payment
 * is earlier.
 */
export function intervalBetween(from: string, to: string, frequency: Frequency): Interval {
  const [start, end] = [toDayNumber(from), toDayNumber(to)]
  if (end < start) throw new RangeError('A payment is not earlier than the drawdown.')
  return intervalBetweenDays(start, end, frequency, dayNumberToCivil(start), dayNumberToCivil(end))
}

/** Like `intervalBetween`, for day numbers whose dates are already known. */
export function intervalBetweenDays(
  start: number,
  end: number,
  frequency: Frequency,
  from: Civil = dayNumberToCivil(start),
  to: Civil = dayNumberToCivil(end),
): Interval {
  let periods: number
  let reached: Civil
  if (frequency === 2) {
    periods = Math.floor((end - start) / 7)
    reached = dayNumberToCivil(end - periods * 7)
  } else {
    const step = frequency === 3 ? 1 : 12
    periods = Math.floor(((to.year - from.year) * 12 + to.month - from.month) / step)
    reached = monthsBefore(to, periods * step)
    if (periods > 0 && civilToDayNumber(reached.year, reached.month, reached.day) < start) {
      periods--
      reached = monthsBefore(to, periods * step)
    }
  }
  const begin = civilToDayNumber(reached.year, reached.month, reached.day)
  const days = begin - start
  const yearBefore = monthsBefore(reached, 12)
  const daysInYear =
    begin - civilToDayNumber(yearBefore.year, yearBefore.month, yearBefore.day) === 366 ? 366 : 365
  return { periods, days, daysInYear, years: periods * yearsPer[frequency] + days / daysInYear }
}

function monthsBefore({ year, month, day }: Civil, months: number): Civil {
  const count = year * 12 + month - 1 - months
  const earlierYear = Math.floor(count / 12)
  const earlierMonth = count - earlierYear * 12 + 1
  return {
    year: earlierYear,
    month: earlierMonth,
    day: Math.min(day, monthLength(earlierYear, earlierMonth)),
  }
}

/** The present value of flows under a yearly rate (0.05 is 5 %). */
export const presentValue = (flows: readonly Flow[], rate: number): number =>
  flows.reduce((sum, { amount, years }) => sum + amount * (1 + rate) ** -years, 0)

/**
 * The yearly rate (0.05 is 5 %) under which the payments equal the drawdowns in present value, with the
 * accuracy of a double. Negative when less is paid than drawn. Null when no such rate exists, for example
 * when everything flows at once.
 */
export function solveAnnualRate(drawdowns: readonly Flow[], payments: readonly Flow[]): number | null {
  const flows = [...payments, ...drawdowns.map(({ amount, years }) => ({ amount: -amount, years }))]
  return solveFlowRate(
    Float64Array.from(flows, ({ amount }) => amount),
    Float64Array.from(flows, ({ years }) => years),
  )
}

/** Like `solveAnnualRate`, for arrays of payments (positive) and drawdowns (negative). */
export function solveFlowRate(amounts: Float64Array, years: Float64Array): number | null {
  const [paid, drawn] = [flowMoments(amounts, years, 1), flowMoments(amounts, years, -1)]
  if (!(paid.sum > 0) || !(drawn.sum > 0)) return null
  if (paid.sum === drawn.sum) return 0
  const apart = paid.mean - drawn.mean
  if (apart === 0) return null
  // By Jensen's inequality this is below the rate with one drawdown, so Newton's steps only increase.
  const start = Math.log(paid.sum / drawn.sum) / apart
  const power = newton(amounts, years, start) ?? bisect(amounts, years)
  return power === null ? null : Math.expm1(power)
}

function flowMoments(
  amounts: Float64Array,
  years: Float64Array,
  sign: 1 | -1,
): { sum: number; mean: number } {
  let sum = 0
  let moment = 0
  for (let index = 0; index < amounts.length; index++) {
    const amount = amounts[index]! * sign
    if (amount <= 0) continue
    sum += amount
    moment += amount * years[index]!
  }
  return { sum, mean: sum > 0 ? moment / sum : 0 }
}

/** Newton's method for the root of the sum of amount * e^(-power * years). Null when it does not converge. */
function newton(amounts: Float64Array, years: Float64Array, start: number): number | null {
  let power = start
  let lastStep = Infinity
  for (let round = 0; round < 60; round++) {
    let value = 0
    let slope = 0
    for (let index = 0; index < amounts.length; index++) {
      const time = years[index]!
      const worth = time === 0 ? amounts[index]! : amounts[index]! * Math.exp(-power * time)
      value += worth
      slope -= worth * time
    }
    const step = value / slope
    if (!Number.isFinite(step) || slope >= 0) return null
    power -= step
    const size = Math.abs(step)
    if (size < 1e-9 * (1 + Math.abs(power)) || (size < 1e-6 && size >= lastStep)) return power
    lastStep = size
  }
  return null
}

const valueAt = (amounts: Float64Array, years: Float64Array, power: number): number =>
  amounts.reduce((sum, amount, index) => sum + amount * Math.exp(-power * years[index]!), 0)

/** Bisects between powers -5 and 40, which are the rates -99.3 % and 10^19 %. */
function bisect(amounts: Float64Array, years: Float64Array): number | null {
  let [low, high] = [-5, 40]
  const atLow = valueAt(amounts, years, low)
  if (!(atLow * valueAt(amounts, years, high) < 0)) return null
  for (let round = 0; round < 200 && high - low > Number.EPSILON * Math.abs(low); round++) {
    const middle = (low + high) / 2
    if (valueAt(amounts, years, middle) * atLow > 0) low = middle
    else high = middle
  }
  return (low + high) / 2
}

/**
 * Rounds a percentage half up to `decimals` decimals. Rounds the decimal number, not the nearest double:
 * 3.055 becomes 3.06.
 */
export function roundPercentage(percentage: number, decimals: number): number {
  const scaled = percentage * 10 ** decimals
  const slack = Math.abs(scaled) * 4 * Number.EPSILON
  return Math.floor(scaled + 0.5 + slack) / 10 ** decimals
}
