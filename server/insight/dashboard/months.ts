/** Month arithmetic on business dates. Pure. */

const iso = (time: number) => new Date(time).toISOString().slice(0, 10)

/** The first day of the month that is `after` months after the month of `day`. */
export function startOfMonth(day: string, after = 0): string {
  const [year, month] = day.split('-').map(Number)
  return iso(Date.UTC(year!, month! - 1 + after, 1))
}

/** The date `days` days before the given one. */
export const daysBefore = (day: string, days: number): string =>
  iso(Date.parse(`${day}T00:00:00Z`) - days * 86_400_000)

/** A date as the API's date-time. */
export const midnight = (day: string): string => `${day}T00:00:00Z`
