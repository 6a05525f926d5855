/** Reading what the forms of cases take: each reader puts what is wrong into `checks`, under the field's code. */
import { dayOf } from '../../core/calendar/date-time.ts'
import { isCurrency, normaliseCurrency } from '../../core/identity/codes.ts'
import {
  firstKnownDay,
  rateStepsOf,
  scaleRate,
  type InterestTerms,
  type RateTable,
} from '../../core/interest/interest.ts'
import { readAmount } from '../../core/money/money.ts'
import type { MemberChecks } from '../platform/http/errors.ts'

type Given<T> = T | null | undefined

/** A code of a list, in any case of letters. */
export function readChoice<T extends string>(
  given: Given<string>,
  member: string,
  values: readonly T[],
  checks: MemberChecks,
): T | null {
  const code = given?.trim().toUpperCase()
  if (!code) return null
  const found = values.find((value) => value === code)
  if (found === undefined) checks.add(member, `must be one of ${values.join(', ')}.`)
  return found ?? null
}

/** A currency, or the one that holds without. */
export function readCurrency(
  given: Given<string>,
  fallback: string | null,
  checks: MemberChecks,
): string | null {
  const code = normaliseCurrency(given ?? '') || fallback
  if (code === null) checks.add('currencyCode', 'is required: the client has no currency of its own.')
  else if (!isCurrency(code)) checks.add('currencyCode', 'must be a currency of ISO 4217 such as SEK or EUR.')
  else return code
  return null
}

/** An amount in minor units: `above` zero, or zero too. Null when it was not given. */
export function readMoney(
  given: Given<number>,
  member: string,
  { currency, least, required }: { currency: string | null; least: 'zero' | 'above zero'; required: boolean },
  checks: MemberChecks,
): bigint | null {
  if (given === null || given === undefined) {
    if (required) checks.add(member, 'is required: an amount above zero.')
    return null
  }
  const result = readAmount(given, currency ?? 'SEK')
  if (!result.ok) checks.add(member, result.message)
  else if (result.minor < 0n || (least === 'above zero' && result.minor === 0n))
    checks.add(member, least === 'zero' ? 'must not be below zero.' : 'must be above zero.')
  else return result.minor
  return null
}

/** A date, YYYY-MM-DD. Dates lie in the years 1900 to 2199. */
export function readDate(given: Given<string>, member: string, checks: MemberChecks): string | null {
  if (!given) return null
  const day = dayOf(given)
  if (day >= '1900-01-01' && day <= '2199-12-31') return day
  checks.add(member, 'must be a date of the years 1900 to 2199.')
  return null
}

/** A value date: the business date, or a day before it. */
export function readValueDate(given: Given<string>, today: string, checks: MemberChecks): string {
  const date = readDate(given, 'valueDate', checks) ?? today
  if (date > today) checks.add('valueDate', `must not be after the system date, ${today}.`)
  return date
}

/** Percent a year as decimal text. */
export function readRate(given: Given<number>, member: string, checks: MemberChecks): string | null {
  if (given === null || given === undefined) return null
  const text = String(given)
  try {
    const scaled = scaleRate(text)
    if (scaled >= 0 && given < 1000) return text
  } catch {
    // Said below.
  }
  checks.add(member, 'must be percent a year from 0 to 999 with at most six decimals.')
  return null
}

/** That rates are known from the day on which interest begins. */
export function checkRatesKnown(
  terms: InterestTerms,
  from: string,
  rates: RateTable,
  member: string,
  checks: MemberChecks,
): void {
  if (terms.kind === 'reference' && !rates.get(terms.series)?.length) {
    checks.add(member, `needs reference rates of ${terms.series}, which there are none of.`)
    return
  }
  const first = firstKnownDay(rateStepsOf(terms, rates))
  if (first !== null && from < first)
    checks.add(member, `must not be before ${first}, the first day with a known rate.`)
}

/** Interest terms: a fixed rate, or a series of reference rates with points. Null when neither is given. */
export function readTerms(
  given: {
    interestRate?: Given<number>
    interestSeries?: Given<string>
    interestPoints?: Given<number>
  },
  checks: MemberChecks,
): InterestTerms | null {
  const rate = readRate(given.interestRate, 'interestRate', checks)
  const points = readRate(given.interestPoints, 'interestPoints', checks)
  const series = given.interestSeries?.trim().toUpperCase() || null
  if (rate !== null && series !== null)
    checks.add('interestSeries', 'goes without interestRate: interest is fixed or follows a reference rate.')
  if (series === null && points !== null) checks.add('interestSeries', 'is required with interestPoints.')
  if (rate !== null) return { kind: 'fixed', rate }
  return series === null ? null : { kind: 'reference', series, points: points ?? '0' }
}
