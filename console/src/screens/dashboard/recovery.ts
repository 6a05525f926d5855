/** Recovery rates as the tiles show them. */
import type { Recovery, RecoveryMonth } from '../../../../contract/insight/recovery.ts'
import { listAt, addMonths, clientCondition } from './months.ts'

export interface RecoveryPlace {
  currency: string
  clientGuid: string | null
}

/** How an age went: the last months whose cases are all that old, the newest last. */
export interface AgeTrend {
  days: number
  months: readonly string[]
  rates: readonly (number | null)[]
}

/** As many months as asked for; null for a month in which nothing was registered. */
export function findAgeTrend(
  { months, asOf }: Recovery,
  days: number,
  { currency, count }: { currency: string; count: number },
): AgeTrend {
  const own = months.filter(({ currencyCode }) => currencyCode === currency)
  const end = addMonths(dayBefore(asOf, days - 1), 0)
  const wanted = Array.from({ length: count }, (_, at) => addMonths(end, at - count))
  return { days, months: wanted, rates: wanted.map((month) => findRate(own, month, days)) }
}

const findRate = (months: readonly RecoveryMonth[], month: string, days: number): number | null =>
  months.find((one) => one.month === month)?.within.find((one) => one.days === days)?.rate ?? null

const dayBefore = (day: string, days: number) =>
  new Date(Date.parse(day) - days * 86_400_000).toISOString().replace('.000', '')

/** The cases that were registered from one day to before another. */
export const registeredBetween = (
  { currency, clientGuid }: RecoveryPlace,
  from: string,
  before: string,
): string =>
  listAt(
    '/cases',
    `currencyCode eq '${currency}'`,
    clientCondition(clientGuid),
    `registrationDate ge ${from}`,
    `registrationDate lt ${before}`,
  )
