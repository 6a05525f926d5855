/**
 * German numbers.
 * Persons: Steuerliche Identifikationsnummer (§ 139b AO), eleven digits, ISO 7064 MOD 11,10. Among the first
 * ten exactly one digit occurs two or three times. § 139b(2) AO forbids its use outside tax matters, so most
 * German persons have no number here.
 * Companies have no single number. Accepted are the USt-IdNr (§ 27a UStG), the
 * Wirtschafts-Identifikationsnummer (§ 139c AO: the same with a five-digit suffix), and an entry in the
 * commercial, partnership, co-operative, association or company register (HGB §§ 8 ff.) with its court before
 * or after it.
 *
 * Normal forms: eleven digits; `DE` and nine digits, plus `-NNNNN` for the Wirtschafts-Identifikationsnummer;
 * `HRB 12345 B, CHARLOTTENBURG`.
 */
import { validate as validateIdnr } from 'stdnum/lib/cjs/de/idnr.js'
import { validate as validateVat } from 'stdnum/lib/cjs/de/vat.js'
import type { CountryRules, Fault, OrganisationNumber, PersonNumber } from './number-rules.ts'

const personForm = /^[1-9]\d{10}$/
const vatForm = /^(?:DE-?)?(\d{9})(-\d{5})?$/
const registers: Record<string, string> = {
  HRA: 'HRA',
  HRB: 'HRB',
  GNR: 'GnR',
  GSR: 'GsR',
  PR: 'PR',
  VR: 'VR',
}
const registerForm =
  /^(.*?)\b(HRA|HRB|GNR|GSR|PR|VR) ?(?:NR)?[.:]? ?0*([1-9]\d{0,5})(?: ?((?!AG\b)[A-Z]{1,2})(?![A-ZÄÖÜ]))?(.*)$/
const courtForm = /^[A-ZÄÖÜ][A-ZÄÖÜ .()/-]*$/
const lengthMax = 30

function readPerson(text: string): PersonNumber | Fault {
  const digits = text.replace(/[./-]/g, '')
  if (!personForm.test(digits)) return 'form'
  if (!validateIdnr(digits).isValid || !repeatsOneDigit(digits)) return 'checkDigit'
  return { idNumber: digits, dateOfBirth: null, gender: 0 }
}

function repeatsOneDigit(digits: string): boolean {
  const counts = new Map<string, number>()
  for (const digit of digits.slice(0, 10)) counts.set(digit, (counts.get(digit) ?? 0) + 1)
  const repeated = [...counts.values()].filter((count) => count > 1)
  return repeated.length === 1 && repeated[0]! <= 3
}

function readOrganisation(text: string): OrganisationNumber | Fault {
  const [, digits, suffix = ''] = vatForm.exec(text.replace(/[ ./]/g, '')) ?? []
  if (digits) return validateVat(digits).isValid ? { idNumber: `DE${digits}${suffix}` } : 'checkDigit'
  return readRegisterEntry(text)
}

function readRegisterEntry(text: string): OrganisationNumber | Fault {
  const [, before = '', register, number, letters, after = ''] = registerForm.exec(text) ?? []
  if (!register || !number) return 'form'
  const courts = [courtTown(before), courtTown(after)].filter(Boolean)
  if (courts.length > 1 || !courts.every((court) => courtForm.test(court))) return 'form'
  const entry = [registers[register], number, letters].filter(Boolean).join(' ')
  const idNumber = [entry, ...courts].join(', ')
  return idNumber.length <= lengthMax ? { idNumber } : 'form'
}

/** The town of the court, without the word for court and surrounding commas. */
const courtTown = (text: string) =>
  text
    .replace(/^[ ,]+|[ ,]+$/g, '')
    .replace(/^(?:AMTSGERICHT|REGISTERGERICHT|AG)(?: |$)/, '')
    .trim()

export const germany: CountryRules = {
  person: {
    name: 'a German tax identification number',
    form: 'NNNNNNNNNNN (eleven digits)',
    example: '10000000000',
    read: readPerson,
  },
  organisation: {
    name: 'a German VAT number or register entry',
    form: 'DENNNNNNNNN or HRB NNNNN, with the court if wanted',
    example: 'DE100000000',
    keepsBlanks: true,
    read: readOrganisation,
  },
}
