/**
 * Finnish numbers.
 * Henkilötunnus: valtioneuvoston asetus 128/2010 2 §, with the separators that asetus 690/2022 added for the
 * 1900s (Y X W V U) and the 2000s (B to F). Numbers that differ only in the separator belong to different
 * persons, so the separator is kept. Individual numbers start at 002. Numbers from 900 are artificial and
 * accepted too.
 * Y-tunnus: yritys- ja yhteisötietolaki (244/2001) 9 §.
 *
 * Normal forms: `DDMMYYSNNNC` in upper case (S is the separator) and `NNNNNNN-N`.
 */
import { validate as validateYtunnus } from 'stdnum/lib/cjs/fi/ytunnus.js'
import {
  makeBirthDate,
  genderFromDigit,
  type CountryRules,
  type Fault,
  type OrganisationNumber,
  type PersonNumber,
} from './number-rules.ts'

const personForm = /^(\d\d)(\d\d)(\d\d)([-+YXWVUA-F])(\d{3})([0-9A-FHJ-NPR-Y])$/
/** Numbers issued before 2001 may have six digits before the hyphen. */
const organisationForm = /^(?:(\d{6,7})-|(?:FI-?)?(\d{7}))(\d)$/
const checkCharacters = '0123456789ABCDEFHJKLMNPRSTUVWXY'

function readPerson(text: string, today: string): PersonNumber | Fault {
  const [, day, month, yy, separator, individual, check] = personForm.exec(text) ?? []
  if (!day || !month || !yy || !separator || !individual || !check) return 'form'
  const dateOfBirth = makeBirthDate(birthCentury(separator) + Number(yy), Number(month), Number(day), today)
  if (!dateOfBirth || Number(individual) < 2) return 'birthDate'
  if (checkCharacters[Number(day + month + yy + individual) % 31] !== check) return 'checkDigit'
  return { idNumber: text, dateOfBirth, gender: genderFromDigit(Number(individual)) }
}

function birthCentury(separator: string): number {
  if (separator === '+') return 1800
  return separator >= 'A' && separator <= 'F' ? 2000 : 1900
}

function readOrganisation(text: string): OrganisationNumber | Fault {
  const [, hyphened, plain, check] = organisationForm.exec(text) ?? []
  const digits = (hyphened ?? plain)?.padStart(7, '0')
  if (!digits || !check) return 'form'
  return validateYtunnus(digits + check).isValid ? { idNumber: `${digits}-${check}` } : 'checkDigit'
}

export const finland: CountryRules = {
  person: {
    name: 'a Finnish personal identity code',
    form: 'DDMMYY-NNNC or with another of the separators + Y X W V U A B C D E F',
    example: '010190-000A',
    read: readPerson,
  },
  organisation: {
    name: 'a Finnish business ID',
    form: 'NNNNNNN-N',
    example: '1000000-0',
    read: readOrganisation,
  },
}
