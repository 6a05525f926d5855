/**
 * Public holidays and the days treated like them when a payment falls due, for SE, NO, DK, FI, DE and IS.
 *
 * Sources: SE lag (1989:253) om allmänna helgdagar and lag (1930:173) om beräkning av lagstadgad tid 2 § (Saturdays and
 * three eves count as Sundays); NO lov 1995-02-24 nr 12 om helligdager § 2 and lov 1947-04-26 nr 1; DK helligdage of the
 * church, Store bededag until 2023 (lov nr 214 of 2023-03-06), 5 June and 24 December as the banks keep them; FI laki
 * 388/1937, kirkkolaki 652/2023 and laki 150/1930 5 § (eves of Christmas and midsummer); DE Einigungsvertrag art. 2 and
 * the holidays that all sixteen Länder have, BGB § 193 (Saturdays); IS lög 88/1971 6. gr. (half days counted whole).
 * Easter is the Gregorian computus (Butcher's form). A test compares the public days with those of `date-holidays`.
 */
import { addDays, isoWeekday } from './calendar.ts'

export const holidayCountries = ['SE', 'NO', 'DK', 'FI', 'DE', 'IS'] as const
export type HolidayCountry = (typeof holidayCountries)[number]

interface Rule {
  name: string
  /** `MM-DD`; or days after Easter Sunday; or the first `weekday` (1 is Monday) on or after `MM-DD`. */
  on: string | number | { weekday: number; from: string }
  /** Public: a holiday by law. Closed: treated like a Sunday for payments only. */
  kind?: 'closed'
  firstYear?: number
  lastYear?: number
}

const easter = (from: string[]): Rule[] => {
  const days: Record<string, [string, number]> = {
    thursday: ['Maundy Thursday', -3],
    friday: ['Good Friday', -2],
    sunday: ['Easter Sunday', 0],
    monday: ['Easter Monday', 1],
    ascension: ['Ascension Day', 39],
    whit: ['Whit Sunday', 49],
    whitMonday: ['Whit Monday', 50],
  }
  return from.map((key) => ({ name: days[key]![0], on: days[key]![1] }))
}
const fixed = (on: string, name: string, more: Partial<Rule> = {}): Rule => ({ on, name, ...more })
const newYear = fixed('01-01', "New Year's Day")
const labour = fixed('05-01', 'Labour Day')
const christmas = [fixed('12-25', 'Christmas Day'), fixed('12-26', 'Second Day of Christmas')]
const all = ['thursday', 'friday', 'sunday', 'monday', 'ascension', 'whit', 'whitMonday']
const midsummerEve: Rule = { name: 'Midsummer Eve', on: { weekday: 5, from: '06-19' }, kind: 'closed' }
const northern: Rule[] = [
  fixed('01-06', 'Epiphany'),
  midsummerEve,
  { name: 'Midsummer Day', on: { weekday: 6, from: '06-20' } },
  { name: "All Saints' Day", on: { weekday: 6, from: '10-31' } },
  fixed('12-24', 'Christmas Eve', { kind: 'closed' }),
]

const rules: Record<HolidayCountry, readonly Rule[]> = {
  SE: [
    newYear,
    ...northern,
    ...easter(['friday', 'sunday', 'monday', 'ascension', 'whit']),
    { name: 'Whit Monday', on: 50, lastYear: 2004 },
    labour,
    fixed('06-06', 'National Day', { firstYear: 2005 }),
    ...christmas,
    fixed('12-31', "New Year's Eve", { kind: 'closed' }),
  ],
  NO: [newYear, ...easter(all), labour, fixed('05-17', 'Constitution Day'), ...christmas],
  DK: [
    newYear,
    ...easter(all),
    { name: 'Great Prayer Day', on: 26, lastYear: 2023 },
    fixed('06-05', 'Constitution Day', { kind: 'closed' }),
    fixed('12-24', 'Christmas Eve', { kind: 'closed' }),
    ...christmas,
  ],
  FI: [
    newYear,
    ...northern,
    ...easter(['friday', 'sunday', 'monday', 'ascension', 'whit']),
    labour,
    fixed('12-06', 'Independence Day'),
    ...christmas,
  ],
  DE: [
    newYear,
    ...easter(['friday', 'monday', 'ascension', 'whitMonday']),
    labour,
    fixed('10-03', 'Day of German Unity', { firstYear: 1990 }),
    { name: 'Reformation Day 2017', on: '10-31', firstYear: 2017, lastYear: 2017 },
    ...christmas,
  ],
  IS: [
    newYear,
    ...easter(all),
    { name: 'First Day of Summer', on: { weekday: 4, from: '04-19' } },
    labour,
    fixed('06-17', 'National Day'),
    { name: 'Commerce Day', on: { weekday: 1, from: '08-01' } },
    fixed('12-24', 'Christmas Eve'),
    ...christmas,
    fixed('12-31', "New Year's Eve"),
  ],
}

/** Easter Sunday of a Gregorian year. */
export function easterSunday(year: number): string {
  const [a, b, c] = [year % 19, Math.floor(year / 100), year % 100]
  const [d, e, f] = [Math.floor(b / 4), b % 4, Math.floor((b + 8) / 25)]
  const h = (19 * a + b - d - Math.floor((b - f + 1) / 3) + 15) % 30
  const l = (32 + 2 * e + 2 * Math.floor(c / 4) - h - (c % 4)) % 7
  const m = Math.floor((a + 11 * h + 22 * l) / 451)
  const count = h + l - 7 * m + 114
  return day(year, `0${Math.floor(count / 31)}-${String((count % 31) + 1).padStart(2, '0')}`)
}

const day = (year: number, monthDay: string): string => `${String(year).padStart(4, '0')}-${monthDay}`

function ruleDate({ on }: Rule, year: number): string {
  if (typeof on === 'string') return day(year, on)
  if (typeof on === 'number') return addDays(easterSunday(year), on)
  const from = day(year, on.from)
  return addDays(from, (on.weekday - isoWeekday(from) + 7) % 7)
}

export interface Holiday {
  date: string
  /** The English name. */
  name: string
  kind: 'public' | 'closed'
}

const holidayCache = new Map<string, readonly Holiday[]>()
const closedDays = new Map<string, ReadonlySet<string>>()

/** Returns whether holidays are known for a country (alpha-2). Elsewhere only weekends are free. */
const hasHolidays = (country: string): country is HolidayCountry =>
  (holidayCountries as readonly string[]).includes(country)

/** The holidays of a year in a country, by date. Cached. Empty for a country without rules. */
export function listHolidays(country: string, year: number): readonly Holiday[] {
  if (!hasHolidays(country)) return []
  const key = `${country}${year}`
  const found = holidayCache.get(key)
  if (found) return found
  const holidays = rules[country]
    .filter(({ firstYear = 1, lastYear = 9999 }) => year >= firstYear && year <= lastYear)
    .map((rule): Holiday => ({ date: ruleDate(rule, year), name: rule.name, kind: rule.kind ?? 'public' }))
    .toSorted((a, b) => (a.date < b.date ? -1 : a.date > b.date ? 1 : 0))
  holidayCache.set(key, holidays)
  closedDays.set(key, new Set(holidays.map(({ date }) => date)))
  return holidays
}

/** Returns whether payments can be made: not on a Saturday, a Sunday or a holiday of the country. */
export function isBusinessDay(date: string, country: string): boolean {
  if (isoWeekday(date) > 5) return false
  const year = Number(date.slice(0, 4))
  return listHolidays(country, year).length === 0 || !closedDays.get(`${country}${year}`)!.has(date)
}

/** The date itself if it is a business day, else the next business day. */
export function nextBusinessDay(date: string, country: string): string {
  let next = date
  while (!isBusinessDay(next, country)) next = addDays(next, 1)
  return next
}
