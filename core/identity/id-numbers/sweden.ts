/**
 * Swedish numbers.
 * Personnummer: folkbokföringslagen (1991:481) 18 §. The hyphen becomes a plus in the year of the 100th
 * birthday.
 * Samordningsnummer: the same law 18 a §, the day plus 60 (Skatteverket SKV 707).
 * Where no number is left for a birthday, the day is a near one of the month (18 § third paragraph, SFS 2009:272).
 * Organisationsnummer: lag (1974:174) om identitetsbeteckning för juridiska personer m.fl. Its third digit is
 * at least 2, which distinguishes it from a date of birth. The twelve-digit form begins with 16.
 *
 * Normal forms: `YYYYMMDD-NNNN` and `NNNNNN-NNNN`. Libraries for personal numbers read the machine's clock,
 * therefore the rules are implemented here with `today` as a parameter.
 */
import { isLuhn } from '../check-digit.ts'
import {
  makeBirthDate,
  genderFromDigit,
  type CountryRules,
  type Fault,
  type OrganisationNumber,
  type PersonNumber,
} from './number-rules.ts'

const personForm = /^(18|19|20)?(\d\d)([01]\d)(\d\d)([-+]?)(\d{3})(\d)$/
const organisationForm = /^(?:16)?([1-9]\d[2-9]\d{3})-?(\d{4})$/
const vatForm = /^SE(\d{6})-?(\d{4})01$/

function readPerson(text: string, today: string, bornOn?: string): PersonNumber | Fault {
  const [, century, yy, month, day, sign, serial, check] = personForm.exec(text) ?? []
  if (!yy || !month || !day || !serial || !check) return 'form'
  const dayOfBirth = Number(day) > 60 ? Number(day) - 60 : Number(day)
  const birthDateIn = (year: number) => makeBirthDate(year, Number(month), dayOfBirth, today)

  let dateOfBirth: string | null
  if (century) {
    dateOfBirth = birthDateIn(Number(century + yy))
  } else if (!sign && bornOn?.slice(2, 4) === yy) {
    dateOfBirth = birthDateIn(Number(bornOn.slice(0, 4)))
  } else {
    const year = findLatestYear(Number(yy), Number(today.slice(0, 4)) - (sign === '+' ? 100 : 0))
    // With a hyphen and a day still to come this year, only a person who turns 100 this year can be meant.
    dateOfBirth = birthDateIn(year) ?? birthDateIn(year - 100)
  }
  if (!dateOfBirth || serial === '000') return 'birthDate'
  if (!isLuhn(yy + month + day + serial + check)) return 'checkDigit'
  return {
    idNumber: `${dateOfBirth.slice(0, 4)}${month}${day}-${serial}${check}`,
    dateOfBirth,
    gender: genderFromDigit(Number(serial[2])),
  }
}

/** The last year up to `latest` that ends with the two digits `yy`. */
const findLatestYear = (yy: number, latest: number) => latest - ((((latest - yy) % 100) + 100) % 100)

function readOrganisation(text: string, today: string, bornOn?: string): OrganisationNumber | Fault {
  const bare = text.replace(vatForm, '$1$2')
  const [, front, back] = organisationForm.exec(bare) ?? []
  if (front && back) return isLuhn(front + back) ? { idNumber: `${front}-${back}` } : 'checkDigit'
  // A sole trader uses the personal number as organisation number.
  const person = readPerson(bare, today, bornOn)
  return typeof person === 'string' ? person : { idNumber: person.idNumber }
}

export const sweden: CountryRules = {
  mayShiftDay: true,
  person: {
    name: 'a Swedish personal identity or coordination number',
    form: 'YYYYMMDD-NNNN or YYMMDD-NNNN',
    example: '19900101-0000',
    read: readPerson,
  },
  organisation: {
    name: 'a Swedish organisation number',
    form: 'NNNNNN-NNNN',
    example: '556000-0000',
    read: readOrganisation,
  },
}
