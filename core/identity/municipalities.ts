/**
 * The shipped municipalities by country, with official codes (data/municipalities.json, with sources and
 * years). They change by law, mostly on 1 January. Rows that an installation adds take precedence.
 */
import shipped from '../../data/municipalities.json' with { type: 'json' }

export interface Municipality {
  /** ISO 3166-1 alpha-2. */
  country: string
  /** The official code in digits, with leading zeros. Unique only within a country. */
  code: string
  /** The name in the country's own language, or in all official ones if the country names it so. */
  name: string
  /** The Swedish name of a Finnish municipality, if it differs. */
  swedishName?: string
}

const countries: Readonly<Record<string, { municipalities: readonly (readonly string[])[] }>> =
  shipped.countries

/** Sorted by country and code. */
export const municipalities: readonly Municipality[] = Object.entries(countries).flatMap(
  ([country, { municipalities: rows }]) =>
    rows.map(([code, name, swedishName]) => ({
      country,
      code: code!,
      name: name!,
      ...(swedishName !== undefined && { swedishName }),
    })),
)
