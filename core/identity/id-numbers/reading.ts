/** What the rules of one country find in a number. */

export type Gender = 0 | 1 | 2

export interface PersonNumber {
  /** The normal form. */
  idNumber: string
  /** `YYYY-MM-DD`; null when the number doesn't tell. */
  dateOfBirth: string | null
  /** 0 unknown, 1 male, 2 female. */
  gender: Gender
}
export interface OrganisationNumber {
  idNumber: string
}

/** Why a number is refused: not of the form, no possible date of birth up to today, or a wrong check digit. */
export type Fault = 'form' | 'birthDate' | 'checkDigit'

export interface Kind<T> {
  /** With its article: `a Swedish personal identity number`. */
  name: string
  /** How to write it. */
  form: string
  /** Looks like one and is none: an error text may show it without naming anyone. */
  example: string
  /** Whether blanks mean something in it; else they are taken out before it is read. */
  keepsBlanks?: true
  /** `text` has plain digits, plain hyphens and capital letters; `today` is `YYYY-MM-DD`. */
  read: (text: string, today: string) => T | Fault
}

export interface CountryRules {
  person: Kind<PersonNumber>
  organisation: Kind<OrganisationNumber>
}

/** `YYYY-MM-DD` of a day of the calendar that is not after `today`; else null. */
export function birthDateOf(year: number, month: number, day: number, today: string): string | null {
  if (month < 1 || month > 12 || day < 1 || day > daysIn(year, month)) return null
  const date = `${year}-${String(month).padStart(2, '0')}-${String(day).padStart(2, '0')}`
  return date <= today ? date : null
}

function daysIn(year: number, month: number): number {
  if (month !== 2) return month === 4 || month === 6 || month === 9 || month === 11 ? 30 : 31
  return year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0) ? 29 : 28
}

/** Odd is male and even is female in SE, NO, DK and FI alike. */
export const genderOf = (digit: number): Gender => (digit % 2 === 1 ? 1 : 2)
