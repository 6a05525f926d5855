/**
 * Converts a date-time to RFC 3339 in UTC by editing the driver's text (`2024-01-01 00:00:00.123456+00`). That costs a
 * fifth of a `Date` and keeps microseconds, so a filter with a value from a list finds its row. The connection's
 * TimeZone is UTC: the offset is always `+00`, or missing for a timestamp without zone.
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

/** A bigint as an exact number. Throws RangeError past 2^53, where the column needs another type. */
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

/** How the columns of a type are read; `type` is its OID. */
export interface ColumnType {
  type: number
  parse: (text: string) => unknown
}

/**
 * The types that are not read as JavaScript would: dates stay texts, because a `Date` is rounded to milliseconds in the
 * local zone. Numeric and uuid are texts too; JSON, boolean and bytea are read by `driver/values.ts`.
 */
export const columnTypes: Record<string, ColumnType> = {
  date: { type: 1082, parse: unchanged },
  timestamp: { type: 1114, parse: formatDateTime },
  timestamptz: { type: 1184, parse: formatDateTime },
  bigint: { type: 20, parse: parseSafeInteger },
}
