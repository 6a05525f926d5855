/**
 * Identity numbers of invented persons: right in form and check digit, and as far as there are any from numbers that
 * no living person has. A run of 1,100,000 debtors needs of one birth year and sex at most 9 × 436 Swedish
 * (396 ‰ × 1,100,000 ÷ 1,000 blocks), 9 × 194 Norwegian, 9 × 146 Danish and 9 × 117 Finnish numbers: 11, 5, 4 and 3
 * a day. The capacities a day and sex are below at each country.
 */
import { formatDayMonthYear, formatYearMonthDay, type Birth } from './births.ts'
import type { CountryCode } from './country.ts'
import { hashKey, scatterRank } from './random.ts'

const oddIfMale = (birth: Birth) => (birth.sex === 'male' ? 1 : 0)
/** Not negative, so that its remainders are not either. */
const dateHash = (birth: Birth) =>
  hashKey(oddIfMale(birth), birth.year * 10_000 + birth.month * 100 + birth.day) >>> 8
function sumWeightedDigits(digits: string, weights: readonly number[]): number {
  let sum = 0
  for (let index = 0; index < weights.length; index++)
    sum += weights[index]! * (digits.charCodeAt(index) - 48)
  return sum
}

/** The Luhn check digit of a string of digits. */
function computeLuhnDigit(digits: string): number {
  let sum = 0
  for (let index = 0; index < digits.length; index++) {
    const doubled = (digits.charCodeAt(digits.length - 1 - index) - 48) * (index % 2 === 0 ? 2 : 1)
    sum += doubled > 9 ? doubled - 9 : doubled
  }
  return (10 - (sum % 10)) % 10
}

/** The check digit of ISO 7064 MOD 11,10. */
function computeHybridDigit(digits: string): number {
  let product = 10
  for (let index = 0; index < digits.length; index++) {
    const sum = (digits.charCodeAt(index) - 48 + product) % 10 || 10
    product = (sum * 2) % 11
  }
  return (11 - product) % 10
}

/**
 * Sweden. Skatteverket publishes the test numbers it never gives to anyone («Testpersonnummer» 1890–2025 and
 * «Testsamordningsnummer» 1914–2025, CC0, dataportal.se): for every day from 1900 on the birth numbers 238 and 239,
 * in coordination numbers too. They are one a day and sex and carry about 100,000 debtors. Only then come 980 to 999,
 * which are in the published list for some days of the 1890s alone: our choice, not a reservation. Capacity 11.
 */
export function makePersonnummer(birth: Birth, coordination: boolean): string {
  const serial = (birth.level === 0 ? 238 : 978 + 2 * birth.level) + oddIfMale(birth)
  if (serial > 999) throw new RangeError('makePersonnummer: a day has 11 numbers for each sex.')
  const dated = formatYearMonthDay(birth, coordination ? 60 : 0)
  return `${dated}-${serial}${computeLuhnDigit(dated.slice(2) + String(serial))}`
}

const firstWeights = [3, 7, 6, 1, 8, 9, 4, 5, 2]
const secondWeights = [5, 4, 3, 2, 7, 6, 5, 4, 3, 2]

/**
 * Norway. The synthetic population of Skatteetaten (Tenor, Test-Norge) adds 80 to the month, which no real number
 * does. About a sixth of the individual numbers has no check digits; a level owns ten and takes the first that has
 * them. Individual numbers 000–499 for 1900–1999, 500–999 for 2000–2039. Capacity 25.
 */
export function makeFodselsnummer(birth: Birth): string {
  if (birth.level >= 25) throw new RangeError('makeFodselsnummer: a day has 25 numbers for each sex.')
  const date = formatDayMonthYear(birth, 80)
  const start = dateHash(birth) + birth.level * 10
  for (let attempt = 0; attempt < 10; attempt++) {
    const individual = 2 * ((start + attempt) % 250) + oddIfMale(birth) + (birth.year >= 2000 ? 500 : 0)
    const digits = date + String(individual).padStart(3, '0')
    const first = (11 - (sumWeightedDigits(digits, firstWeights) % 11)) % 11
    const second = (11 - (sumWeightedDigits(digits + String(first), secondWeights) % 11)) % 11
    if (first < 10 && second < 10) return `${digits}${first}${second}`
  }
  throw new Error('makeFodselsnummer: ten numbers in a row without check digits cannot be.')
}

const danishWeights = [4, 3, 2, 7, 6, 5, 4, 3, 2]

/**
 * Denmark. CPR-kontoret publishes test persons but reserves no range to make one's own from. These numbers fail
 * modulus 11. Such numbers have been given out since 2007 only, for birth dates that had run out, each a 1 January
 * («Personnumre uden kontrolciffer (modulus 11 kontrol)», cpr.dk); nobody here is born on that day. Seventh digit
 * 0–3 for 1900–1999, 4–8 from 2000. Capacity 400.
 */
export function makeCpr(birth: Birth): string {
  const [from, size] = birth.year >= 2000 ? [400, 500] : [0, 400]
  if (birth.level >= 400) throw new RangeError('makeCpr: a day has 400 numbers for each sex.')
  const hash = dateHash(birth)
  const date = formatDayMonthYear(birth)
  const serial = String(from + ((hash + birth.level) % size)).padStart(3, '0')
  const right = (11 - (sumWeightedDigits(date + serial, danishWeights) % 11)) % 11
  const candidate = oddIfMale(birth) + 2 * ((hash >>> 8) % 5)
  const last = candidate === right ? (candidate + 2) % 10 : candidate
  return `${date}-${serial}${last}`
}

/**
 * Finland. Individual numbers 900–999 are artificial and never given to a person (DVV, «Henkilötunnus»).
 * Separator - for the 1900s, A for the 2000s. Capacity 50.
 */
export function makeHenkilotunnus(birth: Birth): string {
  if (birth.level >= 50) throw new RangeError('makeHenkilotunnus: a day has 50 numbers for each sex.')
  const date = formatDayMonthYear(birth)
  const individual = 900 + 2 * ((dateHash(birth) + birth.level) % 50) + oddIfMale(birth)
  const check = '0123456789ABCDEFHJKLMNPRSTUVWXY'[Number(date + String(individual)) % 31]!
  return `${date}${birth.year >= 2000 ? 'A' : '-'}${individual}${check}`
}

const distinctSequences = 6 * 181_440

/**
 * Germany. The test numbers of the tax offices begin with 0 and are refused by every validator, so they are of no
 * use. These have a digit three times in succession, which the Bundeszentralamt für Steuern never gives out
 * («Informationen zur Berechnung gültiger Prüfziffern», rule for IdNr since 2016), but which the usual checks of
 * form and check digit do not look at. They begin with 4 to 9, as no Norwegian number of eleven digits does, so that
 * numbers differ across countries too. Ranks up to 8,709,120.
 */
export function makeSteuerId(rank: number, hash: number): string {
  const place = scatterRank(rank, 8 * distinctSequences, hash)
  const tripled = place % 8
  let rest = Math.floor(place / 8)
  const free = ['0', '1', '2', '3', '4', '5', '6', '7', '8', '9']
  let digits = ''
  for (let index = 0; index < 8; index++) {
    // The first digit is one of 4 to 9, each further one of those left.
    const choices = index === 0 ? 6 : free.length
    const chosen = (rest % choices) + (index === 0 ? 4 : 0)
    rest = Math.floor(rest / choices)
    const digit = free.splice(chosen, 1)[0]!
    digits += index === tripled ? digit.repeat(3) : digit
  }
  return digits + String(computeHybridDigit(digits))
}

const modulusWeights = { NO: [3, 2, 7, 6, 5, 4, 3, 2], DK: [2, 7, 6, 5, 4, 3, 2], FI: [7, 9, 10, 5, 8, 4, 2] }

/** Modulus 11 gives some numbers no check digit: each rank owns ten numbers and takes the first that has one. */
function makeModulusNumber(country: 'NO' | 'DK' | 'FI', prefix: string, rank: number, hash: number): string {
  const weights = modulusWeights[country]
  const free = 10 ** (weights.length - prefix.length - 1)
  const place = scatterRank(rank, free, hash)
  for (let attempt = 0; attempt < 10; attempt++) {
    const last = (attempt + place) % 10
    const digits = prefix + String(place).padStart(weights.length - prefix.length - 1, '0') + String(last)
    const check = (11 - (sumWeightedDigits(digits, weights) % 11)) % 11
    if (check < 10) return `${digits}${country === 'FI' ? '-' : ''}${check}`
  }
  throw new Error('makeModulusNumber: ten numbers in a row without check digit cannot be.')
}

/**
 * Company numbers. No register reserves a range for tests, so these begin where none has got to: Swedish 598, 798
 * and 968 (Bolagsverket gives 556 and 559, 7xx and 969 or 916), Norwegian 31 (Brønnøysund gives numbers from 8 and 9;
 * the synthetic companies of its test environment begin with 2 or 3), Danish 9 (CVR has come to 4), Finnish 9
 * (business IDs have come to 3), German VAT numbers 99. Ranks up to 1,000,000 for SE and DE, 100,000 for the others.
 */
export function makeCompanyNumber(country: CountryCode, prefix: string, rank: number, hash: number): string {
  if (country === 'SE') {
    const digits = prefix + String(scatterRank(rank, 1_000_000, hash)).padStart(6, '0')
    return `${digits.slice(0, 6)}-${digits.slice(6)}${computeLuhnDigit(digits)}`
  }
  if (country === 'DE') {
    const digits = prefix + String(scatterRank(rank, 1_000_000, hash)).padStart(6, '0')
    return `DE${digits}${computeHybridDigit(digits)}`
  }
  return makeModulusNumber(country, prefix, rank, hash)
}

/** The VAT number that belongs to a company number. */
export function makeVatNumber(country: CountryCode, companyNumber: string): string {
  const digits = companyNumber.replace(/\D/g, '')
  if (country === 'SE') return `SE${digits}01`
  return country === 'NO' ? `NO${digits}MVA` : country + digits
}
