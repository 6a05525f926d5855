/** The two days of an answer about the past: `asOf` by value date, `knownAt` by booking date. */
import { Type } from 'typebox'
import { culture } from './culture.ts'
import { pageQuery } from './page.ts'

const day = (description: string) =>
  Type.Optional(Type.String({ format: 'date-time', description, 'x-field': { kind: 'date' } }))

/** The query parameters. */
export const pastDays = {
  asOf: day(
    'What was owed on this day, by value date. Default: `knownAt`, else the business date. At most the business date.',
  ),
  knownAt: day(
    'Counts only what was booked up to the end of this business date, for what was known then. Default: everything that is known now.',
  ),
}

export const asOfQuery = Type.Object(pastDays, { additionalProperties: false })

/** For answers that have texts with amounts and dates. */
export const readAsOfQuery = Type.Object({ ...pastDays, culture }, { additionalProperties: false })

export const pageQueryAsOf = Type.Object(
  { ...pageQuery.properties, ...pastDays },
  { additionalProperties: false },
)

/** The members that mark an answer about the past. */
export const pastMembers = {
  asOf: day('Only in an answer as of a day: its amounts are those of this value date.'),
  knownAt: day('Only in an answer as of a day: only what was booked up to this day counts.'),
}

export const aboutPast =
  ' With `asOf` and `knownAt`: what was owed on a day, and what was known of it (docs/domain/as-of.md).'
export const aboutPastList =
  aboutPast + ' `$filter` and `$orderby` then take members that do not change with the day.'
