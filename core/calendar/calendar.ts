/**
 * Days without time or zone, as text `YYYY-MM-DD` of the proleptic Gregorian calendar (ISO 8601), years 0001 to 9999.
 * Counting goes by day number, 0 being 1970-01-01, so that no time zone or clock has a say.
 *
 * A month later is the same day of the month, or the month's last where it has none (BGB § 188(3); Regulation
 * (EEC, Euratom) No 1182/71 art. 3(2)(c)). Months are counted from the first date, never from the clamped one:
 * 31 January, 28 February, 31 March.
 */
const daysBefore = [0, 31, 59, 90, 120, 151, 181, 212, 243, 273, 304, 334]

const isLeap = (year: number): boolean => year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0)
const lengthOf = (year: number, month: number): number =>
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

/** The three numbers of a date, or null for anything else. */
function partsOf(text: string): [year: number, month: number, day: number] | null {
  if (text.length !== 10 || text[4] !== '-' || text[7] !== '-') return null
  const [year, month, day] = [digits(text, 0, 4), digits(text, 5, 7), digits(text, 8, 10)]
  return year >= 1 && month >= 1 && month <= 12 && day >= 1 && day <= lengthOf(year, month)
    ? [year, month, day]
    : null
}

function demand(text: string): [year: number, month: number, day: number] {
  const parts = partsOf(text)
  if (!parts) throw new RangeError('A date is a day of the calendar written YYYY-MM-DD.')
  return parts
}

const pad = (value: number, length: number): string => String(value).padStart(length, '0')

function write(year: number, month: number, day: number): string {
  if (!(year >= 1 && year <= 9999)) throw new RangeError('A date lies in the years 0001 to 9999.')
  return `${pad(year, 4)}-${pad(month, 2)}-${pad(day, 2)}`
}

/** Whether a text is a day of the calendar, `YYYY-MM-DD`. Every other function here throws RangeError for one that isn't. */
export const isDate = (text: string): boolean => partsOf(text) !== null

/** The days from 1970-01-01 to a date; below zero before. */
export function dayNumberOf(date: string): number {
  const [year, month, day] = demand(date)
  const before = year - 1
  const leapDays = Math.floor(before / 4) - Math.floor(before / 100) + Math.floor(before / 400)
  return before * 365 + leapDays + daysBefore[month - 1]! + (month > 2 && isLeap(year) ? 1 : 0) + day - 719163
}

/** The date of a day number. */
export function dateOf(dayNumber: number): string {
  if (!Number.isInteger(dayNumber)) throw new RangeError('A day number is a whole number.')
  const instant = new Date(dayNumber * 86_400_000)
  return write(instant.getUTCFullYear(), instant.getUTCMonth() + 1, instant.getUTCDate())
}

/** The days from one date to another; below zero when the second is earlier. First day excluded, last included. */
export const daysBetween = (from: string, to: string): number => dayNumberOf(to) - dayNumberOf(from)

export const addDays = (date: string, days: number): string => dateOf(dayNumberOf(date) + days)

/** The date so many months later (earlier below zero), clamped to the last day of a shorter month. */
export function addMonths(date: string, months: number): string {
  if (!Number.isInteger(months)) throw new RangeError('Months are added in whole numbers.')
  const [year, month, day] = demand(date)
  const count = year * 12 + month - 1 + months
  const [laterYear, laterMonth] = [Math.floor(count / 12), (((count % 12) + 12) % 12) + 1]
  return write(laterYear, laterMonth, Math.min(day, lengthOf(laterYear, laterMonth)))
}

/** The date so many years later; 29 February becomes the 28th in a common year. */
export const addYears = (date: string, years: number): string => addMonths(date, years * 12)

export const endOfMonth = (date: string): string => {
  const [year, month] = demand(date)
  return write(year, month, lengthOf(year, month))
}

export const endOfYear = (date: string): string => write(demand(date)[0], 12, 31)

/** The day of the week as ISO 8601 counts: 1 is Monday, 7 is Sunday. */
export const weekdayOf = (date: string): number => ((((dayNumberOf(date) + 3) % 7) + 7) % 7) + 1

export const earliest = (a: string, b: string): string => (a < b ? a : b)
export const latest = (a: string, b: string): string => (a > b ? a : b)
