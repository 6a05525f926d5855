/** Recovery rates from what was counted by month and client. Pure. */
import {
  recoveryAges,
  type Recovery,
  type RecoveryClient,
  type RecoveryMonth,
  type RecoveryPeriod,
} from '../../../contract/insight/recovery.ts'
import { fromMinor } from '../../../core/money/money.ts'
import { daysBefore, midnight, startOfMonth } from './months.ts'

/** Cases of a client by the month of their registration. Amounts in minor units. */
export interface CountedCases {
  currencyCode: string
  clientGuid: string
  clientName: string
  /** The first day of the month. */
  month: string
  cases: number
  principal: bigint
  /** Paid within each of the ages. */
  collected: readonly bigint[]
}

/** The age by which clients are compared: the second of the ages. */
const clientAge = 1
const clientsMost = 50

/** Before this month, all cases of a month are so many days old. */
export const wholeBefore = (today: string, days: number): string => startOfMonth(daysBefore(today, days - 1))

/** The first month that is read: for clients twice the months, for the oldest age one time. */
export const firstMonth = (today: string, months: number): string =>
  [
    startOfMonth(wholeBefore(today, recoveryAges[clientAge]), -2 * months),
    startOfMonth(wholeBefore(today, recoveryAges.at(-1)!), -months),
  ].toSorted()[0]!

interface Sum {
  cases: number
  principal: bigint
  collected: bigint[]
}

const nothing = (): Sum => ({ cases: 0, principal: 0n, collected: recoveryAges.map(() => 0n) })

const addUp = (rows: readonly CountedCases[]): Sum =>
  rows.reduce<Sum>(
    (sum, row) => ({
      cases: sum.cases + row.cases,
      principal: sum.principal + row.principal,
      collected: sum.collected.map((amount, age) => amount + row.collected[age]!),
    }),
    nothing(),
  )

/** From 0 to 1, with four decimals. */
const toRate = (collected: bigint, principal: bigint): number | null =>
  principal === 0n ? null : Number((collected * 10_000n) / principal) / 10_000

function groupBy<T>(rows: readonly T[], key: (row: T) => string): Map<string, T[]> {
  const groups = new Map<string, T[]>()
  for (const row of rows) groups.set(key(row), [...(groups.get(key(row)) ?? []), row])
  return groups
}

export function makeRecovery(
  rows: readonly CountedCases[],
  { today, months }: { today: string; months: number },
): Recovery {
  return {
    asOf: midnight(today),
    from: midnight(firstMonth(today, months)),
    months: listMonths(rows, today),
    clients: listClients(rows, { today, months }),
  }
}

function listMonths(rows: readonly CountedCases[], today: string): RecoveryMonth[] {
  const groups = groupBy(rows, ({ currencyCode, month }) => `${currencyCode} ${month}`)
  return [...groups]
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([, ofMonth]) => {
      const { currencyCode, month } = ofMonth[0]!
      const { cases, principal, collected } = addUp(ofMonth)
      const within = recoveryAges.map((days, age) => {
        const isWhole = month < wholeBefore(today, days)
        return {
          days,
          collected: isWhole ? fromMinor(collected[age]!, currencyCode) : null,
          rate: isWhole ? toRate(collected[age]!, principal) : null,
        }
      })
      return {
        currencyCode,
        month: midnight(month),
        cases,
        principal: fromMinor(principal, currencyCode),
        within,
      }
    })
}

function listClients(
  rows: readonly CountedCases[],
  { today, months }: { today: string; months: number },
): RecoveryClient[] {
  const end = wholeBefore(today, recoveryAges[clientAge])
  const [middle, start] = [startOfMonth(end, -months), startOfMonth(end, -2 * months)]
  const compared = rows.filter(({ month }) => month >= start && month < end)
  const groups = groupBy(compared, ({ currencyCode, clientGuid }) => `${currencyCode} ${clientGuid}`)
  const placed = (ofClient: readonly CountedCases[]) => addUp(ofClient).principal
  return [...groups.values()]
    .toSorted((a, b) => (placed(a) > placed(b) ? -1 : 1))
    .slice(0, clientsMost)
    .map((ofClient) => {
      const { currencyCode, clientGuid, clientName } = ofClient[0]!
      const latest = ofClient.filter(({ month }) => month >= middle)
      const former = ofClient.filter(({ month }) => month < middle)
      const trend = Array.from({ length: months }, (_, at) => {
        const { principal, collected } = addUp(
          latest.filter(({ month }) => month === startOfMonth(middle, at)),
        )
        return toRate(collected[clientAge]!, principal)
      })
      return {
        clientGuid,
        clientName,
        currencyCode,
        latest: makePeriod(latest, currencyCode, { from: middle, before: end }),
        former: makePeriod(former, currencyCode, { from: start, before: middle }),
        trend,
      }
    })
}

function makePeriod(
  rows: readonly CountedCases[],
  currencyCode: string,
  { from, before }: { from: string; before: string },
): RecoveryPeriod {
  const { cases, principal, collected } = addUp(rows)
  return {
    from: midnight(from),
    before: midnight(before),
    cases,
    principal: fromMinor(principal, currencyCode),
    collected: fromMinor(collected[clientAge]!, currencyCode),
    rate: toRate(collected[clientAge]!, principal),
  }
}
