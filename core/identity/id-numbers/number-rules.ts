/** Types and helpers shared by the number rules of each country. */

export type Gender = 0 | 1 | 2

export interface PersonNumber {
  /** The normal form. */
  idNumber: string
  /** `YYYY-MM-DD`. Null when the number does not contain it. */
  dateOfBirth: string | null
  /** 0 unknown, 1 male, 2 female. */
  gender: Gender
}
export interface OrganisationNumber {
  idNumber: string
}

/** Why a number is refused: wrong form, impossible date of birth up to today, or wrong check digit. */
export type Fault = 'form' | 'birthDate' | 'checkDigit'

export interface Kind<T> {
  /** With its article, for example `a Swedish personal identity number`. */
  name: string
  /** The expected form, for error messages. */
  form: string
  /** Has the right form but is not a valid number, so error messages may show it. */
  example: string
  /** True if blanks are significant. Otherwise they are removed before reading. */
  keepsBlanks?: true
  /** `text` has plain digits, plain hyphens and upper-case letters. `today` and `bornOn` are `YYYY-MM-DD`. */
  read: (text: string, today: string, bornOn?: string) => T | Fault
}

export interface CountryRules {
  /** The day in a personal number may be another one of the month of birth. */
  mayShiftDay?: true
  person: Kind<PersonNumber>
  organisation: Kind<OrganisationNumber>
}

/** The date as `YYYY-MM-DD`. Null when the calendar has no such day, or when it is after `today`. */
export function makeBirthDate(year: number, month: number, day: number, today: string): string | null {
  if (month < 1 || month > 12 || day < 1 || day > daysIn(year, month)) return null
  const date = `${year}-${String(month).padStart(2, '0')}-${String(day).padStart(2, '0')}`
  return date <= today ? date : null
}

function daysIn(year: number, month: number): number {
  if (month !== 2) return month === 4 || month === 6 || month === 9 || month === 11 ? 30 : 31
  return year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0) ? 29 : 28
}

/** Odd is male and even is female in SE, NO, DK and FI. */
export const genderFromDigit = (digit: number): Gender => (digit % 2 === 1 ? 1 : 2)
