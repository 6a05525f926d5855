/**
 * Kennitala, for persons and organisations; an organisation's day is 40 higher. The last digit gives the
 * century: 8, 9 or 0. Since 18 February 2026 Þjóðskrá issues numbers of persons without a check digit
 * ("Kennitölur án vartölu"), so only organisations' check digits are validated. Numbers that begin with 8 or
 * 9 (kerfiskennitölur) belong to persons outside the register and contain no date.
 *
 * Normal form: `DDMMYY-NNNN`.
 */
import {
  makeBirthDate,
  type CountryRules,
  type Fault,
  type OrganisationNumber,
  type PersonNumber,
} from './number-rules.ts'

const form = /^(\d\d)(\d\d)(\d\d)-?(\d{3})([890])$/
const systemForm = /^([89]\d{5})-?(\d{4})$/
const weights = [3, 2, 7, 6, 5, 4, 3, 2, 1]
const centuries: Record<string, number> = { 8: 1800, 9: 1900, 0: 2000 }

function readPerson(text: string, today: string): PersonNumber | Fault {
  const system = systemForm.exec(text)
  if (system) return { idNumber: `${system[1]}-${system[2]}`, dateOfBirth: null, gender: 0 }
  return read(text, today, 0)
}

function readOrganisation(text: string, today: string): OrganisationNumber | Fault {
  const found = read(text, today, 40)
  if (typeof found === 'string') return found
  return isChecked(text.replace('-', '')) ? { idNumber: found.idNumber } : 'checkDigit'
}

function read(text: string, today: string, dayOffset: number): PersonNumber | Fault {
  const [, day, month, yy, serial, century] = form.exec(text) ?? []
  if (!day || !month || !yy || !serial || !century) return 'form'
  if (Number(day) > 40 !== dayOffset > 0) return 'form'
  const date = makeBirthDate(centuries[century]! + Number(yy), Number(month), Number(day) - dayOffset, today)
  if (!date) return 'birthDate'
  return { idNumber: `${day}${month}${yy}-${serial}${century}`, dateOfBirth: date, gender: 0 }
}

function isChecked(digits: string): boolean {
  let sum = 0
  for (const [index, weight] of weights.entries()) sum += weight * Number(digits[index])
  return sum % 11 === 0
}

export const iceland: CountryRules = {
  person: {
    name: "an Icelandic person's kennitala",
    form: 'DDMMYY-NNNN',
    example: '310290-0009',
    read: readPerson,
  },
  organisation: {
    name: "an Icelandic organisation's kennitala",
    form: 'DDMMYY-NNNN with the day plus 40',
    example: '710290-0009',
    read: readOrganisation,
  },
}
