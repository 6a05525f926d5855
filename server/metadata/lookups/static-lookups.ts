/** Lookups that are the same for every caller. */
import { lookupValuesMax } from '../../../contract/metadata/lookups.ts'
import type { Language } from '../../../contract/platform/languages.ts'
import * as codes from './code-lists.ts'
import * as cases from './enumerations/cases.ts'
import * as claims from './enumerations/claims.ts'
import * as debtors from './enumerations/debtors.ts'
import { descriptionIn, type Enumeration } from './enumerations/enumeration.ts'
import { closureCode, holdReason } from './enumerations/holds-and-closures.ts'
import * as items from './enumerations/items.ts'
import * as plans from './enumerations/payment-plans.ts'
import * as system from './enumerations/system.ts'
import * as users from './enumerations/users.ts'
import type { ListedValue, ListIn, Lookup } from './lookup.ts'
import { bestMatches } from './match.ts'
import { listMunicipalities } from './municipalities.ts'

/** A list that depends on the installation, such as its services. */
export const listedLookup = (values: readonly ListedValue[]): Lookup =>
  lookupOf(() => values, { short: true })

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

function lookupOf(list: ListIn, { extensible, closed = true, short = false }: Options = {}): Lookup {
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

const listOf =
  (enumeration: Enumeration, under: Readonly<Record<string, readonly string[]>> = {}): ListIn =>
  (language) =>
    Object.entries(enumeration).map(([key, descriptions]) => ({
      key,
      description: descriptionIn(descriptions, language),
      ...(under[key] && { under: under[key] }),
    }))

const enumerated = (enumeration: Enumeration): Lookup => lookupOf(listOf(enumeration), { short: true })

/** The statuses of each sub-status. A hold can overlay any open status, so it is listed only without a status. */
const statusesOf = Object.fromEntries(
  Object.keys({ ...cases.caseSubStatus, ...holdReason }).map((subStatus) => [
    subStatus,
    Object.keys(cases.subStatusesOf).filter((status) => cases.subStatusesOf[status]!.includes(subStatus)),
  ]),
)

export const staticLookups: Readonly<Record<string, Lookup>> = {
  juridicaltype: enumerated(debtors.juridicalType),
  gender: enumerated(debtors.gender),
  conversationnotificationchannel: enumerated(debtors.conversationNotificationChannel),
  addresstype: lookupOf(listOf(debtors.addressType), { extensible: 'beside', short: true }),
  municipality: lookupOf(listMunicipalities, { extensible: 'replacing', closed: false }),
  userrole: enumerated(users.userRole),
  mfatype: enumerated(users.mfaType),
  accesscode: enumerated(users.accessCode),
  itemtype: enumerated(items.itemType),
  favoritetype: enumerated(items.favoriteType),
  service: enumerated(cases.service),
  caseservice: enumerated(cases.service),
  casestatus: enumerated(cases.caseStatus),
  casesubstatus: lookupOf(listOf({ ...cases.caseSubStatus, ...holdReason }, statusesOf), {
    short: true,
  }),
  holdreason: enumerated(holdReason),
  closurecode: enumerated(closureCode),
  debtorrole: enumerated(cases.debtorRole),
  claimcomponent: enumerated(claims.claimComponent),
  allocationorder: enumerated(claims.allocationOrder),
  interruption: enumerated(cases.interruption),
  claimkind: enumerated(claims.claimKind),
  // A client may have its own fees, and an administrator may add reference rates.
  feetype: lookupOf(listOf(claims.feeType), { extensible: 'beside', closed: false, short: true }),
  debtorkind: enumerated(cases.debtorKind),
  rateseries: lookupOf(listOf(claims.rateSeries), { extensible: 'beside', closed: false, short: true }),
  paymentplantype: enumerated(plans.paymentPlanType),
  paymentplanactive: enumerated(plans.paymentPlanActive),
  paymentplanendreason: enumerated(plans.paymentPlanEndReason),
  intervaltype: enumerated(plans.intervalType),
  paymenttype: enumerated(plans.paymentType),
  command: enumerated(system.command),
  loglevel: enumerated(system.logLevel),
  messagechannel: enumerated(system.messageChannel),
  fieldtype: enumerated(system.fieldType),
  displaytype: enumerated(system.displayType),
  personaldatatype: enumerated(system.personalDataType),
  country: lookupOf(codes.listCountries),
  language: lookupOf(codes.listLanguages),
  currency: lookupOf(codes.listCurrencies),
  culture: lookupOf(codes.listCultures, { closed: false }),
  timezone: lookupOf(codes.listTimeZones),
}
