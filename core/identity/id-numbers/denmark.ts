/**
 * Danish numbers.
 * Personnummer (CPR): DDMMYY-NNNN. The seventh digit with the year gives the century, the last digit the sex.
 * Since 2007 numbers that fail modulus 11 are issued, so it is not checked (CPR-kontoret, "Personnummeret i
 * CPR").
 * CVR: CVR-loven § 4. Eight digits, modulus 11.
 *
 * Normal forms: `DDMMYY-NNNN` and eight digits.
 */
import { validate as validateCvr } from 'stdnum/lib/cjs/dk/cvr.js'
import {
  makeBirthDate,
  genderFromDigit,
  type CountryRules,
  type Fault,
  type OrganisationNumber,
  type PersonNumber,
} from './number-rules.ts'

const personForm = /^(\d\d)(\d\d)(\d\d)-?(\d{4})$/
const organisationForm = /^(?:DK-?)?([1-9]\d{7})$/

function readPerson(text: string, today: string): PersonNumber | Fault {
  const [, day, month, yy, serial] = personForm.exec(text) ?? []
  if (!day || !month || !yy || !serial) return 'form'
  const year = birthCentury(Number(yy), Number(serial[0])) + Number(yy)
  const dateOfBirth = makeBirthDate(year, Number(month), Number(day), today)
  if (!dateOfBirth) return 'birthDate'
  return {
    idNumber: `${day}${month}${yy}-${serial}`,
    dateOfBirth,
    gender: genderFromDigit(Number(serial[3])),
  }
}

function birthCentury(yy: number, seventh: number): number {
  if (seventh <= 3) return 1900
  if (seventh === 4 || seventh === 9) return yy <= 36 ? 2000 : 1900
  return yy <= 57 ? 2000 : 1800
}

function readOrganisation(text: string): OrganisationNumber | Fault {
  const digits = organisationForm.exec(text)?.[1]
  if (!digits) return 'form'
  return validateCvr(digits).isValid ? { idNumber: digits } : 'checkDigit'
}

export const denmark: CountryRules = {
  person: {
    name: 'a Danish personal identity number (CPR)',
    form: 'DDMMYY-NNNN',
    example: '310290-0000',
    read: readPerson,
  },
  organisation: {
    name: 'a Danish company number (CVR)',
    form: 'NNNNNNNN (eight digits)',
    example: '10000000',
    read: readOrganisation,
  },
}
