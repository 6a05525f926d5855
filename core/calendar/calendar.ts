/**
 * Dates without a time or time zone, as text `YYYY-MM-DD` in the proleptic Gregorian calendar (ISO 8601),
 * years 0001 to 9999. Arithmetic uses day numbers (0 is 1970-01-01), so no clock or time zone affects it.
 *
 * One month later is the same day of the month, or the last day of a shorter month (BGB § 188(3); Regulation
 * (EEC, Euratom) No 1182/71 art. 3(2)(c)). Months count from the original date, not from a clamped one: 31
 * January, 28 February, 31 March.
 */
const daysBefore = [0, 31, 59, 90, 120, 151, 181, 212, 243, 273, 304, 334]

const isLeap = (year: number): boolean => year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0)
/** `month` is 1 to 12. */
export const daysInMonth = (year: number, month: number): number =>
  month === 2 ? (isLeap(year) ? 29 : 28) : month === 4 || month === 6 || month === 9 || month === 11 ? 30 : 31

const digits = (text: string, from: number, to: number): number => {
  let value = 0
  for (let index = from; index < to; index++) {
    const digit = text.charCodeAt(index) - 48
    if (!(digit >= 0 && digit <= 9)) return -1
    value = value * 10 + digit
  }
  return value
}

/** The three numbers of a date. Null for any other text. */
function parseDate(text: string): [year: number, month: number, day: number] | null {
  if (text.length !== 10 || text[4] !== '-' || text[7] !== '-') return null
  const [year, month, day] = [digits(text, 0, 4), digits(text, 5, 7), digits(text, 8, 10)]
  return year >= 1 && month >= 1 && month <= 12 && day >= 1 && day <= daysInMonth(year, month)
    ? [year, month, day]
    : null
}

function requireDate(text: string): [year: number, month: number, day: number] {
  const parts = parseDate(text)
  if (!parts) throw new RangeError('A date is a day of the calendar written YYYY-MM-DD.')
  return parts
}

const pad = (value: number, length: number): string => String(value).padStart(length, '0')

function write(year: number, month: number, day: number): string {
  if (!(year >= 1 && year <= 9999)) throw new RangeError('A date lies in the years 0001 to 9999.')
  return `${pad(year, 4)}-${pad(month, 2)}-${pad(day, 2)}`
}

/**
 * Returns whether a text is a valid date, `YYYY-MM-DD`. All other functions here throw RangeError for an
 * invalid date.
 */
export const isDate = (text: string): boolean => parseDate(text) !== null

/** The number of days since 1970-01-01. Negative before that date. */
export function toDayNumber(date: string): number {
  const [year, month, day] = requireDate(date)
  const before = year - 1
  const leapDays = Math.floor(before / 4) - Math.floor(before / 100) + Math.floor(before / 400)
  return before * 365 + leapDays + daysBefore[month - 1]! + (month > 2 && isLeap(year) ? 1 : 0) + day - 719163
}

/** The date of a day number. */
export function fromDayNumber(dayNumber: number): string {
  if (!Number.isInteger(dayNumber)) throw new RangeError('A day number is a whole number.')
  const instant = new Date(dayNumber * 86_400_000)
  return write(instant.getUTCFullYear(), instant.getUTCMonth() + 1, instant.getUTCDate())
}

/** The number of days between two dates, first excluded, last included. Negative when `to` is earlier. */
export const daysBetween = (from: string, to: string): number => toDayNumber(to) - toDayNumber(from)

export const addDays = (date: string, days: number): string => fromDayNumber(toDayNumber(date) + days)

/** The date `months` months later, clamped to the last day of a shorter month. Negative months go back. */
export function addMonths(date: string, months: number): string {
  if (!Number.isInteger(months)) throw new RangeError('Months are added in whole numbers.')
  const [year, month, day] = requireDate(date)
  const count = year * 12 + month - 1 + months
  const [laterYear, laterMonth] = [Math.floor(count / 12), (((count % 12) + 12) % 12) + 1]
  return write(laterYear, laterMonth, Math.min(day, daysInMonth(laterYear, laterMonth)))
}

/** The date `years` years later. 29 February becomes 28 February in a common year. */
export const addYears = (date: string, years: number): string => addMonths(date, years * 12)

export const endOfMonth = (date: string): string => {
  const [year, month] = requireDate(date)
  return write(year, month, daysInMonth(year, month))
}

export const endOfYear = (date: string): string => write(requireDate(date)[0], 12, 31)

/** The ISO 8601 day of the week: 1 is Monday, 7 is Sunday. */
export const isoWeekday = (date: string): number => ((((toDayNumber(date) + 3) % 7) + 7) % 7) + 1

export const earliest = (a: string, b: string): string => (a < b ? a : b)
export const latest = (a: string, b: string): string => (a > b ? a : b)
