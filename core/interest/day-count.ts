/**
 * The day count of interest: how many days a year has. actual/365: always 365. actual/actual: those of the
 * calendar year, 366 in a leap year. 30/360: each month has 30 days, and no month a 31st (30E/360). The law packs
 * name the rule of each country with its validity dates; a contract may name another.
 */
import { toDayNumber } from '../calendar/calendar.ts'
import { civilToDayNumber, dayNumberToCivil, yearLength } from '../calendar/civil-day.ts'
import { findPack, findRule } from '../law/packs.ts'
import type { DayCount, RuleOf } from '../law/pack.ts'

export type { DayCount } from '../law/pack.ts'

/** 360: months of 30 days. */
export type YearDays = 360 | 365 | 366

/** From day number `days[i]` on a year has `yearDays[i]` days. `key` is equal for equal counts. */
export interface DayCounts {
  readonly key: string
  readonly days: readonly number[]
  readonly yearDays: readonly YearDays[]
}

/**
 * A part of a case's day count, as stored: from a day on (null: from the beginning) a count that a contract
 * or the past set, or the one that the law of a country names.
 */
export interface DayCountTerm {
  from: string | null
  basis?: DayCount
  country?: string | null
}

/** The day counts that a contract may name, as codes. */
export const dayCountCodes = ['ACTUAL_365', 'ACTUAL_ACTUAL'] as const
export type DayCountCode = (typeof dayCountCodes)[number]
const basisByCode: Record<DayCountCode, DayCount> = {
  ACTUAL_365: 'actual/365',
  ACTUAL_ACTUAL: 'actual/actual',
}

/** The terms of a contract. Null where the law decides. */
export const contractTerms = (code: DayCountCode | null): DayCountTerm[] | null =>
  code === null ? null : [{ from: null, basis: basisByCode[code] }]

/** The place of a day number in months of 30 days. The 31st of a month has that of the 30th. */
function placeInMonths(dayNumber: number): number {
  const { year, month, day } = dayNumberToCivil(dayNumber)
  return 360 * year + 30 * month + Math.min(day, 30)
}

/** The days of interest after the day number `from`, through `to`, where a year has `yearDays` days. */
export const countDays = (yearDays: YearDays, from: number, to: number): number =>
  yearDays === 360 ? placeInMonths(to) - placeInMonths(from) : to - from

/** The last day number through which each day after `day` counts as much as the first. Null: all of them do. */
export function lastEqualDay(yearDays: YearDays, day: number): number | null {
  if (yearDays !== 360) return null
  const count = countDays(360, day, day + 1)
  let last = day + 1
  while (countDays(360, last, last + 1) === count) last++
  return last
}

const startOfTime = Number.NEGATIVE_INFINITY

/** A year has 365 days, also in leap years. */
export const fixedYear: DayCounts = { key: '365', days: [startOfTime], yearDays: [365] }

/** Beyond the dates that Fordra takes (1900 to 2199). */
const [firstYear, lastYear] = [1896, 2300]

const calendarYear: Omit<DayCounts, 'key'> = (() => {
  const days = [startOfTime]
  const yearDays: YearDays[] = [365]
  for (let year = firstYear; year <= lastYear; year++) {
    if (yearLength(year) === yearDays.at(-1)) continue
    days.push(civilToDayNumber(year, 1, 1))
    yearDays.push(yearLength(year))
  }
  return { days, yearDays }
})()

/** The day count of a country's law day by day. actual/365 where no pack names one. */
function lawfulCounts(country: string | null): { from: string | null; basis: DayCount }[] {
  const rules = (findPack(country)?.rules ?? [])
    .filter((rule) => rule.subject === 'dayCount' && rule.status !== 'proposed')
    .toSorted((a, b) => ((a.from ?? '') < (b.from ?? '') ? -1 : 1))
  const named = rules.flatMap((rule) =>
    rule.subject === 'dayCount' ? { from: rule.from, basis: rule.basis } : [],
  )
  return named[0]?.from === null ? named : [{ from: null, basis: 'actual/365' as const }, ...named]
}

const known = new Map<string, DayCounts>()

/** The day counts of a case. Without terms of its own the law of its governing country counts. */
export function readDayCounts(terms: readonly DayCountTerm[] | null, country: string | null): DayCounts {
  const key = JSON.stringify(terms ?? country)
  const found = known.get(key)
  if (found) return found
  const made = joinCounts(terms ?? [{ from: null, country }])
  if (known.size < 10_000) known.set(key, made)
  return made
}

function joinCounts(terms: readonly DayCountTerm[]): DayCounts {
  const parts = terms.flatMap(({ from, basis, country = null }, index) => {
    const end = terms[index + 1]?.from ?? null
    const counts = basis ? [{ from: null, basis }] : lawfulCounts(country)
    return counts.flatMap((one, place) => {
      const next = counts[place + 1]?.from ?? null
      const isOver = next !== null && from !== null && next <= from
      const isLater = one.from !== null && end !== null && one.from >= end
      if (isOver || isLater) return []
      const begins = one.from === null || (from !== null && one.from < from) ? from : one.from
      return [{ from: begins, basis: one.basis }]
    })
  })
  const days: number[] = []
  const yearDays: YearDays[] = []
  const add = (day: number, length: YearDays) => {
    if (yearDays.at(-1) === length) return
    days.push(day)
    yearDays.push(length)
  }
  parts.forEach(({ from, basis }, index) => {
    const start = from === null ? startOfTime : toDayNumber(from)
    const next = parts[index + 1]?.from
    const end = next ? toDayNumber(next) : Number.POSITIVE_INFINITY
    if (basis !== 'actual/actual') return add(start, basis === '30/360' ? 360 : 365)
    calendarYear.days.forEach((day, place) => {
      const over = calendarYear.days[place + 1] ?? Number.POSITIVE_INFINITY
      if (over > start && day < end) add(Math.max(day, start), calendarYear.yearDays[place]!)
    })
  })
  return { key: `${days.join(' ')} ${yearDays[0]}`, days, yearDays }
}

/** The day count of a case on a day, and the rule of law that names it. No rule for a contract's. */
export function findDayCount(
  terms: readonly DayCountTerm[] | null,
  country: string | null,
  date: string,
): { basis: DayCount; rule: RuleOf<'dayCount'> | null } {
  const term: DayCountTerm | undefined = terms?.findLast(({ from }) => from === null || from <= date)
  if (term?.basis) return { basis: term.basis, rule: null }
  const rule = findRule(term ? (term.country ?? null) : country, 'dayCount', { date }) ?? null
  return { basis: rule?.basis ?? 'actual/365', rule }
}

/** The terms of a case whose governing country changes on a day. What a contract set stays. */
export function changeCountry(
  before: readonly DayCountTerm[] | null,
  { country, next, from }: { country: string | null; next: string | null; from: string },
): readonly DayCountTerm[] | null {
  const terms = before ?? [{ from: null, country }]
  if (terms.at(-1)?.basis) return before
  const kept = terms.filter((term) => term.from === null || term.from < from)
  return [...kept, { from, country: next }]
}

/** The terms without a first part that only kept what was booked: the law of the next part counts from the beginning. */
export function dropKeptCount(terms: readonly DayCountTerm[]): readonly DayCountTerm[] | null {
  const [, second, ...later] = terms
  if (second === undefined || second.basis !== undefined) return terms
  return later.length === 0 ? null : [{ ...second, from: null }, ...later]
}
