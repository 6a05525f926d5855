/** What the demo knows of a country: the tables of data/demo, each with its source. */
import { readFileSync } from 'node:fs'

export type CountryCode = 'SE' | 'NO' | 'DK' | 'FI' | 'DE'
export type Sex = 'male' | 'female'

/** Given names of people born up to a year, most frequent first, separated by blanks. */
export interface Cohort {
  bornUpTo: number
  male: string
  female: string
}

export interface LegalForm {
  /** `{}` stands for the name that was made of the other parts. */
  pattern: string
  weight: number
  /** The invented beginning of the company number. */
  prefix: string
}

export interface Country {
  code: CountryCode
  currency: string
  language: string
  cohorts: readonly Cohort[]
  /** `Name weight` by commas; the weights are thousands of bearers, rounded. */
  surnames: string
  /** The long tail: surnames put together of a beginning and an end, and their share of the native names. */
  tail: { share: number; beginnings: string; ends: string }
  /** The share of people with a name from abroad and the weights of the origins. */
  newcomers: { share: number; origins: Readonly<Record<string, number>> }
  /** `name|inhabitants in thousands|first-last zip, …|state`. */
  cities: readonly string[]
  /** Zip codes are multiples of this. */
  zipStep: number
  /** Each `#` stands for a digit. */
  zipFormat: string
  /** Streets found in nearly every town, most frequent first, separated by commas. */
  streets: string
  /** The share of addresses with a house number extension, and the extensions by commas. */
  extensions: { share: number; values: string }
  /** Telephone numbers in national form; every `#` run counts from `from` to `to`. */
  mobilePhones: readonly PhoneBlock[]
  fixedPhones: readonly PhoneBlock[]
  legalForms: readonly LegalForm[]
  /** `Word of the trade|NACE Rev. 2 code`, by commas. */
  trades: string
  /** How the parts of a company name stand together: `{surname}`, `{city}`, `{word}`, `{trade}`. */
  companyNames: readonly string[]
  /** What stands before the at sign of a company's e-mail address, by commas. */
  mailboxes: string
}

export interface PhoneBlock {
  format: string
  from: number
  to: number
}

/** Names from one origin that are frequent in these countries. */
export interface Origin {
  male: string
  female: string
  surnames: string
  /** What a woman's surname takes on, where the language does so. */
  feminineEnding?: string
  /** The language some of these people would rather be written to in. */
  language: string
  birthplaces: string
}

const readTable = <T>(name: string): T =>
  JSON.parse(readFileSync(new URL(`../../data/demo/${name}.json`, import.meta.url), 'utf8')) as T

export const countries: Readonly<Record<CountryCode, Country>> = {
  SE: readTable('sweden'),
  NO: readTable('norway'),
  DK: readTable('denmark'),
  FI: readTable('finland'),
  DE: readTable('germany'),
}
export const { origins } = readTable<{ origins: Readonly<Record<string, Origin>> }>('newcomers')

/** Words that companies like to call themselves, in every country. */
export const companyWords =
  'Nordic Nova Alfa Delta Polaris Aurora Vega Orion Atlas Prima Optima Linea Nordstjernen Viking Arctic Baltic Solid Kompass Triton Sirius Norda Vinga Zenit Aktiva Proton Fenix Origo Avanti Corona Terra'

export const splitWords = (text: string) => text.trim().split(/\s+/)
export const splitCommas = (text: string) =>
  text
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '')
