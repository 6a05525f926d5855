/** Readers for the inputs of case forms. Each adds its errors to `checks` under the field's code. */
import { datePart } from '../../core/calendar/date-time.ts'
import { isCurrency, normaliseCurrency } from '../../core/identity/codes.ts'
import {
  firstKnownDay,
  buildRateSteps,
  scaleRate,
  type InterestTerms,
  type RateTable,
} from '../../core/interest/interest.ts'
import { readAmount } from '../../core/money/money.ts'
import type { FieldErrors } from '../platform/http/errors.ts'

type Given<T> = T | null | undefined

/** A code from `values`. Upper and lower case are treated alike. Null when the input is empty. */
export function readChoice<T extends string>(
  given: Given<string>,
  member: string,
  values: readonly T[],
  checks: FieldErrors,
): T | null {
  const code = given?.trim().toUpperCase()
  if (!code) return null
  const found = values.find((value) => value === code)
  if (found === undefined) checks.add(member, `must be one of ${values.join(', ')}.`)
  return found ?? null
}

/** An ISO 4217 currency code, or `fallback` when the input is empty. */
export function readCurrency(
  given: Given<string>,
  fallback: string | null,
  checks: FieldErrors,
): string | null {
  const code = normaliseCurrency(given ?? '') || fallback
  if (code === null) checks.add('currencyCode', 'is required: the client has no default currency.')
  else if (!isCurrency(code))
    checks.add('currencyCode', 'must be an ISO 4217 currency code, for example SEK or EUR.')
  else return code
  return null
}

/** An amount in minor units; `least` says whether zero is allowed. Null when no amount was given. */
export function readMoney(
  given: Given<number>,
  member: string,
  { currency, least, required }: { currency: string | null; least: 'zero' | 'above zero'; required: boolean },
  checks: FieldErrors,
): bigint | null {
  if (given === null || given === undefined) {
    if (required) checks.add(member, 'is required: enter an amount above zero.')
    return null
  }
  const result = readAmount(given, currency ?? 'SEK')
  if (!result.ok)
    checks.add(
      member,
      result.most === undefined
        ? result.message
        : `must be at most ${checks.money(result.most, currency ?? 'SEK')}.`,
    )
  else if (result.minor < 0n || (least === 'above zero' && result.minor === 0n))
    checks.add(member, least === 'zero' ? 'must not be below zero.' : 'must be above zero.')
  else return result.minor
  return null
}

const [firstDay, lastDay] = ['1900-01-01', '2199-12-31'] as const

/** A date, YYYY-MM-DD, in the years 1900 to 2199. */
export function readDate(given: Given<string>, member: string, checks: FieldErrors): string | null {
  if (!given) return null
  const day = datePart(given)
  if (day >= firstDay && day <= lastDay) return day
  checks.add(member, `must be a date between ${checks.day(firstDay)} and ${checks.day(lastDay)}.`)
  return null
}

/** A value date. Defaults to the business date and cannot be later. */
export function readValueDate(given: Given<string>, today: string, checks: FieldErrors): string {
  const date = readDate(given, 'valueDate', checks) ?? today
  if (date > today) checks.add('valueDate', `must not be after the business date, ${checks.day(today)}.`)
  return date
}

/** A yearly interest rate in percent, as decimal text. */
export function readRate(given: Given<number>, member: string, checks: FieldErrors): string | null {
  if (given === null || given === undefined) return null
  const text = String(given)
  try {
    const scaled = scaleRate(text)
    if (scaled >= 0 && given < 1000) return text
  } catch {
    // Reported below.
  }
  checks.add(member, 'must be a yearly rate in percent from 0 to 999, with at most six decimals.')
  return null
}

/** Checks that the table has a rate for the day on which interest begins. */
export function checkRatesKnown(
  terms: InterestTerms,
  from: string,
  rates: RateTable,
  member: string,
  checks: FieldErrors,
): void {
  if (terms.kind === 'reference' && !rates.get(terms.series)?.length) {
    checks.add(member, `has no reference rates to follow: enter a rate of the series ${terms.series} first.`)
    return
  }
  const first = firstKnownDay(buildRateSteps(terms, rates))
  if (first !== null && from < first)
    checks.add(member, `must not be before ${checks.day(first)}, the first day with a known rate.`)
}

/** Interest terms: a fixed rate, or a reference rate series plus points. Null when neither is given. */
export function readTerms(
  given: {
    interestRate?: Given<number>
    interestSeries?: Given<string>
    interestPoints?: Given<number>
  },
  checks: FieldErrors,
): InterestTerms | null {
  const rate = readRate(given.interestRate, 'interestRate', checks)
  const points = readRate(given.interestPoints, 'interestPoints', checks)
  const series = given.interestSeries?.trim().toUpperCase() || null
  if (rate !== null && series !== null)
    checks.add(
      'interestSeries',
      'cannot be combined with interestRate: enter a fixed rate or a reference rate series.',
    )
  if (series === null && points !== null)
    checks.add('interestSeries', 'is required when interestPoints is given.')
  if (rate !== null) return { kind: 'fixed', rate }
  return series === null ? null : { kind: 'reference', series, points: points ?? '0' }
}
