/** When the next reference rate is due, by the law pack of its country, and which are missing. */
import { addDays } from '../calendar/calendar.ts'
import { findRule } from '../law/packs.ts'

/** Rows by series, sorted by day. */
type KnownDays = ReadonlyMap<string, readonly { from: string }[]>

export interface MissingRate {
  series: string
  /** The first day for which no rate is known. Interest from it on is provisional. */
  from: string
}

/** The alarm is raised so many days before the rate is needed, where the rate is known no later. */
const warnedDays = 31
/** A series with more rates a year is watched only where somebody follows it: else its alarm would never end. */
const watchedRates = 4

/** The first day after `day` on which the law lets the rate of a series change. Null where no pack says. */
export function nextRateChange(series: string, day: string): string | null {
  const months = findRule(series, 'rateChange', { date: day })?.months ?? []
  const year = Number(day.slice(0, 4))
  const days = [year, year + 1].flatMap((one) =>
    months.map((month) => `${String(one).padStart(4, '0')}-${String(month).padStart(2, '0')}-01`),
  )
  return days.toSorted().find((one) => one > day) ?? null
}

/** The rates that are missing on a day, or will be soon: within a month, or when they should be published. */
export function findMissingRates(
  table: KnownDays,
  today: string,
  followed: ReadonlySet<string>,
): MissingRate[] {
  return [...table].flatMap(([series, rows]) => {
    const last = rows.at(-1)
    const from = last ? nextRateChange(series, last.from) : null
    if (from === null) return []
    const { months, ahead = warnedDays } = findRule(series, 'rateChange', { date: from })!
    if (months.length > watchedRates && !followed.has(series)) return []
    return from <= addDays(today, ahead) ? [{ series, from }] : []
  })
}
