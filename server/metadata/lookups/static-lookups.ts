/** Lookups that are the same for every caller. */
import { lookupValuesMax } from '../../../contract/metadata/lookups.ts'
import { allAccessCodes } from '../../../contract/access/access.ts'
import type { Language } from '../../../contract/platform/languages.ts'
import { findText, texts } from '../../../core/text/texts.ts'
import * as codes from './code-lists.ts'
import { enumerations, sharedTexts, statusesBySubStatus, type EnumerationCode } from './enumerations.ts'
import type { ListedValue, ListIn, Lookup } from './lookup.ts'
import { bestMatches } from './match.ts'
import { listMunicipalities } from './municipalities.ts'

/** A list that depends on the installation, such as its services. */
export const listedLookup = (values: readonly ListedValue[]): Lookup =>
  createLookup(() => values, { short: true })

/** Lookups whose values the routes receive at startup. */
export const installedLookups: Readonly<Record<string, Lookup>> = { servicedefinition: listedLookup([]) }

/** The list of each language is built on first use and cached. */
function remembered(list: ListIn): ListIn {
  const lists = new Map<Language, readonly ListedValue[]>()
  return (language) => {
    const known = lists.get(language) ?? list(language)
    lists.set(language, known)
    return known
  }
}

const sameText = (a: string, b: string) => a.toLowerCase() === b.toLowerCase()
const isUnder = ({ under }: ListedValue, argument: string | null | undefined) =>
  !argument || under === undefined || under.some((one) => sameText(one, argument))

interface Options {
  closed?: boolean
  short?: boolean
  extensible?: 'beside' | 'replacing'
}

function createLookup(list: ListIn, { extensible, closed = true, short = false }: Options = {}): Lookup {
  const listIn = remembered(list)
  const listUnder = (language: Language, [argument]: readonly (string | null)[]) =>
    joinKeys(listIn(language).filter((value) => isUnder(value, argument)))
  return {
    closed,
    short,
    ...(extensible && { extensible: { list: listUnder, replaces: extensible === 'replacing' } }),
    search: async ({ caller }, text, given) =>
      bestMatches(listUnder(caller.language, given), text, lookupValuesMax),
    find: async ({ caller }, key) =>
      joinKeys(listIn(caller.language).filter((value) => sameText(value.key, key)))[0],
  }
}

/** Each key once. A key with several values, such as a code used by two countries, names all of them. */
function joinKeys(values: readonly ListedValue[]): ListedValue[] {
  const joined = new Map<string, ListedValue>()
  for (const value of values) {
    const before = joined.get(value.key)
    const description = before ? `${before.description} / ${value.description}` : value.description
    joined.set(value.key, before ? { key: value.key, description } : value)
  }
  return [...joined.values()]
}

const createList =
  (code: EnumerationCode, under: Readonly<Record<string, readonly string[]>> = {}): ListIn =>
  (language) =>
    enumerations[code].map((key) => ({
      key,
      description:
        findText(language, 'lookup', `${code}.${key}`, `${sharedTexts[code] ?? code}.${key}`) ?? key,
      ...(under[key] && { under: under[key] }),
    }))

const listAccessCodes: ListIn = (language) => {
  const lookup: Readonly<Record<string, string>> = texts[language].lookup
  return allAccessCodes.map((key) => {
    const [area, verb] = key.split('.')
    return { key, description: `${lookup[`accessarea.${area}`]}: ${lookup[`accessverb.${verb}`]}` }
  })
}

const enumerated = (code: EnumerationCode): Lookup => createLookup(createList(code), { short: true })

/** Enumerations to which an installation adds values, or that take values which are in no list. */
const open = {
  addresstype: createLookup(createList('addresstype'), { extensible: 'beside', short: true }),
  casesubstatus: createLookup(createList('casesubstatus', statusesBySubStatus), { short: true }),
  // A client may have fees of its own, and an administrator other reference rates.
  feetype: createLookup(createList('feetype'), { extensible: 'beside', closed: false, short: true }),
  rateseries: createLookup(createList('rateseries'), { extensible: 'beside', closed: false, short: true }),
}

export const staticLookups: Readonly<Record<string, Lookup>> = {
  ...Object.fromEntries(
    (Object.keys(enumerations) as EnumerationCode[]).map((code) => [code, enumerated(code)]),
  ),
  ...open,
  service: enumerated('caseservice'),
  accesscode: createLookup(listAccessCodes, { short: true }),
  municipality: createLookup(listMunicipalities, { extensible: 'replacing', closed: false }),
  country: createLookup(codes.listCountries),
  language: createLookup(codes.listLanguages),
  currency: createLookup(codes.listCurrencies),
  culture: createLookup(codes.listCultures, { closed: false }),
  timezone: createLookup(codes.listTimeZones),
}
