/** Date-times of the API (RFC 3339 section 5.6) and business dates, as text. */

const pattern =
  /^(\d{4})-(\d{2})-(\d{2})(?:[Tt](\d{2}):(\d{2}):(\d{2})(?:\.\d{1,9})?(?:[Zz]|[+-](\d{2}):(\d{2})))?$/
const monthLengths = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]

const isLeapYear = (year: number) => (year % 4 === 0 && year % 100 !== 0) || year % 400 === 0

/**
 * Returns whether a text is an RFC 3339 date-time with an offset, or a plain date, in the years 1 to 9999.
 */
export function isDateTime(text: string): boolean {
  const match = pattern.exec(text)
  if (!match) return false
  const [year, month, day, hour, minute, second, offsetHour, offsetMinute] = match
    .slice(1)
    .map((part) => Number(part ?? 0)) as [number, number, number, number, number, number, number, number]
  if (year < 1 || month < 1 || month > 12) return false
  const days = month === 2 && isLeapYear(year) ? 29 : monthLengths[month - 1]!
  return (
    day >= 1 &&
    day <= days &&
    hour <= 23 &&
    minute <= 59 &&
    second <= 59 &&
    offsetHour <= 23 &&
    offsetMinute <= 59
  )
}

/**
 * The business date of a date-time, as midnight UTC. It is the calendar day as the sender wrote it: the
 * offset is ignored, because a due date or a birthday has no time zone.
 */
export const toMidnight = (dateTime: string): string => `${dateTime.slice(0, 10)}T00:00:00Z`

/** Like `toMidnight`, for a day that may be null. */
export const toMidnightOrNull = (day: string | null): string | null => (day === null ? null : toMidnight(day))

/** The date part, YYYY-MM-DD. */
export const datePart = (dateTime: string): string => dateTime.slice(0, 10)

/** The local date in a time zone at an instant, YYYY-MM-DD. */
export const localDate = (timeZone: string, instant: Date): string =>
  new Intl.DateTimeFormat('sv-SE', { timeZone, dateStyle: 'short' }).format(instant)

/** Names that were looked up: making a format takes longer than all else that is checked of a debtor. */
const knownZones = new Set<string>()
const knownZonesMax = 1000

/** Returns whether a text is the name of a time zone (IANA). */
export function isTimeZone(name: string): boolean {
  if (knownZones.has(name)) return true
  try {
    const isZone =
      Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions().timeZone !== '' && !/^[+-]/.test(name)
    if (isZone && knownZones.size < knownZonesMax) knownZones.add(name)
    return isZone
  } catch {
    return false
  }
}
