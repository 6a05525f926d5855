/**
 * Norwegian numbers.
 * Fødselsnummer and D-number: folkeregisterforskriften § 2-2-1 ff. D-number: day plus 40. H-number: month
 * plus 40. Synthetic numbers of Skatteetaten's Tenor: month plus 80. The individual number (digits 7 to 9)
 * gives the century.
 * From 2032 the first control digit also allows remainders 1 to 3. Such a number no longer contains century
 * or sex (Skatteetaten, "nytt fødselsnummer fra 2032").
 * Organisasjonsnummer: modulus 11 (Brønnøysundregistrene).
 *
 * Normal forms: eleven digits and nine digits.
 */
import { idnr } from '@navikt/fnrvalidator'
import { validate as validateOrgnr } from 'stdnum/lib/cjs/no/orgnr.js'
import {
  makeBirthDate,
  genderFromDigit,
  type CountryRules,
  type Fault,
  type OrganisationNumber,
  type PersonNumber,
} from './number-rules.ts'

const personForm = /^(\d{6})[-.]?(\d{5})$/
const organisationForm = /^(?:NO-?)?(\d{3})\.?(\d{3})\.?(\d{3})(?:MVA)?$/
const weights = [3, 7, 6, 1, 8, 9, 4, 5, 2, 1]

function readPerson(text: string, today: string): PersonNumber | Fault {
  const match = personForm.exec(text)
  if (!match) return 'form'
  const digits = `${match[1]}${match[2]}`
  const result = idnr(digits)
  if (result.status === 'invalid') {
    return result.reasons.includes('invalid date') ? 'birthDate' : 'checkDigit'
  }
  if (!tellsCentury(digits)) return { idNumber: digits, dateOfBirth: null, gender: 0 }

  const year = birthYear(Number(digits.slice(4, 6)), Number(digits.slice(6, 9)))
  const month = Number(digits.slice(2, 4)) % 40
  const day = Number(digits.slice(0, 2)) % 40
  const dateOfBirth = year && makeBirthDate(year, month, day, today)
  if (!dateOfBirth) return 'birthDate'
  return { idNumber: digits, dateOfBirth, gender: genderFromDigit(Number(digits[8])) }
}

/** Returns whether the first control digit is of the kind issued before 2032. */
function tellsCentury(digits: string): boolean {
  let sum = 0
  for (const [index, weight] of weights.entries()) sum += weight * Number(digits[index])
  return sum % 11 === 0
}

function birthYear(yy: number, individual: number): number | null {
  if (individual < 500) return 1900 + yy
  if (individual < 750 && yy >= 54) return 1800 + yy
  if (yy < 40) return 2000 + yy
  return individual >= 900 ? 1900 + yy : null
}

function readOrganisation(text: string): OrganisationNumber | Fault {
  const [, a, b, c] = organisationForm.exec(text) ?? []
  if (!a || !b || !c) return 'form'
  return validateOrgnr(a + b + c).isValid ? { idNumber: a + b + c } : 'checkDigit'
}

export const norway: CountryRules = {
  person: {
    name: 'a Norwegian birth number or D-number',
    form: 'DDMMYYNNNNN (eleven digits)',
    example: '01019000000',
    read: readPerson,
  },
  organisation: {
    name: 'a Norwegian organisation number',
    form: 'NNNNNNNNN (nine digits)',
    example: '900000000',
    read: readOrganisation,
  },
}
