/**
 * Simple interest on principal: actual/365, first day excluded, last day included, split where a rate
 * changes.
 *
 * Sources: räntelagen (1975:635) 6 §, forsinkelsesrenteloven § 3, renteloven § 5, korkolaki 633/1982, BGB §§
 * 246, 288. None names the day count; actual/365, also in leap years, is the practice of the six countries.
 * No interest on interest (BGB § 289).
 *
 * A negative reference rate reduces the sum of rate and points, as in the central banks' published late rates
 * (SE 2016 to 2019: −0.5 + 8 = 7.5). The sum is never below zero: interest compensates the creditor for
 * waiting and never becomes a claim of the debtor.
 *
 * All arithmetic is exact. A rate is a whole number of millionths of a percent a year. Interest in minor
 * units is a whole number (principal × rate × days) over `interestDenominator`. The caller rounds it once per
 * case and period.
 */
import { fromDayNumber, toDayNumber } from '../calendar/calendar.ts'
import { divideHalfUp } from '../money/money.ts'

/** The denominator of interest in minor units: 365 days × 100 percent × 10^6. */
export const interestDenominator = 36_500_000_000n

const rateScale = 1_000_000
const highestRate = 1000 * rateScale

export type InterestTerms =
  | { kind: 'none' }
  /** `rate`: percent a year as decimal text, for example `8.5`. */
  | { kind: 'fixed'; rate: string }
  /** The reference rate of a series (`SE`) plus percentage points as decimal text. */
  | { kind: 'reference'; series: string; points: string }

/** A reference rate, valid from a day until the next row. */
export interface RateRow {
  from: string
  rate: string
}

/** Rows by series, sorted by day. */
export type RateTable = ReadonlyMap<string, readonly RateRow[]>

/** A rate for every day: `rates[i]` (millionths of a percent a year) applies from day number `days[i]` on. */
export interface RateSteps {
  readonly days: readonly number[]
  readonly rates: readonly number[]
}

/**
 * Converts decimal percent text to millionths of a percent. Throws RangeError for more than six decimals or
 * beyond ±1000.
 */
export function scaleRate(rate: string): number {
  const match = /^(-?)(\d{1,4})(?:\.(\d{1,6}))?$/.exec(rate)
  const scaled = match
    ? Number(match[2]) * rateScale + Number((match[3] ?? '').padEnd(6, '0'))
    : highestRate + 1
  if (scaled > highestRate)
    throw new RangeError('A rate is percent a year, from -1000 to 1000, with at most six decimals.')
  return match?.[1] ? -scaled : scaled
}

/** Converts millionths of a percent to decimal text without trailing zeros: 8500000 is `8.5`. */
export function formatRate(scaled: number): string {
  const text = String(Math.abs(scaled)).padStart(7, '0')
  const fraction = text.slice(-6).replace(/0+$/, '')
  return `${scaled < 0 ? '-' : ''}${text.slice(0, -6)}${fraction ? `.${fraction}` : ''}`
}

const startOfTime = Number.NEGATIVE_INFINITY
const noInterest: RateSteps = { days: [startOfTime], rates: [0] }
const stepsCache = new WeakMap<RateTable, Map<string, RateSteps>>()

/**
 * The rate of every day under the given terms, never below zero. Results are cached per table, so tables must
 * not be changed: edited rates need a new table. Throws RangeError for an unknown series or an invalid rate.
 */
export function buildRateSteps(terms: InterestTerms, table: RateTable): RateSteps {
  if (terms.kind === 'none') return noInterest
  if (terms.kind === 'fixed') return { days: [startOfTime], rates: [Math.max(scaleRate(terms.rate), 0)] }
  const key = `${terms.series} ${terms.points}`
  const steps = stepsCache.get(table) ?? new Map<string, RateSteps>()
  stepsCache.set(table, steps)
  const found = steps.get(key)
  if (found) return found
  const made = readSeries(terms.series, scaleRate(terms.points), table)
  steps.set(key, made)
  return made
}

function readSeries(series: string, points: number, table: RateTable): RateSteps {
  const rows = table.get(series)
  if (!rows?.length) throw new RangeError(`There are no reference rates of ${series}.`)
  const days: number[] = []
  const rates: number[] = []
  for (const { from, rate } of rows) {
    const sum = Math.max(scaleRate(rate) + points, 0)
    // Consecutive rows with the same rate become one step: fewer periods to compute and explain.
    if (rates.at(-1) === sum) continue
    days.push(toDayNumber(from))
    rates.push(sum)
  }
  return { days, rates }
}

/** The first day with a known rate. Null when every day has one. Interest before it cannot be computed. */
export function firstKnownDay(steps: RateSteps): string | null {
  const first = steps.days[0]!
  return first === startOfTime ? null : fromDayNumber(first)
}

/** The index of the step that a day belongs to. Throws RangeError before the first step. */
function stepAt({ days }: RateSteps, day: number): number {
  let [low, high] = [0, days.length - 1]
  while (low < high) {
    const middle = (low + high + 1) >> 1
    if (days[middle]! <= day) low = middle
    else high = middle - 1
  }
  if (days[low]! > day) throw new RangeError(`No reference rate is known before ${fromDayNumber(days[0]!)}.`)
  return low
}

/**
 * Sum of rate × days over a period of day numbers, in millionths of a percent-day. The day `from` is
 * excluded, `to` is included. Zero when `to` is not after `from`. Exact: at most 10^9 × 3.7 million, which a
 * double represents.
 */
export function rateDays(steps: RateSteps, from: number, to: number): number {
  if (to <= from) return 0
  const { days, rates } = steps
  let index = stepAt(steps, from + 1)
  let sum = 0
  let start = from
  while (index < days.length - 1 && days[index + 1]! <= to) {
    const last = days[index + 1]! - 1
    sum += rates[index]! * (last - start)
    start = last
    index++
  }
  return sum + rates[index]! * (to - start)
}

/** The interest of a period of day numbers, as a numerator over `interestDenominator`. */
export const interestNumerator = (principal: bigint, steps: RateSteps, from: number, to: number): bigint =>
  principal * BigInt(rateDays(steps, from, to))

/** The interest of a period in minor units, rounded half up. First date excluded, last date included. */
export const computeInterest = (principal: bigint, steps: RateSteps, from: string, to: string): bigint =>
  divideHalfUp(interestNumerator(principal, steps, toDayNumber(from), toDayNumber(to)), interestDenominator)

/** Days with one rate. `from` is the last day before them (excluded), `to` is their last day. */
export interface RateSegment {
  from: number
  to: number
  /** Millionths of a percent a year. */
  rate: number
}

/** Splits a period of day numbers where the rate changes, in order. Empty when `to` is not after `from`. */
export function rateSegments(steps: RateSteps, from: number, to: number): RateSegment[] {
  const segments: RateSegment[] = []
  let start = from
  while (start < to) {
    const index = stepAt(steps, start + 1)
    const end = Math.min(to, (steps.days[index + 1] ?? Number.POSITIVE_INFINITY) - 1)
    segments.push({ from: start, to: end, rate: steps.rates[index]! })
    start = end
  }
  return segments
}

/** Principal that bears interest after a day (that day excluded). */
export interface Accruing {
  principal: bigint
  steps: RateSteps
  from: number
}

/**
 * Linear accrual: from `from` to `until` the numerator (over `interestDenominator`) is `exact + perDay × days
 * since from`. `until` is null when no change of the rate is known.
 */
export interface AccrualLine {
  from: string
  exact: bigint
  perDay: bigint
  until: string | null
}

/** The joint accrual line of several principals from a day on, until the next rate change. */
export function accrualLine(parts: readonly Accruing[], day: number): AccrualLine {
  let exact = 0n
  let perDay = 0n
  let until = Number.POSITIVE_INFINITY
  for (const { principal, steps, from } of parts) {
    exact += interestNumerator(principal, steps, from, day)
    if (principal === 0n) continue
    if (from > day) {
      until = Math.min(until, from)
      continue
    }
    const index = stepAt(steps, day + 1)
    perDay += principal * BigInt(steps.rates[index]!)
    until = Math.min(until, (steps.days[index + 1] ?? Number.POSITIVE_INFINITY) - 1)
  }
  return {
    from: fromDayNumber(day),
    exact,
    perDay,
    until: until === Number.POSITIVE_INFINITY ? null : fromDayNumber(until),
  }
}

/** The interest of an accrual line on a date in minor units, rounded half up. */
export function accruedAt(line: AccrualLine, date: string): bigint {
  const days = toDayNumber(date) - toDayNumber(line.from)
  return divideHalfUp(line.exact + line.perDay * BigInt(days), interestDenominator)
}
