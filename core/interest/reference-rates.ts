/**
 * The shipped reference rates (data/reference-rates.json, with sources), and the margins that the law adds.
 * Administrators see which rows are unverified and can replace them. Not legal advice.
 */
import shipped from '../../data/reference-rates.json' with { type: 'json' }
import { findRule } from '../law/packs.ts'
import type { DebtorKind } from '../law/terms.ts'
import type { InterestTerms, RateTable } from './interest.ts'

export interface ShippedRate {
  series: string
  from: string
  /** Percent a year, as decimal text. */
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
  /** True if the published rate already includes the margin, as in Norway. */
  includesMargin: boolean
}

export const rateSeries: readonly RateSeries[] = Object.entries(series).map(
  ([code, { name, law, includesMargin }]) => ({ code, name, law, includesMargin }),
)

/** All shipped rows by series and first day. */
export const shippedRates: readonly ShippedRate[] = Object.entries(series).flatMap(([code, { rows }]) =>
  rows.map(({ from, rate, source, unverified }) => ({
    series: code,
    from,
    rate,
    source: shipped.sources[source]!,
    unverified,
  })),
)

/** Builds the rate table for interest computations. The rows may be in any order. */
export function buildRateTable(rows: Iterable<{ series: string; from: string; rate: string }>): RateTable {
  const table = new Map<string, { from: string; rate: string }[]>()
  for (const { series: code, from, rate } of rows) {
    const list = table.get(code) ?? []
    list.push({ from, rate })
    table.set(code, list)
  }
  for (const list of table.values()) list.sort((a, b) => (a.from < b.from ? -1 : a.from > b.from ? 1 : 0))
  return table
}

export const shippedRateTable: RateTable = buildRateTable(shippedRates)

/** The series of a country. Null when none is shipped (IS, and all countries outside the six). */
export const countrySeries = (country: string): string | null =>
  Object.hasOwn(series, country) ? country : null

export type { DebtorKind } from '../law/terms.ts'

/**
 * The statutory late-payment interest for interest that starts on a day. Null when no series is shipped. The
 * margin of the start day applies in Denmark (renteloven § 5, lov 1244/2012) and between businesses in
 * Germany (BGB § 288(2), Art. 229 § 34 EGBGB). For Germany the start day only approximates when the
 * obligation arose.
 */
export function statutoryTerms(
  country: string,
  debtor: DebtorKind,
  interestFrom: string,
): InterestTerms | null {
  const margin = findRule(country, 'margin', { date: interestFrom, debtor })
  return margin ? { kind: 'reference', series: country, points: margin.points } : null
}
