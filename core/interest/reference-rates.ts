/**
 * The reference rates that are shipped (data/reference-rates.json, with their sources) and what the law adds to them.
 * An administrator sees which rows are unverified and may replace them. Not legal advice.
 */
import shipped from '../../data/reference-rates.json' with { type: 'json' }
import type { InterestTerms, RateTable } from './interest.ts'

export interface ShippedRate {
  series: string
  from: string
  /** Percent a year as decimal text. */
  rate: string
  source: string
  unverified: boolean
}

interface ShippedSeries {
  name: string
  includesMargin: boolean
  law: string
  rows: { from: string; rate: string; source: number; unverified: boolean }[]
}

const series: Record<string, ShippedSeries> = shipped.series

export interface RateSeries {
  code: string
  name: string
  law: string
  /** Whether the published rate is the late rate itself, points included, as Norway's. */
  includesMargin: boolean
}

export const rateSeries: readonly RateSeries[] = Object.entries(series).map(
  ([code, { name, law, includesMargin }]) => ({ code, name, law, includesMargin }),
)

/** Every row that is shipped, by series and day. */
export const shippedRates: readonly ShippedRate[] = Object.entries(series).flatMap(([code, { rows }]) =>
  rows.map(({ from, rate, source, unverified }) => ({
    series: code,
    from,
    rate,
    source: shipped.sources[source]!,
    unverified,
  })),
)

/** Rows in any order as the table that interest is reckoned by. */
export function rateTableOf(rows: Iterable<{ series: string; from: string; rate: string }>): RateTable {
  const table = new Map<string, { from: string; rate: string }[]>()
  for (const { series: code, from, rate } of rows) {
    const list = table.get(code) ?? []
    list.push({ from, rate })
    table.set(code, list)
  }
  for (const list of table.values()) list.sort((a, b) => (a.from < b.from ? -1 : a.from > b.from ? 1 : 0))
  return table
}

export const shippedRateTable: RateTable = rateTableOf(shippedRates)

/** The series of a country; null where none is shipped (IS and all countries outside the six). */
export const seriesOf = (country: string): string | null => (Object.hasOwn(series, country) ? country : null)

/** A debtor as the law of interest and of fees divides them. */
export type DebtorKind = 'consumer' | 'business'

/**
 * The late-payment interest that a country's law gives without agreement, for interest that starts on a day; null where
 * no series is shipped. Denmark's points are those of the day the interest starts (renteloven § 5, lov 1244/2012), so are Germany's between businesses (BGB § 288(2), Art. 229 § 34 EGBGB), as near as a start day tells.
 */
export function statutoryTerms(
  country: string,
  debtor: DebtorKind,
  interestFrom: string,
): InterestTerms | null {
  const points = pointsOf(country, debtor, interestFrom)
  return points === null ? null : { kind: 'reference', series: country, points }
}

function pointsOf(country: string, debtor: DebtorKind, from: string): string | null {
  switch (country) {
    case 'SE':
      return '8'
    case 'NO':
      return '0'
    case 'DK':
      return from < '2013-03-01' ? '7' : '8'
    case 'FI':
      return debtor === 'consumer' ? '7' : '8'
    case 'DE':
      return debtor === 'consumer' ? '5' : from < '2014-07-29' ? '8' : '9'
    default:
      return null
  }
}
