/** Collection strategies at the day-end: an ordinary night, one in which nothing is due, and nights in which nearly every case has a step. */
import { writeFile } from 'node:fs/promises'
import type { Sql } from '../../server/platform/database/driver/pool.ts'
import { addDays } from '../../core/calendar/calendar.ts'
import { rollCases } from '../../server/ledger/accrual.ts'
import { loadShippedFees } from '../../server/ledger/rates/statutory-fees.changes.ts'
import { startBusinessClock } from '../../server/platform/clock/business-clock.ts'
import { openDatabase } from '../../server/platform/database/database.ts'
import { runChunks } from '../../server/platform/jobs/chunked-work.ts'
import { applyStrategies } from '../../server/collection/strategies/apply-strategies.ts'
import { assignStrategy, loadShippedStrategies } from '../../server/collection/strategies/strategies.store.ts'
import { countDatabaseWork } from '../drive/database-work.ts'
import { measureMachine } from '../drive/pgbench.ts'
import { dropDatabase, prepareDatabase, withBareDatabase, type BenchServer } from '../load/databases.ts'
import { loadCases } from '../load/load-cases.ts'
import { formatTable, formatMark } from '../report/table.ts'

/** Of 300,000 cases. */
const targetSeconds = 30
const targetCases = 300_000

interface StrategyOptions {
  debtors: number
  perDebtor: number
  seconds: number
  json: string | undefined
  report: (line: string) => void
}

interface Night {
  name: string
  taken: number
  letters: number
  seconds: number
  blocks: number
  logBytes: number
  /** Node's, at its highest, in MB. */
  memory: number
}

export async function runStrategyBench(server: BenchServer, options: StrategyOptions): Promise<void> {
  const { debtors, perDebtor, seconds, report } = options
  const url = await prepareDatabase(server, debtors, report)
  const sql = openDatabase(url, { max: 2, applicationName: 'fordra bench' })
  try {
    const cases = await loadCases(url, { perDebtor }, report)
    await loadShippedFees(sql)
    await loadShippedStrategies(sql)
    const [client] = await sql<{ id: string }[]>`select id from party where reference_code = 'BENCH-CASES'`
    const nights = await runNights(sql, { url, client: client!.id, report })
    const transactions = await withBareDatabase(server, (bare) => measureMachine(bare, seconds))
    await print(options, { cases, nights, transactions })
  } finally {
    await sql.end({ timeout: 5 })
    await dropDatabase(server, url)
  }
}

async function runNights(
  sql: Sql,
  { url, client, report }: { url: string; client: string; report: (line: string) => void },
): Promise<Night[]> {
  const clock = await startBusinessClock(sql, { timeZone: 'UTC', steps: [rollCases], onError: () => {} })
  const start = clock.today()
  const night = async (name: string, days: number): Promise<Night> => {
    const date = addDays(start, days)
    report(`  ${name}`)
    if (days > 0) await clock.setDate(date)
    await sql`vacuum (analyze) debt_case`
    return { name, ...(await measureNight(sql, url, date)) }
  }
  try {
    // The demand of one case in ten is due on the first day, that of the others on the next.
    await sql`update debt_case set status_since = ${addDays(start, 1)} where running_number % 10 <> 0`
    await assignStrategy(sql, client, 'NORDIC')
    const nights = [
      await night('one case in ten: fee, status, letter', 0),
      await night('nine in ten: fee, status, letter', 1),
      await night('nothing is due', 2),
      await night('every case: status', 19),
    ]
    await requireDone(sql)
    return nights
  } finally {
    clock.stop()
  }
}

/** That nearly each case was written to, by itself or with those demanded with it: the law refuses some debtors. */
async function requireDone(sql: Sql): Promise<void> {
  const [made] = await sql<{ cases: number; written: number; fees: number }[]>`
    select (select count(*)::int from debt_case) as cases, (select count(*)::int from movement where kind = 'fee') as fees,
      (select count(*)::int from (select case_id from document union select case_id from demand_letter_case) told
       where case_id is not null) as written`
  const { cases, written, fees } = made!
  if (written < cases * 0.9 || fees === 0)
    throw new Error(`Letters name ${written} of ${cases} cases, and ${fees} fees were charged.`)
}

async function measureNight(sql: Sql, url: string, businessDate: string): Promise<Omit<Night, 'name'>> {
  const origin = { actorId: null, requestId: null, operation: 'bench', businessDate }
  let memory = 0
  let seconds = 0
  const before = await countLetters(sql)
  const { result, blocks, logBytes } = await countDatabaseWork(sql, url, async (own) => {
    const began = performance.now()
    const applied = await runChunks(own, applyStrategies(), origin, async () => {
      memory = Math.max(memory, process.memoryUsage().rss)
    })
    seconds = (performance.now() - began) / 1000
    return applied
  })
  const letters = (await countLetters(sql)) - before
  return { taken: result.taken, letters, seconds, blocks, logBytes, memory: Math.round(memory / 1_048_576) }
}

async function countLetters(sql: Sql): Promise<number> {
  const [row] = await sql<{ letters: number }[]>`select count(*)::int as letters from document`
  return row!.letters
}

interface Measured {
  cases: number
  nights: Night[]
  /** Of pgbench, a second. */
  transactions: number | null
}

async function print(
  { debtors, json }: StrategyOptions,
  { cases, nights, transactions }: Measured,
): Promise<void> {
  const rows = nights.map(({ name, taken, letters, seconds, blocks, logBytes, memory }) => {
    // A night with few steps mostly looks at cases.
    const done = taken > cases / 2 ? taken : cases
    const projected = (seconds / done) * targetCases
    return [
      name,
      String(taken),
      String(letters),
      seconds.toFixed(1),
      `${projected.toFixed(0)} ${formatMark(projected <= targetSeconds)}`,
      transactions === null ? '-' : ((seconds / done) * transactions).toFixed(1),
      (blocks / done).toFixed(0),
      (logBytes / done / 1000).toFixed(1),
      String(memory),
    ]
  })
  const head = ['', 'steps', 'letters', 's', `s for ${targetCases}`, 'of pgbench', 'blocks', 'log kB', 'MB']
  const machine = transactions === null ? 'not installed' : `${transactions.toFixed(0)} a second`
  process.stdout.write(
    `${cases} open cases of ${debtors} debtors; target ${targetSeconds} s for ${targetCases}. pgbench (simple-update): ${machine}.\n\n` +
      `${formatTable(head, rows)}\n\n` +
      `of pgbench: the time of a step in transactions of pgbench. Blocks and log: of a step. In a night with few steps all are of a case.\n`,
  )
  if (json !== undefined)
    await writeFile(json, `${JSON.stringify({ debtors, cases, transactions, nights }, null, 2)}\n`)
}
