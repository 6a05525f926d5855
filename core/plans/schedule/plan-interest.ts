/**
 * Interest of a plan: simple interest on principal, first day of a period excluded, last day included, split
 * where a rate changes, rounded once per case and period.
 *
 * Day counts: actual/365, or as the rates say where a case's law reckons by the calendar year or by months of 30
 * days; 30/360 as 30E/360 (ISDA 2006 definitions 4.16(g)), where no month has a 31st day; actual/actual (ISDA 2006
 * definitions 4.16(b)), where the days of each year are divided by that year's length.
 */
import { toDayNumber } from '../../calendar/calendar.ts'
import { dayNumberToCivil, civilToDayNumber, yearLength, type Civil } from '../../calendar/civil-day.ts'
import {
  dayWeights,
  rateSegments,
  sumRateDays,
  type RateDays,
  type RateSteps,
} from '../../interest/interest.ts'
import type { DueDates } from './plan-dates.ts'
import type { DayCount, PlanInvoice } from '../plan-terms.ts'

/**
 * A year divided into parts, and the position of a day in parts. Interest is the rate times the difference of
 * two positions.
 */
interface YearScale {
  parts: number
  at(day: number, civil: Civil): number
  /** The parts of a day in a year of 365, 366 and 360 days, where the rates tell which. */
  byRates?: RateDays
}

/** The rates tell the length of each year. */
const yearOfRates: YearScale = {
  parts: 365 * dayWeights[365],
  at: (day) => dayWeights[365] * day,
  byRates: { common: dayWeights[365], leap: dayWeights[366], months: dayWeights[360] },
}

const scales: Record<DayCount, YearScale> = {
  'actual/365': { parts: 365, at: (day) => day, byRates: { common: 1, leap: 1, months: 1 } },
  '30/360': { parts: 360, at: (_day, { year, month, day }) => 360 * year + 30 * month + Math.min(day, 30) },
  'actual/actual': {
    parts: 365 * 366,
    at: (day, { year }) => {
      const dayOfYear = day - civilToDayNumber(year, 1, 1) + 1
      return 365 * 366 * year + dayOfYear * (yearLength(year) === 365 ? 366 : 365)
    },
  },
}

export interface PeriodRates {
  /** Divisor of an invoice's principal times `numerators[invoice][paymentNo]`. */
  denominator: number
  numerators: number[][]
  /** Computes numerators and due dates up to this payment. */
  extendTo(paymentNo: number): void
}

/**
 * The interest of each invoice up to each due date, as a fraction of its principal. `first` is the first
 * computed payment.
 */
export function createPeriodRates(
  invoices: readonly PlanInvoice[],
  dates: DueDates,
  first: number,
  dayCount: DayCount,
): PeriodRates {
  const isByRates =
    dayCount === 'actual/365' && invoices.some(({ rates }) => rates.yearDays.some((days) => days !== 365))
  const scale = isByRates ? yearOfRates : scales[dayCount]
  const whole = percentScale * scale.parts
  const common = invoices.reduce((divisor, { rates }) => commonDivisor(rates, dates.start, divisor), whole)
  const numerators = invoices.map((): number[] => [])
  const begins = invoices.map(({ interestFrom }) => (interestFrom ? toDayNumber(interestFrom) : -Infinity))
  // Where the next period begins: overdue payments of a tail have no period of their own.
  let day = dates.start
  let at = scale.at(day, dayNumberToCivil(day))
  let next = first
  return {
    denominator: whole / common,
    numerators,
    extendTo(paymentNo) {
      dates.extendTo(paymentNo)
      for (; next <= paymentNo; next++) {
        const end = Math.max(day, dates.due[next]!)
        const endAt = end === day ? at : scale.at(end, dates.civil[next]!)
        for (let index = 0; index < invoices.length; index++) {
          const { rates } = invoices[index]!
          const sum =
            rates.rates.length === 1 && rates.yearDays[0] === 365 && begins[index]! <= day
              ? rates.rates[0]! * (endAt - at)
              : sumRates(rates, Math.max(day, begins[index]!), end, scale)
          numerators[index]![next] = sum / common
        }
        ;[day, at] = [end, endAt]
      }
    },
  }
}

/** Rates are in millionths of a percent. */
const percentScale = 100_000_000

/** The greatest common divisor of `number` and the rates that apply after a day. */
function commonDivisor({ days, rates }: RateSteps, start: number, number: number): number {
  let divisor = number
  for (let index = rates.length - 1; index >= 0; index--) {
    divisor = gcd(divisor, rates[index]!)
    if (days[index]! <= start + 1) break
  }
  return divisor
}

/** The sum of rates times the parts of the year in which they apply. */
function sumRates(rates: RateSteps, from: number, to: number, scale: YearScale): number {
  if (scale.byRates) {
    const { common, leap, months } = sumRateDays(rates, from, to)
    return common * scale.byRates.common + leap * scale.byRates.leap + months * scale.byRates.months
  }
  return rateSegments(rates, from, to).reduce(
    (sum, segment) =>
      sum +
      segment.rate *
        (scale.at(segment.to, dayNumberToCivil(segment.to)) -
          scale.at(segment.from, dayNumberToCivil(segment.from))),
    0,
  )
}

function gcd(a: number, b: number): number {
  while (b > 0) [a, b] = [b, a % b]
  return a
}

/** Twice a product and a denominator must be safe integers. */
const mostProduct = Number.MAX_SAFE_INTEGER / 4

/**
 * The interest of a case in a period: the sum of principal times numerator of its invoices (`from` to `to`,
 * exclusive), divided by the denominator, rounded half up or half even, exactly. Dividing two safe integers
 * as doubles never rounds up to a whole number above the quotient as long as twice the dividend is safe.
 * Larger products use bigint.
 */
export function caseInterest(
  { numerators, denominator }: PeriodRates,
  balances: readonly number[],
  invoices: { from: number; to: number },
  paymentNo: number,
  halfEven: boolean,
): number {
  let product = 0
  for (let index = invoices.from; index < invoices.to; index++) {
    product += balances[index]! * numerators[index]![paymentNo]!
  }
  if (product === 0) return 0
  if (product > mostProduct || denominator > mostProduct) {
    let exact = 0n
    for (let index = invoices.from; index < invoices.to; index++) {
      exact += BigInt(balances[index]!) * BigInt(numerators[index]![paymentNo]!)
    }
    return roundLarge(exact, BigInt(denominator), halfEven)
  }
  if (!halfEven) return Math.floor((2 * product + denominator) / (2 * denominator))
  const whole = Math.floor(product / denominator)
  const twice = 2 * (product - whole * denominator)
  return twice > denominator || (twice === denominator && whole % 2 === 1) ? whole + 1 : whole
}

function roundLarge(product: bigint, denominator: bigint, halfEven: boolean): number {
  const whole = product / denominator
  const twice = 2n * (product % denominator)
  const up = twice > denominator || (twice === denominator && (!halfEven || whole % 2n === 1n))
  return Number(up ? whole + 1n : whole)
}
