/**
 * Invented debtors for demonstrations and measurements. The n-th debtor depends on the seed, n and the day alone;
 * nothing is remembered, so memory stays flat and a longer run begins with the shorter one.
 */
import type { DebtorInput } from '../../contract/parties/debtors.ts'
import { formatDate, placeBirth, type Birth } from './births.ts'
import { countries, splitCommas, type Country, type CountryCode } from './country.ts'
import { makeCompanyEmail, makePersonEmail } from './emails.ts'
import {
  makeCompanyNumber,
  makeCpr,
  makeFodselsnummer,
  makeHenkilotunnus,
  makePersonnummer,
  makeSteuerId,
  makeVatNumber,
} from './id-numbers.ts'
import { drawCompanyNames, drawPersonNames, type PersonName } from './names.ts'
import { drawPhones, drawPlaces, drawTowns } from './places.ts'
import { hashKey, hashText, startRandom, weighByRank, weighValues, type Random } from './random.ts'
import { dealAges, dealDebtors } from './schedule.ts'

/** The members of D2 that the demo fills, in the order of its columns. */
export const demoColumns = [
  'idNumber',
  'juridicalType',
  'fullName',
  'firstname',
  'middlename',
  'lastname',
  'dateOfBirth',
  'gender',
  'placeOfBirth',
  'street',
  'houseNo',
  'houseNoExtension',
  'zipCode',
  'city',
  'stateCode',
  'countryCode',
  'cellularPhone',
  'homePhone',
  'workPhone',
  'email',
  'languageCode',
  'currencyCode',
  'vatNumber',
  'naceCode',
  'conversationNotificationChannel',
] as const

type Filled = { [Name in (typeof demoColumns)[number]]: NonNullable<DebtorInput[Name]> }
type Always =
  | 'juridicalType'
  | 'street'
  | 'houseNo'
  | 'zipCode'
  | 'city'
  | 'countryCode'
  | 'languageCode'
  | 'currencyCode'

/** What D2 takes. Each has every member, undefined where it has no value: objects of one shape are the fastest. */
export type DemoDebtor = { [Name in Exclude<keyof Filled, Always>]: Filled[Name] | undefined } & Pick<
  Filled,
  Always
>

/** More would run out of Swedish identity numbers, see `id-numbers.ts`. */
export const mostDemoDebtors = 1_100_000
const defaultToday = '2026-01-01'

function openCountry(country: Country) {
  return {
    country,
    german: country.code === 'DE',
    drawPersonName: drawPersonNames(country),
    drawCompanyName: drawCompanyNames(country),
    drawPlace: drawPlaces(country),
    drawTown: drawTowns(country),
    drawMobile: drawPhones(country.mobilePhones),
    drawFixed: drawPhones(country.fixedPhones),
    drawForm: weighValues(country.legalForms, (form) => form.weight),
    drawMailbox: weighByRank(splitCommas(country.mailboxes)),
  }
}
type OpenCountry = ReturnType<typeof openCountry>

/** Made once for all runs; the tables don't change. */
const openCountries = mapCountries((code) => openCountry(countries[code]))

/**
 * Yields `count` debtors, at most 1,100,000. `seed` is a whole number; `today` (`YYYY-MM-DD`, by default
 * 2026-01-01 so that runs compare) is what ages count from. Throws a RangeError for other values.
 */
export function* generateDebtors(options: {
  seed: number
  count: number
  today?: string
}): Generator<DemoDebtor> {
  const { seed, count, today = defaultToday } = options
  const thisYear = checkOptions(seed, count, today)
  const dealDebtor = dealDebtors(seed)
  const dealAge = mapCountries((code) => dealAges(seed, code))
  const birthHash = mapCountries((code) => hashText(hashKey(3, seed), code))
  const debtorHash = hashKey(4, seed)
  const numberHash = hashKey(5, seed)
  for (let n = 0; n < count; n++) {
    const random = startRandom(hashKey(debtorHash, n))
    const { group, rank } = dealDebtor(n)
    const open = openCountries[group.country]
    if (group.kind === 'company') {
      yield makeCompany(open, random, rank, numberHash)
      continue
    }
    const aged = dealAge[group.country](rank)
    const birth = placeBirth({
      year: thisYear - aged.group.age,
      sex: aged.group.sex,
      rank: aged.rank,
      firstDay: group.country === 'DK' ? 1 : 0,
      hash: birthHash[group.country],
    })
    yield makePerson(open, random, birth, { rank, hash: numberHash })
  }
}

function mapCountries<T>(make: (code: CountryCode) => T): Record<CountryCode, T> {
  return { SE: make('SE'), NO: make('NO'), DK: make('DK'), FI: make('FI'), DE: make('DE') }
}

function checkOptions(seed: number, count: number, today: string): number {
  if (!Number.isSafeInteger(seed))
    throw new RangeError('The seed is not a whole number: expected one like 1.')
  if (!Number.isSafeInteger(count) || count < 0 || count > mostDemoDebtors) {
    throw new RangeError(`The number of debtors is not within range: expected 0 to ${mostDemoDebtors}.`)
  }
  const year = Number(/^(\d{4})-\d\d-\d\d$/.exec(today)?.[1])
  // Ages reach 99 and the tax agencies publish numbers for births up to 2025; the oldest must be born after 1899.
  if (!(year >= 2000 && year <= 2040)) {
    throw new RangeError('The day is not within range: expected YYYY-MM-DD with a year from 2000 to 2040.')
  }
  return year
}

function makePerson(
  open: OpenCountry,
  random: Random,
  birth: Birth,
  serial: { rank: number; hash: number },
): DemoDebtor {
  const { country } = open
  const name = open.drawPersonName(random, birth.sex, birth.year)
  const idNumber = makePersonNumber(country.code, random, birth, { name, ...serial })
  const tellsBirth = country.code !== 'DE'
  const elderly = birth.year < 1945
  const cellularPhone = random.chance(elderly ? 0.55 : 0.9) ? open.drawMobile(random) : undefined
  const email = random.chance(elderly ? 0.3 : 0.74)
    ? makePersonEmail(name, { random, bornIn: birth.year, german: open.german })
    : undefined
  const place = open.drawPlace(random)
  return {
    idNumber,
    juridicalType: 0,
    fullName: undefined,
    firstname: name.firstname,
    middlename: name.middlename,
    lastname: name.lastname,
    dateOfBirth: !tellsBirth || random.chance(0.05) ? formatDate(birth) : undefined,
    gender: tellsBirth ? undefined : birth.sex === 'male' ? 1 : 2,
    placeOfBirth: random.chance(0.2) ? drawBirthplace(open, random, name) : undefined,
    ...place,
    countryCode: country.code,
    cellularPhone,
    homePhone: random.chance(elderly ? 0.7 : 0.08) ? open.drawFixed(random) : undefined,
    workPhone: random.chance(elderly ? 0 : 0.09) ? open.drawFixed(random) : undefined,
    email,
    languageCode: name.language ?? country.language,
    currencyCode: country.currency,
    vatNumber: undefined,
    naceCode: undefined,
    conversationNotificationChannel: chooseChannel(random, email, cellularPhone),
  }
}

/**
 * About one Swede in sixty has a coordination number, as people have who were never on the population register. One
 * in four Germans has a number: § 139b(2) AO forbids its use outside tax matters, so creditors know few.
 */
function makePersonNumber(
  country: CountryCode,
  random: Random,
  birth: Birth,
  given: { name: PersonName; rank: number; hash: number },
): string | undefined {
  if (country === 'SE') {
    // Test numbers of this kind are published for births from 1914 on, and for the birth numbers of level 0.
    const published = birth.level === 0 && birth.year >= 1914
    return makePersonnummer(birth, published && random.chance(given.name.birthplaces ? 0.1 : 0.003))
  }
  if (country === 'NO') return makeFodselsnummer(birth)
  if (country === 'DK') return makeCpr(birth)
  if (country === 'FI') return makeHenkilotunnus(birth)
  return random.chance(0.25) ? makeSteuerId(given.rank, given.hash) : undefined
}

function drawBirthplace(open: OpenCountry, random: Random, name: PersonName): string {
  const abroad = name.birthplaces
  return abroad ? abroad[random.below(abroad.length)]! : open.drawTown(random)
}

/** 0 none, 1 e-mail, 2 SMS, 3 both; never one without its address. Unknown for a third. */
function chooseChannel(random: Random, email?: string, cellularPhone?: string): 0 | 1 | 2 | 3 | undefined {
  if (random.chance(0.3)) return undefined
  if (random.chance(0.1)) return 0
  if (email && cellularPhone) return random.chance(0.4) ? 3 : random.chance(0.5) ? 2 : 1
  return email ? 1 : cellularPhone ? 2 : 0
}

function makeCompany(open: OpenCountry, random: Random, rank: number, hash: number): DemoDebtor {
  const { country } = open
  const place = open.drawPlace(random)
  const { name, naceCode } = open.drawCompanyName(random, place.city)
  const form = open.drawForm(random)
  const idNumber = makeCompanyNumber(country.code, form.prefix, rank, hash)
  const cellularPhone = random.chance(0.35) ? open.drawMobile(random) : undefined
  const email = random.chance(0.85)
    ? makeCompanyEmail(open.drawMailbox(random), name, open.german)
    : undefined
  return {
    idNumber,
    juridicalType: 1,
    fullName: form.pattern.replace('{}', name),
    firstname: undefined,
    middlename: undefined,
    lastname: undefined,
    dateOfBirth: undefined,
    gender: undefined,
    placeOfBirth: undefined,
    ...place,
    countryCode: country.code,
    cellularPhone,
    homePhone: undefined,
    workPhone: random.chance(0.8) ? open.drawFixed(random) : undefined,
    email,
    languageCode: country.language,
    currencyCode: country.currency,
    vatNumber: random.chance(0.85) ? makeVatNumber(country.code, idNumber) : undefined,
    naceCode,
    conversationNotificationChannel: chooseChannel(random, email, cellularPhone),
  }
}
