/** Writes and reads days as the reader does. A day is `YYYY-MM-DD`. Pure. */
import { addDays, addYears, daysBetween, isDate } from '../../../core/calendar/calendar.ts'

type Part = 'year' | 'month' | 'day'
const isPart = (type: string): type is Part => ['year', 'month', 'day'].includes(type)

export interface DayReading {
  culture: string
  /** What `+14` counts from, and what a missing year is nearest to. */
  today: string
  min?: string | undefined
  max?: string | undefined
}

const formatter = (culture: string, options: Intl.DateTimeFormatOptions) =>
  new Intl.DateTimeFormat(culture, {
    ...options,
    timeZone: 'UTC',
    calendar: 'gregory',
    numberingSystem: 'latn',
  })

const toDate = (day: string) => new Date(`${day}T00:00:00Z`)
const numeric = { year: 'numeric', month: '2-digit', day: '2-digit' } as const
/** Marks of writing direction, which nobody types. */
const withoutMarks = (text: string) => text.replaceAll(/[\u200E\u200F\u061C]/g, '')

/** In numbers, such as 2026-12-31 or 31.12.2026. Any other text stays as it is. */
export const writeDay = (day: string, culture: string): string =>
  isDate(day) ? withoutMarks(formatter(culture, numeric).format(toDate(day))) : day

/** With its weekday and the name of its month. */
export const sayDay = (day: string, culture: string): string =>
  formatter(culture, { dateStyle: 'full' }).format(toDate(day))

export const nameMonth = (day: string, culture: string): string =>
  formatter(culture, { year: 'numeric', month: 'long' }).format(toDate(day))

/** The weekday, whole or as short as in the head of a calendar. */
export const nameWeekday = (day: string, culture: string, weekday: 'long' | 'short'): string =>
  formatter(culture, { weekday }).format(toDate(day))

/** The format with one letter per digit, such as `YYYY-MM-DD`. */
export const describeFormat = (culture: string, letters: Record<Part, string>): string =>
  withoutMarks(
    formatter(culture, numeric)
      .formatToParts(toDate('2026-12-31'))
      .map(({ type, value }) => (isPart(type) ? letters[type].repeat(value.length) : value))
      .join(''),
  )

/** The first day of the week: 1 is Monday, 7 is Sunday. Monday where the browser does not know. */
export function findFirstWeekday(culture: string): number {
  const locale: Intl.Locale & { getWeekInfo?: () => { firstDay: number } } = new Intl.Locale(culture)
  return locale.getWeekInfo?.().firstDay ?? 1
}

const findOrder = (culture: string, options: Intl.DateTimeFormatOptions): Part[] =>
  formatter(culture, options)
    .formatToParts(toDate('2026-12-31'))
    .map(({ type }) => type)
    .filter(isPart)

const pad = (text: string, length: number) => text.padStart(length, '0')

/**
 * The day that a text means; undefined for none. Reads the reader's format, ISO 8601, both with a short year or none,
 * with or without separators, and days from today such as `+14`.
 */
export function readDay(typed: string, reading: DayReading): string | undefined {
  const text = withoutMarks(typed).trim()
  if (/^[+-]\d{1,4}$/.test(text)) return addDays(reading.today, Number(text))
  const whole = findOrder(reading.culture, numeric)
  const digits = /^\d+$/.test(text) ? splitDigits(text, whole) : undefined
  if (digits) return digits.map((numbers) => joinDay(numbers, reading)).find(Boolean)
  if (!/^\d{1,4}(?:[\s./-]+\d{1,4}){1,2}\.?$/.test(text)) return undefined
  const numbers = text.match(/\d+/g)!
  const short = findOrder(reading.culture, { month: 'numeric', day: 'numeric' })
  return joinDay(assign(numbers, findWritten(numbers, whole, short)), reading)
}

/** In which order numbers with separators stand: four digits are the year. */
function findWritten(numbers: string[], whole: Part[], short: Part[]): Part[] {
  if (numbers.length === 2) return short
  if (numbers[0]!.length > 2) return ['year', 'month', 'day']
  return numbers[2]!.length > 2 && whole[0] === 'year' ? [...short, 'year'] : whole
}

type Numbers = Partial<Record<Part, string>>
const assign = (numbers: string[], order: Part[]): Numbers =>
  Object.fromEntries(order.map((part, index) => [part, numbers[index]!]))

/** What a number without separators may mean, the likeliest first. */
function splitDigits(text: string, whole: Part[]): Numbers[] {
  const cut = (order: Part[], yearDigits: number) => {
    let at = 0
    return assign(
      order.map((part) => text.slice(at, (at += part === 'year' ? yearDigits : 2))),
      order,
    )
  }
  switch (text.length) {
    case 4:
      return [
        cut(
          whole.filter((part) => part !== 'year'),
          0,
        ),
      ]
    case 6:
      return [cut(whole, 2)]
    case 8:
      return [cut(whole, 4), cut(['year', 'month', 'day'], 4)]
    default:
      return []
  }
}

function joinDay({ year, month, day }: Numbers, reading: DayReading): string | undefined {
  const rest = `${pad(month!, 2)}-${pad(day!, 2)}`
  if (year === undefined) return findNearest(rest, reading)
  const joined = `${year.length > 2 ? pad(year, 4) : findCentury(year, reading.today)}-${rest}`
  return isDate(joined) && joined >= '1900' && joined < '2200' ? joined : undefined
}

/** A year of two digits is at most twenty years ahead. */
function findCentury(year: string, today: string): string {
  const century = today.slice(0, 2)
  const full = `${century}${pad(year, 2)}`
  return Number(full) > Number(today.slice(0, 4)) + 20 ? String(Number(full) - 100) : full
}

/** Without a year: of the days that the field takes, the one nearest to today. */
function findNearest(rest: string, { today, min, max }: DayReading): string | undefined {
  const days = [-1, 0, 1].map((years) => `${addYears(today, years).slice(0, 4)}-${rest}`).filter(isDate)
  const taken = days.filter((day) => (min === undefined || day >= min) && (max === undefined || day <= max))
  const distance = (day: string) => Math.abs(daysBetween(today, day))
  return (taken.length > 0 ? taken : days).toSorted((a, b) => distance(a) - distance(b))[0]
}

const pattern = /^(.+?)[\s,T]+(\d{1,2})[:.](\d{2})\s*(am|pm)?$/i

/** A day and a time of the clock, as `YYYY-MM-DDTHH:MM`. A day alone is its beginning. */
export function readMoment(typed: string, reading: DayReading): string | undefined {
  const [, dayText, hours, minutes, half] =
    pattern.exec(withoutMarks(typed).trim().replaceAll(/\s/g, ' ')) ?? []
  const day = readDay(dayText ?? typed, reading)
  if (day === undefined || hours === undefined) return day && `${day}T00:00`
  const hour = half ? (Number(hours) % 12) + (/p/i.test(half) ? 12 : 0) : Number(hours)
  return hour > 23 || Number(minutes) > 59 ? undefined : `${day}T${pad(String(hour), 2)}:${minutes}`
}

export const isMoment = (text: string): boolean =>
  isDate(text.slice(0, 10)) && /^T\d\d:\d\d$/.test(text.slice(10))

export const writeMoment = (moment: string, culture: string): string =>
  isMoment(moment)
    ? withoutMarks(
        `${writeDay(moment.slice(0, 10), culture)} ${formatter(culture, { timeStyle: 'short' }).format(new Date(`${moment}Z`))}`,
      )
    : moment
