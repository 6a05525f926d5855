/**
 * Identity and organisation numbers. Validates them by the rules of their country (in `id-numbers/`) and
 * returns a normal form, so that different spellings of one person's number become equal.
 */
import { denmark } from './id-numbers/denmark.ts'
import { finland } from './id-numbers/finland.ts'
import { germany } from './id-numbers/germany.ts'
import { iceland } from './id-numbers/iceland.ts'
import { norway } from './id-numbers/norway.ts'
import type { CountryRules, Fault, Gender, Kind } from './id-numbers/number-rules.ts'
import { sweden } from './id-numbers/sweden.ts'

/** Åland, Svalbard and Greenland use the numbers of the state they belong to. */
const rulesByCountry = new Map<string, CountryRules>([
  ['SE', sweden],
  ['NO', norway],
  ['SJ', norway],
  ['DK', denmark],
  ['GL', denmark],
  ['FI', finland],
  ['AX', finland],
  ['DE', germany],
  ['IS', iceland],
])

export interface IdNumberInput {
  idNumber: string
  /** ISO 3166-1 alpha-2. */
  countryCode: string
  /** 0 natural person, 1 legal person, null to infer it from the number. */
  juridicalType: 0 | 1 | null
  /**
   * `YYYY-MM-DD`. Dates of birth cannot be later, and Swedish ten-digit numbers get their century from it.
   */
  today: string
  /** `YYYY-MM-DD`, where it is known: the century of a Swedish number of ten bare digits. */
  bornOn?: string | undefined
}

export type IdNumberResult =
  | {
      ok: true
      /** The normal form, at most 30 characters. */
      idNumber: string
      juridicalType: 0 | 1
      /** `YYYY-MM-DD`. Null for a company, and when the number does not contain it. */
      dateOfBirth: string | null
      /** 0 unknown, 1 male, 2 female. */
      gender: Gender
    }
  | { ok: false; message: string }

const longestInput = 60

/**
 * Validates and normalises a number. A Swedish company may use the personal number of its sole trader; the
 * result then has the personal form, juridicalType 1, and no date of birth. For a country without rules here,
 * 2 to 30 letters, digits and `- / . +` are accepted, with blanks removed; juridicalType is the given one, or
 * 0. The message states the expected form and never contains the number.
 */
export function checkIdNumber(input: IdNumberInput): IdNumberResult {
  const text = cleanNumber(input.idNumber)
  const rules = rulesByCountry.get(input.countryCode.toUpperCase())
  if (!rules) return checkOther(text, input.juridicalType ?? 0)
  const refusals: Refusal[] = []
  for (const juridicalType of input.juridicalType === null ? both : [input.juridicalType]) {
    const kind: Kind<Found> = juridicalType === 0 ? rules.person : rules.organisation
    const found = kind.read(kind.keepsBlanks ? text : text.replaceAll(' ', ''), input.today, input.bornOn)
    if (typeof found !== 'string') return accept(found, juridicalType)
    refusals.push({ kind, fault: found })
  }
  return { ok: false, message: describeRefusals(refusals) }
}

/**
 * Whether the person of a number that holds the date of birth `held` can be born on `born`, both `YYYY-MM-DD`. `held`
 * is null where the number does not tell it.
 */
export function canBeBornOn(countryCode: string, held: string | null, born: string): boolean {
  if (held === null || held === born) return true
  const rules = rulesByCountry.get(countryCode.toUpperCase())
  return rules?.mayShiftDay === true && held.slice(0, 7) === born.slice(0, 7)
}

const both = [0, 1] as const

interface Found {
  idNumber: string
  dateOfBirth?: string | null
  gender?: Gender
}
interface Refusal {
  kind: Kind<Found>
  fault: Fault
}

const accept = (found: Found, juridicalType: 0 | 1): IdNumberResult => ({
  ok: true,
  idNumber: found.idNumber,
  juridicalType,
  dateOfBirth: found.dateOfBirth ?? null,
  gender: found.gender ?? 0,
})

const faults: Record<Fault, string> = {
  form: 'does not have the form of',
  birthDate: 'holds no possible date of birth up to today and so is not',
  checkDigit: 'has a wrong check digit and so is not',
}

/** Describes the kind of number that came closest, or all kinds when none was close. */
function describeRefusals(refusals: Refusal[]): string {
  const near = refusals.find((refusal) => refusal.fault !== 'form')
  const told = near ? [near] : refusals
  const names = told.map(({ kind }) => kind.name).join(' or ')
  const forms = told.map(({ kind }) => `${kind.form}, shaped like ${kind.example}`).join(', or ')
  return `The number ${faults[near?.fault ?? 'form']} ${names}. Expected: ${forms}.`
}

function checkOther(spaced: string, juridicalType: 0 | 1): IdNumberResult {
  const text = spaced.replaceAll(' ', '')
  if (/^[\p{L}\p{N}][\p{L}\p{N}./+-]{1,29}$/u.test(text) && /\p{N}/u.test(text)) {
    return accept({ idNumber: text }, juridicalType)
  }
  return {
    ok: false,
    message:
      'The number is not an identity number: expected 2 to 30 letters, digits and the signs - / . +, with at least one digit, shaped like AB-000000.',
  }
}

/**
 * Converts full-width digits to plain ones, all dashes to hyphens, and letters to upper case. Collapses
 * blanks and removes invisible characters.
 */
function cleanNumber(text: string): string {
  if (text.length > longestInput) return ''
  return text
    .normalize('NFKC')
    .toUpperCase()
    .normalize('NFKC')
    .replace(/[\u2010-\u2015\u2212]/g, '-')
    .replace(/[\u00ad\u200b-\u200f\u2060\ufeff]/g, '')
    .replace(/\s+/g, ' ')
    .trim()
}
