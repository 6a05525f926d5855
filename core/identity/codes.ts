/**
 * Code lists: ISO 3166-1 alpha-2, ISO 639-1, ISO 4217, BCP 47, NACE. Each list comes complete from its
 * package; names in other languages are not loaded.
 */
import { getAlpha2Codes as getLanguages } from '@cospired/i18n-iso-languages/index.js'
import { data as currencies } from 'currency-codes'
import { getAlpha2Codes as getCountries } from 'i18n-iso-countries/index.js'

/** Every country of ISO 3166-1, alpha-2. */
export const countries: ReadonlySet<string> = new Set(Object.keys(getCountries()))
const languages = new Set(Object.keys(getLanguages()))
const decimals = new Map(currencies.map(({ code, digits }) => [code, digits]))

/** The stored form of a code: trimmed; countries and currencies in upper case, languages in lower case. */
export const normaliseCountry = (text: string): string => text.trim().toUpperCase()
export const normaliseLanguage = (text: string): string => text.trim().toLowerCase()
export const normaliseCurrency = (text: string): string => text.trim().toUpperCase()

/**
 * Returns whether a normalised code is an ISO 3166-1 alpha-2 country. XK (Kosovo, user-assigned) counts as
 * one.
 */
export const isCountry = (code: string): boolean => countries.has(code)

/** Returns whether a normalised code is an ISO 639-1 language. */
export const isLanguage = (code: string): boolean => languages.has(code)

/** Returns whether a normalised code is an ISO 4217 currency. Metals and test codes count. */
export const isCurrency = (code: string): boolean => decimals.has(code)

/** The number of decimals of a currency's minor unit (SEK 2, ISK 0, KWD 3). Null for an unknown code. */
export const currencyDecimals = (code: string): number | null => decimals.get(code) ?? null

/** The currencies with `digits` decimals. */
export const currenciesWith = (digits: number): string[] =>
  [...decimals].filter(([, count]) => count === digits).map(([code]) => code)

/**
 * The canonical form of a BCP 47 tag (`SV-se` becomes `sv-SE`). Null for an invalid tag, or a language
 * outside ISO 639-1.
 */
export function normaliseCulture(text: string): string | null {
  const tag = text.trim()
  if (!/^[A-Za-z]{2}(-[A-Za-z0-9]{1,8})*$/.test(tag)) return null
  try {
    const canonical = Intl.getCanonicalLocales(tag)[0]
    return canonical && languages.has(canonical.split('-', 1)[0]!) ? canonical : null
  } catch {
    return null
  }
}

/** Returns whether a text is a culture in canonical form, such as `sv-SE` or `nb`. */
export const isCulture = (code: string): boolean => normaliseCulture(code) === code

const naceForm = /^(0[1-9]|[1-8]\d|9\d)(?:\.?\d(?:\d(?:\.?\d{1,3})?)?)?$/

/**
 * Returns whether a text has the form of a NACE Rev. 2 code: a division (01 to 99), then a group and class
 * with or without the dot, then up to three national digits, as in `62`, `62.0`, `62.01`, `6201`, `62010`,
 * `62.010`. Does not check that the code exists, because national lists are more detailed and change.
 */
export const isNace = (code: string): boolean => naceForm.test(code)
