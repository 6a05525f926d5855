/** Months of the business date, for figures by month. Pure. */

const iso = (time: number) => new Date(time).toISOString().slice(0, 10)

/** The first day of the month so many months after that of the given day. */
export function startOfMonth(day: string, after = 0): string {
  const [year, month] = day.split('-').map(Number)
  return iso(Date.UTC(year!, month! - 1 + after, 1))
}

/** The day so many days before the given one. */
export const daysBefore = (day: string, days: number): string =>
  iso(Date.parse(`${day}T00:00:00Z`) - days * 86_400_000)

/** As it goes over the wire. */
export const midnight = (day: string): string => `${day}T00:00:00Z`
