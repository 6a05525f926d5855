/** Which days a calendar shows, and where its keys lead. Pure. */
import {
  addDays,
  addMonths,
  addYears,
  earliest,
  isoWeekday,
  latest,
} from '../../../../core/calendar/calendar.ts'
import { findFirstWeekday } from '../../format/days.ts'

interface Limits {
  min?: string | undefined
  max?: string | undefined
}

export const isTaken = (day: string, { min, max }: Limits): boolean =>
  (min === undefined || day >= min) && (max === undefined || day <= max)

/** The day, or the nearest one that the field takes. */
export function takenDay(day: string, { min, max }: Limits): string {
  const notLate = max === undefined ? day : earliest(day, max)
  return min === undefined ? notLate : latest(notLate, min)
}

const startOfWeek = (day: string, culture: string): string =>
  addDays(day, -((isoWeekday(day) - findFirstWeekday(culture) + 7) % 7))

const hasLeft = (day: string) => day < '0002' || day > '9990'

/** The same day so many months later; the day itself at the end of the calendar. */
export function stepDay(day: string, months: number): string {
  const next = addMonths(day, months)
  return hasLeft(next) ? day : next
}

/** Six weeks, which hold any month. */
export function listWeeks(day: string, culture: string): string[][] {
  const first = startOfWeek(`${day.slice(0, 8)}01`, culture)
  return [0, 1, 2, 3, 4, 5].map((week) =>
    [0, 1, 2, 3, 4, 5, 6].map((weekday) => addDays(first, 7 * week + weekday)),
  )
}

/** Where a key leads from a day; undefined for other keys. */
export function moveDay(
  day: string,
  { key, shiftKey }: { key: string; shiftKey: boolean },
  culture: string,
): string | undefined {
  const start = startOfWeek(day, culture)
  switch (key) {
    case 'ArrowLeft':
      return addDays(day, -1)
    case 'ArrowRight':
      return addDays(day, 1)
    case 'ArrowUp':
      return addDays(day, -7)
    case 'ArrowDown':
      return addDays(day, 7)
    case 'Home':
      return start
    case 'End':
      return addDays(start, 6)
    case 'PageUp':
      return shiftKey ? addYears(day, -1) : stepDay(day, -1)
    case 'PageDown':
      return shiftKey ? addYears(day, 1) : stepDay(day, 1)
    default:
      return undefined
  }
}
