import type { PostgresType } from 'postgres'

/**
 * A date-time as RFC 3339 in UTC, cut from the driver's text (`2024-01-01 00:00:00.123456+00`) rather than built from a
 * `Date`: that costs a fifth, and nothing is lost: what a list gave out, down to the microsecond, finds its row in a filter.
 * The connection's TimeZone is UTC, so the offset is always `+00` (or missing, for a timestamp without zone).
 */
export function formatDateTime(text: string): string {
  const end = text.endsWith('+00') ? text.length - 3 : text.length
  const wellFormed = text[10] === ' ' && (end === 19 || text[19] === '.')
  if (!wellFormed) {
    throw new RangeError(
      `The database holds a date-time outside the years 0001 to 9999, or not in UTC: ${text}`,
    )
  }
  return `${text.slice(0, 10)}T${text.slice(11, end)}Z`
}

/** A bigint as a number while it is exact; past 2^53 the column needs another type, so this throws RangeError. */
export function parseSafeInteger(text: string): number {
  const value = Number(text)
  if (!Number.isSafeInteger(value)) {
    throw new RangeError(`The database holds a whole number past 2^53: ${text}`)
  }
  return value
}

export const asText = (value: unknown): string =>
  value instanceof Date ? value.toISOString() : String(value)
export const unchanged = (text: string): string => text

/**
 * How columns are read and parameters written, by PostgreSQL's type numbers. Text goes in as it is: the database
 * checks it, and the driver's own `new Date(…)` would round it to milliseconds in the zone of this machine.
 * Not listed because the driver's default is what is wanted: numeric and uuid (text), json (parsed), boolean, bytea.
 */
export const columnTypes: Record<string, PostgresType> = {
  date: { to: 1082, from: [1082], serialize: asText, parse: unchanged },
  timestamp: { to: 1114, from: [1114], serialize: asText, parse: formatDateTime },
  timestamptz: { to: 1184, from: [1184], serialize: asText, parse: formatDateTime },
  bigint: { to: 20, from: [20], serialize: asText, parse: parseSafeInteger },
}
