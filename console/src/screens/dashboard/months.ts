/** Months for charts, and for the lists behind them. */
import { formatNumber, userCulture } from '../../format/format.ts'

const midnight = (time: number) => `${new Date(time).toISOString().slice(0, 10)}T00:00:00Z`

/** The first day of the month, `months` later. */
export function monthAfter(month: string, months = 1): string {
  const date = new Date(month)
  return midnight(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + months, 1))
}

/** A month of a figure, with the first day after it or, in the last month, after the business date. */
export interface Month<Row> {
  month: string
  before: string
  row: Row | undefined
}

/** Each month of an answer, with the row of the currency where there is one. */
export const spreadMonths = <Row extends { month: string; currencyCode: string }>(
  answer: { from: string; asOf: string } | undefined,
  rows: readonly Row[],
  currency: string,
): Month<Row>[] => {
  if (!answer) return []
  const end = dayAfter(answer.asOf)
  return monthsBetween(answer.from, end).map((month) => {
    const next = monthAfter(month)
    const row = rows.find((one) => one.month === month && one.currencyCode === currency)
    return { month, before: next < end ? next : end, row }
  })
}

/** Every month from that of the first day to before that of the last. */
export function monthsBetween(from: string, before: string): string[] {
  const months: string[] = []
  for (let month = monthAfter(from, 0); month < before; month = monthAfter(month)) months.push(month)
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
    ofClient(clientGuid),
    `closureDate ge ${from}`,
    `closureDate lt ${before}`,
  )

/** The condition of a list for a client; none for all of them. */
export const ofClient = (clientGuid: string | null): string | null =>
  clientGuid === null ? null : `clientGuid eq ${clientGuid}`
