/** Months for charts, and for the lists behind them. */
import { formatNumber, userCulture } from '../../format/format.ts'

const midnight = (time: number) => `${new Date(time).toISOString().slice(0, 10)}T00:00:00Z`

/** The first day of the month that is so many months after that of the day; 0 for the same month, negative for before. */
export function addMonths(day: string, months = 1): string {
  const date = new Date(day)
  return midnight(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + months, 1))
}

/** A month of a chart. */
export interface Month<Row> {
  month: string
  /** The first day that is no longer in it. The present month ends with the business date. */
  before: string
  row: Row | undefined
}

/** Each month of an answer, with the row of the currency where there is one. */
export const listMonths = <Row extends { month: string; currencyCode: string }>(
  answer: { from: string; asOf: string } | undefined,
  rows: readonly Row[],
  currency: string,
): Month<Row>[] => {
  if (!answer) return []
  const end = dayAfter(answer.asOf)
  return monthsBetween(answer.from, end).map((month) => {
    const next = addMonths(month)
    const row = rows.find((one) => one.month === month && one.currencyCode === currency)
    return { month, before: next < end ? next : end, row }
  })
}

/** The first day of each month, from the month of `from` on, as long as it is before `before`. */
export function monthsBetween(from: string, before: string): string[] {
  const months: string[] = []
  for (let month = addMonths(from, 0); month < before; month = addMonths(month)) months.push(month)
  return months
}

export const dayAfter = (day: string): string => midnight(Date.parse(day) + 86_400_000)

/** `Jun`; the year is shown on hover. */
export const shortMonth = (month: string): string =>
  new Intl.DateTimeFormat(userCulture(), { month: 'short', timeZone: 'UTC' }).format(new Date(month))

export const longMonth = (month: string): string =>
  new Intl.DateTimeFormat(userCulture(), { month: 'long', year: 'numeric', timeZone: 'UTC' }).format(
    new Date(month),
  )

/** 1.2 m, for the axis of a chart. */
export const formatShort = (value: number): string =>
  new Intl.NumberFormat(userCulture(), { notation: 'compact', maximumFractionDigits: 1 }).format(value)

export const formatShare = (share: number): string => `${formatNumber(share * 100, 0)} %`

/** The address of a list with a filter. */
export const listAt = (path: string, ...conditions: (string | null)[]): string =>
  `${path}?filter=${encodeURIComponent(conditions.filter(Boolean).join(' and '))}`

/** The cases that were closed from one day to before another. */
export const closedBetween = (
  { currency, clientGuid }: { currency: string; clientGuid: string | null },
  from: string,
  before: string,
): string =>
  listAt(
    '/cases',
    `currencyCode eq '${currency}'`,
    clientCondition(clientGuid),
    `closureDate ge ${from}`,
    `closureDate lt ${before}`,
  )

/** The `$filter` condition for a client; null for all clients. */
export const clientCondition = (clientGuid: string | null): string | null =>
  clientGuid === null ? null : `clientGuid eq ${clientGuid}`
