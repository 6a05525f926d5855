/**
 * Code lists in our languages. Countries (ISO 3166-1) and languages (ISO 639-1) come from their packages, and
 * currencies (ISO 4217) from `currency-codes`. Time zones (IANA) and cultures (BCP 47) come from Node, with names by
 * Unicode CLDR.
 */
import { createRequire } from 'node:module'
import { data as currencies } from 'currency-codes'
import type { Language } from '../../../contract/platform/languages.ts'
import type { ListedValue } from './lookup.ts'

const require = createRequire(import.meta.url)
const toLocale = (language: Language) => (language === 'no' ? 'nb' : language)

type Names = Record<string, string | string[]>
const read = (path: string) => require(path) as { countries: Names; languages: Names }
const createNames = (names: Names) =>
  new Map(Object.entries(names).map(([key, name]) => [key, [name].flat()[0]!]))
const countryNames = (language: Language) =>
  createNames(read(`i18n-iso-countries/langs/${language}.json`).countries)
const languageNames = (language: Language) =>
  createNames(read(`@cospired/i18n-iso-languages/langs/${language}.json`).languages)

const sorted = (values: ListedValue[], language: Language): ListedValue[] => {
  const { compare } = new Intl.Collator(toLocale(language))
  return values.toSorted((a, b) => compare(a.description, b.description))
}
const fromNames = (names: Map<string, string>, language: Language) =>
  sorted(
    [...names].map(([key, description]) => ({ key, description })),
    language,
  )

export const listCountries = (language: Language) => fromNames(countryNames(language), language)
export const listLanguages = (language: Language) => fromNames(languageNames(language), language)

/** Fund codes that CLDR does not name in a language have their ISO name. */
export function listCurrencies(language: Language): ListedValue[] {
  const names = new Intl.DisplayNames([toLocale(language)], { type: 'currency', fallback: 'none' })
  return sorted(
    currencies.map(({ code, currency }) => ({ key: code, description: names.of(code) ?? currency })),
    language,
  )
}

/** Cultures in addition to each country's most likely one. */
const moreCultures = (
  'en-SE en-NO en-DK en-FI en-DE sv-FI sv-AX se-NO se-SE se-FI nn-NO fi-SE da-GL fo-DK de-DK de-BE de-IT de-LI de-LU da-DE ' +
  'fr-BE fr-CH it-CH rm-CH en-IN en-CA fr-CA ga-IE cy-GB ca-ES eu-ES gl-ES ru-EE ru-LV ru-UA es-US ar-IL en-ZA'
).split(' ')

/** The most likely language of each country by CLDR, and some more; listed under the language. */
export function listCultures(language: Language): ListedValue[] {
  const names = new Intl.DisplayNames([toLocale(language)], { type: 'language', languageDisplay: 'standard' })
  const known = languageNames('en')
  const likely = [...countryNames('en').keys()]
    .map((country) => ({ country, spoken: new Intl.Locale(`und-${country}`).maximize().language }))
    .filter(({ spoken }) => known.has(spoken))
    .map(({ country, spoken }) => `${spoken}-${country}`)
  const all = [...new Set([...likely, ...moreCultures])]
  return sorted(
    all.map((key) => ({ key, description: names.of(key)!, under: [key.slice(0, 2)] })),
    language,
  )
}

/** Listed under the countries that use them. */
export function listTimeZones(language: Language): ListedValue[] {
  const countries = countriesByZone()
  const now = new Date()
  return Intl.supportedValuesOf('timeZone').map((timeZone) => {
    const parts = new Intl.DateTimeFormat(toLocale(language), { timeZone, timeZoneName: 'longGeneric' })
    const name = parts.formatToParts(now).find(({ type }) => type === 'timeZoneName')!.value
    return { key: timeZone, description: `${timeZone} (${name})`, under: countries.get(timeZone) ?? [] }
  })
}

/** Node 24 has `getTimeZones`; TypeScript's library does not yet. */
type ZonedLocale = Intl.Locale & { getTimeZones?: () => string[] | undefined }

function countriesByZone(): Map<string, string[]> {
  const found = new Map<string, string[]>()
  for (const country of countryNames('en').keys()) {
    const zones = (new Intl.Locale(`und-${country}`) as ZonedLocale).getTimeZones?.() ?? []
    for (const zone of zones) found.set(zone, [...(found.get(zone) ?? []), country])
  }
  return found
}
