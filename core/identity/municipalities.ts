/**
 * The municipalities that are shipped, by country, with their official codes (data/municipalities.json, with its sources
 * and years). They change by law, mostly on the first day of a year: what an installation adds stands before them.
 */
import shipped from '../../data/municipalities.json' with { type: 'json' }

export interface Municipality {
  /** Two letters (ISO 3166-1). */
  country: string
  /** Digits as its country writes them, the leading 0 with them; two countries may have the same. */
  code: string
  /** In the country's own language, or all of them where the country names it so. */
  name: string
  /** In Swedish where a Finnish municipality has another name in it. */
  swedishName?: string
}

const countries: Readonly<Record<string, { municipalities: readonly (readonly string[])[] }>> =
  shipped.countries

/** In the order of countries and codes. */
export const municipalities: readonly Municipality[] = Object.entries(countries).flatMap(
  ([country, { municipalities: rows }]) =>
    rows.map(([code, name, swedishName]) => ({
      country,
      code: code!,
      name: name!,
      ...(swedishName !== undefined && { swedishName }),
    })),
)
