/** The nightly accrual of all open cases beside a bare UPDATE of as many rows and columns. */
import { writeFile } from 'node:fs/promises'
import type { Sql } from '../../server/platform/database/driver/pool.ts'
import { addDays } from '../../core/calendar/calendar.ts'
import { rollCases } from '../../server/ledger/accrual.ts'
import { openDatabase } from '../../server/platform/database/database.ts'
import { inTransaction } from '../../server/platform/database/transaction.ts'
import { dropDatabase, prepareDatabase, type BenchServer } from '../load/databases.ts'
import { loadCases } from '../load/load-cases.ts'
import { computeMedian, computeMedianRatio } from '../report/statistics.ts'
import { formatTable, formatMark } from '../report/table.ts'

const targetShare = 0.7

interface AccrualOptions {
  debtors: number
  rounds: number
  json: string | undefined
  report: (line: string) => void
}

export async function runAccrualBench(server: BenchServer, options: AccrualOptions): Promise<void> {
  const { debtors, rounds, report } = options
  const url = await prepareDatabase(server, debtors, report)
  const sql = openDatabase(url, { max: 1, applicationName: 'fordra bench' })
  try {
    const cases = await loadCases(url, {}, report)
    const times: { accrual: number[]; bare: number[] } = { accrual: [], bare: [] }
    const before = await countUpdates(sql)
    let day = await readDay(sql)
    for (let round = 0; round <= rounds; round++) {
      report(`  round ${round} of ${rounds}`)
      const next = addDays(day, 1)
      const accrual = await timed(() => inTransaction(sql, (tx) => rollCases(tx, { from: day, to: next })))
      const bare = await timed(() => bareUpdate(sql))
      day = next
      await sql`vacuum debt_case`
      // The first round warms up.
      if (round === 0) continue
      times.accrual.push(accrual)
      times.bare.push(bare)
    }
    const after = await countUpdates(sql)
    const hot = (after.hot - before.hot) / Math.max(1, after.all - before.all)
    await print(options, { cases, times, hot })
  } finally {
    await sql.end({ timeout: 5 })
    await dropDatabase(server, url)
  }
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const began = performance.now()
  await work()
  return (performance.now() - began) / 1000
}

/** The same rows and the same column, reckoning nothing. */
const bareUpdate = (sql: Sql) =>
  sql`update debt_case set accrued_interest = accrued_interest + 1 where accrual_per_day <> 0`

async function readDay(sql: Sql): Promise<string> {
  const [clock] = await sql<{ day: string }[]>`select business_date as day from business_clock`
  return clock!.day
}

/** Of the table, since it was made; the statistics of this connection are sent first. */
async function countUpdates(sql: Sql): Promise<{ all: number; hot: number }> {
  await sql`select pg_stat_force_next_flush()`
  const [row] = await sql<{ all: number; hot: number }[]>`
    select n_tup_upd as all, n_tup_hot_upd as hot from pg_stat_user_tables where relname = 'debt_case'`
  return { all: Number(row!.all), hot: Number(row!.hot) }
}

async function print(
  { debtors, rounds, json }: AccrualOptions,
  { cases, times, hot }: { cases: number; times: { accrual: number[]; bare: number[] }; hot: number },
): Promise<void> {
  const rate = (seconds: number[]) => cases / computeMedian(seconds)
  const share = computeMedianRatio(times.bare, times.accrual)!
  const memory = Math.round(process.memoryUsage().rss / 1_048_576)
  const rows = [
    ['bare UPDATE', rate(times.bare).toFixed(0), '-'],
    [
      'accrual',
      rate(times.accrual).toFixed(0),
      `${(share * 100).toFixed(0)}% ${formatMark(share >= targetShare)}`,
    ],
  ]
  process.stdout.write(
    `${cases} open cases of ${debtors} debtors, medians of ${rounds} rounds, in turns; target ${targetShare * 100}%.\n\n` +
      `${formatTable(['', 'cases/s', 'of bare'], rows)}\n\n` +
      `${(hot * 100).toFixed(1)}% of the updates stayed on their page (HOT). Node holds ${memory} MB.\n`,
  )
  const figures = { debtors, cases, accrual: rate(times.accrual), bare: rate(times.bare), share, hot, memory }
  if (json !== undefined) await writeFile(json, `${JSON.stringify(figures, null, 2)}\n`)
}
