/**
 * Simple interest on principal: first day excluded, last day included, split where a rate or the length of
 * the year changes. The day count comes from day-count.ts.
 *
 * Sources: räntelagen (1975:635) 6 §, forsinkelsesrenteloven § 3, renteloven § 5, korkolaki 633/1982, BGB §§
 * 246, 288, lög 38/2001 5., 6., 12. gr. No interest on interest (BGB § 289).
 *
 * A negative reference rate reduces the sum of rate and points, as in the central banks' published late rates
 * (SE 2016 to 2019: −0.5 + 8 = 7.5). The sum is never below zero: interest compensates the creditor for
 * waiting and never becomes a claim of the debtor.
 *
 * All arithmetic is exact. A rate is a whole number of millionths of a percent a year. Interest in minor
 * units is a whole number over `interestDenominator`: principal × rate × days × the weight of a day in a year
 * of so many days. The caller rounds it once per case and period.
 */
import { DayRangeError } from '../calendar/day-range-error.ts'
import { fromDayNumber, toDayNumber } from '../calendar/calendar.ts'
import { divideHalfUp } from '../money/money.ts'
import { nextRateChange } from './rate-watch.ts'
import { countDays, fixedYear, lastEqualDay, type DayCounts, type YearDays } from './day-count.ts'

/** The least common multiple of 360, 365 and 366. */
const dayParts = 1_603_080

/** What a day weighs in a year of so many days: `dayParts` over them. */
export const dayWeights: Readonly<Record<YearDays, number>> = {
  360: dayParts / 360,
  365: dayParts / 365,
  366: dayParts / 366,
}

/** The denominator of interest in minor units: `dayParts` × 100 percent × 10^6. */
export const interestDenominator = 160_308_000_000_000n

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

/**
 * A rate for every day: from day number `days[i]` on `rates[i]` (millionths of a percent a year) applies, and
 * a year has `yearDays[i]` days.
 */
export interface RateSteps {
  readonly days: readonly number[]
  readonly rates: readonly number[]
  readonly yearDays: readonly YearDays[]
  /** The day number from which the rate is only the last known one. Left out where none is awaited. */
  readonly provisionalFrom?: number
  /** The series that the rates follow, and the points above it. Left out for a rate of their own. */
  readonly reference?: { readonly series: string; readonly points: string; readonly rows: readonly RateRow[] }
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
const noInterest: RateSteps = { days: [startOfTime], rates: [0], yearDays: [365] }
const referenceSteps = new WeakMap<RateTable, Map<string, RateSteps>>()
const fixedSteps = new Map<string, RateSteps>()
const fixedStepsMax = 1000

/**
 * The rate and the year of every day under the given terms, never below zero. Results are cached per table,
 * so tables must not be changed: edited rates need a new table. Throws RangeError for an unknown series or an
 * invalid rate.
 */
export function buildRateSteps(
  terms: InterestTerms,
  table: RateTable,
  dayCounts: DayCounts = fixedYear,
): RateSteps {
  if (terms.kind === 'none') return noInterest
  if (terms.kind === 'fixed') {
    if (fixedSteps.size > fixedStepsMax) fixedSteps.clear()
    return findOrMake(fixedSteps, `${terms.rate} ${dayCounts.key}`, () =>
      joinSteps([startOfTime], [Math.max(scaleRate(terms.rate), 0)], dayCounts),
    )
  }
  const known = referenceSteps.get(table) ?? new Map<string, RateSteps>()
  referenceSteps.set(table, known)
  return findOrMake(known, `${terms.series} ${terms.points} ${dayCounts.key}`, () =>
    readSeries(terms, table, dayCounts),
  )
}

function findOrMake(known: Map<string, RateSteps>, key: string, make: () => RateSteps): RateSteps {
  const found = known.get(key)
  if (found) return found
  const made = make()
  known.set(key, made)
  return made
}

function readSeries(
  terms: InterestTerms & { kind: 'reference' },
  table: RateTable,
  dayCounts: DayCounts,
): RateSteps {
  const rows = table.get(terms.series)
  if (!rows?.length) throw new RangeError(`There are no reference rates of ${terms.series}.`)
  const points = scaleRate(terms.points)
  const findFirstDay = (date: string) => firstDayOfRate(toDayNumber(date), dayCounts)
  const next = nextRateChange(terms.series, rows.at(-1)!.from)
  const steps = joinSteps(
    rows.map(({ from }) => findFirstDay(from)),
    rows.map(({ rate }) => Math.max(scaleRate(rate) + points, 0)),
    dayCounts,
  )
  const { series } = terms
  const followed = { ...steps, reference: { series, points: terms.points, rows } }
  return next === null ? followed : { ...followed, provisionalFrom: toDayNumber(next) }
}

/**
 * The first day with a new rate. In months of 30 days the law lets the due day bear interest and the day of payment
 * not (lög 38/2001, 5. gr.), so what accrues up to the day of the change has the rate before.
 */
const firstDayOfRate = (day: number, { days, yearDays }: DayCounts): number =>
  yearDays[days.findLastIndex((start) => start <= day)] === 360 ? day + 1 : day

/** Joins rates with day counts. Neighbours that agree become one step: fewer periods to compute and explain. */
function joinSteps(rateDays: readonly number[], rates: readonly number[], counts: DayCounts): RateSteps {
  const starts = [...rateDays, ...counts.days.filter((day) => day > rateDays[0]!)].toSorted((a, b) => a - b)
  const steps = { days: [] as number[], rates: [] as number[], yearDays: [] as YearDays[] }
  let [rate, year] = [0, 0]
  for (const day of starts) {
    while (rate + 1 < rateDays.length && rateDays[rate + 1]! <= day) rate++
    while (year + 1 < counts.days.length && counts.days[year + 1]! <= day) year++
    const [nextRate, nextYear] = [rates[rate]!, counts.yearDays[year]!]
    if (steps.rates.at(-1) === nextRate && steps.yearDays.at(-1) === nextYear) continue
    steps.days.push(day)
    steps.rates.push(nextRate)
    steps.yearDays.push(nextYear)
  }
  return steps
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
  if (days[low]! > day)
    throw new DayRangeError((first) => `No reference rate is known before ${first}.`, fromDayNumber(days[0]!))
  return low
}

/** Sums of rate × days in millionths of a percent-day, in years of 365, 366 and 360 days. */
export interface RateDays {
  common: number
  leap: number
  months: number
}

const sumNames = { 360: 'months', 365: 'common', 366: 'leap' } as const

/**
 * Sums rate × days over a period of day numbers. The day `from` is excluded, `to` is included. Zero when `to`
 * is not after `from`. Exact: at most 10^9 × 3.7 million, which a double represents.
 */
export function sumRateDays(steps: RateSteps, from: number, to: number): RateDays {
  const sum: RateDays = { common: 0, leap: 0, months: 0 }
  if (to <= from) return sum
  const { days, rates, yearDays } = steps
  let index = stepAt(steps, from + 1)
  let start = from
  while (start < to) {
    const next = index < days.length - 1 ? days[index + 1]! - 1 : to
    const last = next < to ? next : to
    const year = yearDays[index]!
    sum[sumNames[year]] += rates[index]! * countDays(year, start, last)
    start = last
    index++
  }
  return sum
}

const [weight360, weight365, weight366] = [
  BigInt(dayWeights[360]),
  BigInt(dayWeights[365]),
  BigInt(dayWeights[366]),
]

/** The interest of a period of day numbers, as a numerator over `interestDenominator`. */
export function interestNumerator(principal: bigint, steps: RateSteps, from: number, to: number): bigint {
  const sums = sumRateDays(steps, from, to)
  let weighed = BigInt(sums.common) * weight365
  if (sums.leap !== 0) weighed += BigInt(sums.leap) * weight366
  if (sums.months !== 0) weighed += BigInt(sums.months) * weight360
  return principal * weighed
}

/** The interest of a period in minor units, rounded half up. First date excluded, last date included. */
export const computeInterest = (principal: bigint, steps: RateSteps, from: string, to: string): bigint =>
  divideHalfUp(interestNumerator(principal, steps, toDayNumber(from), toDayNumber(to)), interestDenominator)

/** Days with one rate. `from` is the last day before them (excluded), `to` is their last day. */
export interface RateSegment {
  from: number
  to: number
  /** Millionths of a percent a year. */
  rate: number
  yearDays: YearDays
  /** The days of interest. */
  days: number
}

/** The weight of a segment when an amount is split by interest. */
export const weighSegment = ({ rate, days, yearDays }: RateSegment): bigint =>
  BigInt(rate) * BigInt(days) * BigInt(dayWeights[yearDays])

/** Splits a period of day numbers where the rate or the year's length changes, in order. Empty when `to` is not after `from`. */
export function rateSegments(steps: RateSteps, from: number, to: number): RateSegment[] {
  const segments: RateSegment[] = []
  let start = from
  while (start < to) {
    const index = stepAt(steps, start + 1)
    const end = Math.min(to, (steps.days[index + 1] ?? Number.POSITIVE_INFINITY) - 1)
    const yearDays = steps.yearDays[index]!
    const days = countDays(yearDays, start, end)
    segments.push({ from: start, to: end, rate: steps.rates[index]!, yearDays, days })
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

/** The joint accrual line of several principals from a day on, until the next day that weighs or bears otherwise. */
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
    const yearDays = steps.yearDays[index]!
    const weight = countDays(yearDays, day, day + 1) * dayWeights[yearDays]
    perDay += principal * BigInt(steps.rates[index]!) * BigInt(weight)
    const last = lastEqualDay(yearDays, day) ?? Number.POSITIVE_INFINITY
    until = Math.min(until, last, (steps.days[index + 1] ?? Number.POSITIVE_INFINITY) - 1)
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
