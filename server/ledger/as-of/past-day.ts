/** Reads the two days of a question about the past (docs/domain/as-of.md). */
import { toMidnight, datePart } from '../../../core/calendar/date-time.ts'
import { earliest } from '../../../core/calendar/calendar.ts'
import type { Language } from '../../../contract/platform/languages.ts'
import type { Caller } from '../../platform/http/caller.ts'
import { FieldErrors, invalid, writeDay } from '../../platform/http/errors.ts'

export interface PastDay {
  /** The value date of the amounts. */
  asOf: string
  /** The last business date whose bookings count. Null where all count. */
  knownAt: string | null
  /** The business date, for answers that name when it was known. */
  today: string
  /** Of who asks. */
  language: Language
}

type Given = { asOf?: string; knownAt?: string }

/** Null where neither day is given. Throws a 400 for a day after the business date. */
export function readPastDay(
  { asOf, knownAt }: Given,
  today: string,
  { language }: Pick<Caller, 'language'>,
): PastDay | null {
  if (asOf === undefined && knownAt === undefined) return null
  const checks = new FieldErrors(language)
  const read = (given: string | undefined, name: string): string | null => {
    if (given === undefined) return null
    const day = datePart(given)
    if (day === '') checks.add(name, 'is empty. Give a day such as 2026-06-30, or leave it out.')
    else if (day < '1900-01-01') checks.add(name, `must not be before ${checks.day('1900-01-01')}.`)
    else if (day > today) checks.add(name, `must not be after the business date, ${checks.day(today)}.`)
    return day
  }
  const known = read(knownAt, 'knownAt')
  const valued = read(asOf, 'asOf')
  checks.throwIfAny()
  return { asOf: valued ?? known!, knownAt: known, today, language }
}

/** The day whose status counts: the earlier of both. */
export const statusDay = ({ asOf, knownAt }: PastDay): string => earliest(asOf, knownAt ?? asOf)

/** The members that mark an answer as one about the past. */
export const pastMark = ({ asOf, knownAt, today }: PastDay) => ({
  asOf: toMidnight(asOf),
  knownAt: toMidnight(knownAt ?? today),
})

/** Throws a 400 where the case did not exist on the day, or nobody had recorded it. */
export function requireRegistered(
  { asOf, knownAt, language }: PastDay,
  found: { registeredOn: string; recordedOn: string },
): void {
  if (asOf < found.registeredOn)
    throw invalid({
      asOf: [`must not be before the case was registered, ${writeDay(found.registeredOn, language)}.`],
    })
  if (knownAt !== null && knownAt < found.recordedOn)
    throw invalid({
      knownAt: [`must not be before the case was recorded, ${writeDay(found.recordedOn, language)}.`],
    })
}
