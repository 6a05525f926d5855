/**
 * Code lists: ISO 3166-1 alpha-2, ISO 639-1, ISO 4217, BCP 47, NACE. Each list comes whole from its package; the
 * names in other languages stay unloaded.
 */
import { getAlpha2Codes as getLanguages } from '@cospired/i18n-iso-languages/index.js'
import { data as currencies } from 'currency-codes'
import { getAlpha2Codes as getCountries } from 'i18n-iso-countries/index.js'

const countries = new Set(Object.keys(getCountries()))
const languages = new Set(Object.keys(getLanguages()))
const decimals = new Map(currencies.map(({ code, digits }) => [code, digits]))

/** A code as it is stored: without blanks around it, countries and currencies in capitals, languages in small letters. */
export const normaliseCountry = (text: string): string => text.trim().toUpperCase()
export const normaliseLanguage = (text: string): string => text.trim().toLowerCase()
export const normaliseCurrency = (text: string): string => text.trim().toUpperCase()

/** Whether a normalised code is an ISO 3166-1 alpha-2 country; XK (Kosovo, user-assigned) counts as one. */
export const isCountry = (code: string): boolean => countries.has(code)

/** Whether a normalised code is an ISO 639-1 language. */
export const isLanguage = (code: string): boolean => languages.has(code)

/** Whether a normalised code is an ISO 4217 currency, metals and test codes included. */
export const isCurrency = (code: string): boolean => decimals.has(code)

/** The number of decimals of a currency's minor unit (SEK 2, ISK 0, KWD 3); null for a code that is no currency. */
export const currencyDecimals = (code: string): number | null => decimals.get(code) ?? null

/** The currencies whose minor unit has so many decimals. */
export const currenciesWith = (digits: number): string[] =>
  [...decimals].filter(([, count]) => count === digits).map(([code]) => code)

/** The canonical form of a BCP 47 tag (`SV-se` becomes `sv-SE`); null when it is none, or its language isn't ISO 639-1. */
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

/** Whether a text is a culture in its canonical form, such as `sv-SE` or `nb`. */
export const isCulture = (code: string): boolean => normaliseCulture(code) === code

const naceForm = /^(0[1-9]|[1-8]\d|9\d)(?:\.?\d(?:\d(?:\.?\d{1,3})?)?)?$/

/**
 * Whether a text has the shape of a NACE Rev. 2 code: a division (01 to 99), then a group and class, with the dot or
 * without, then up to three national digits: `62`, `62.0`, `62.01`, `6201`, `62010`, `62.010`. The code itself isn't
 * looked up, since national lists are finer and change.
 */
export const isNace = (code: string): boolean => naceForm.test(code)
