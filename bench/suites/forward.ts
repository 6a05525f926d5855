/** Nights of a sandbox, with commits that wait for the disk and with those that do not, as `fordra sandbox forward` has them. */
import { writeFile } from 'node:fs/promises'
import { addDays } from '../../core/calendar/calendar.ts'
import { dateSteps, dayEndSteps } from '../../server/app.ts'
import { assignStrategy, loadShippedStrategies } from '../../server/collection/strategies/strategies.store.ts'
import { usualModel } from '../../server/insight/sandbox/forward/debtor-model.ts'
import { forwardNights } from '../../server/insight/sandbox/forward/forward-nights.ts'
import { loadShippedFees } from '../../server/ledger/rates/statutory-fees.changes.ts'
import { startBusinessClock } from '../../server/platform/clock/business-clock.ts'
import { openDatabase, withoutFlush } from '../../server/platform/database/database.ts'
import type { Sql } from '../../server/platform/database/driver/pool.ts'
import { makeId } from '../../server/platform/database/make-id.ts'
import { dropDatabase, prepareDatabase, type BenchServer } from '../load/databases.ts'
import { loadCases } from '../load/load-cases.ts'
import { formatTable } from '../report/table.ts'

interface ForwardOptions {
  debtors: number
  nights: number
  json: string | undefined
  report: (line: string) => void
}

interface Forwarded {
  name: string
  cases: number
  seconds: number
  commits: number
  /** Of the write-ahead log; null before PostgreSQL 18, which counts them. */
  flushes: number | null
}

const yearNights = 365

export async function runForwardBench(server: BenchServer, options: ForwardOptions): Promise<void> {
  const measured: Forwarded[] = []
  for (const waits of [true, false]) measured.push(await forwardCopy(server, options, waits))
  const rows = measured.map(({ name, cases, seconds, commits, flushes }) => [
    name,
    String(cases),
    seconds.toFixed(1),
    ((seconds / options.nights) * yearNights).toFixed(0),
    String(commits),
    String(flushes ?? ''),
  ])
  const head = [
    'commits',
    'cases',
    'seconds',
    `for ${yearNights} nights`,
    'transactions',
    'flushes of the log',
  ]
  process.stdout.write(`${options.nights} nights.\n\n${formatTable(head, rows)}\n`)
  if (options.json !== undefined) await writeFile(options.json, `${JSON.stringify(measured, null, 2)}\n`)
}

async function forwardCopy(
  server: BenchServer,
  { debtors, nights, report }: ForwardOptions,
  waits: boolean,
): Promise<Forwarded> {
  const plain = await prepareDatabase(server, debtors, report)
  const url = waits ? plain : withoutFlush(plain)
  const sql = openDatabase(url, { max: 16, applicationName: 'fordra bench' })
  try {
    const cases = await loadCases(plain, {}, report)
    await makeSandbox(sql)
    const name = waits ? 'wait for the disk' : 'do not wait'
    report(`  ${nights} nights, commits ${name}`)
    const before = await readCounts(sql)
    const began = performance.now()
    await passNights(sql, url, nights)
    const seconds = (performance.now() - began) / 1000
    const after = await readCounts(sql)
    const flushes = after.flushes === null ? null : after.flushes - before.flushes!
    return { name, cases, seconds, commits: after.commits - before.commits, flushes }
  } finally {
    await sql.end({ timeout: 5 })
    await dropDatabase(server, plain)
  }
}

async function makeSandbox(sql: Sql): Promise<void> {
  await loadShippedFees(sql)
  await loadShippedStrategies(sql)
  const [client] = await sql<{ id: string }[]>`select id from party where reference_code = 'BENCH-CASES'`
  await assignStrategy(sql, client!.id, 'NORDIC')
  await sql`insert into sandbox (id, copied_at, masked) values (${makeId()}, now(), false)`
  await sql`vacuum (analyze)`
}

async function passNights(sql: Sql, url: string, nights: number): Promise<void> {
  const clock = await startBusinessClock(sql, { timeZone: 'UTC', steps: dateSteps, onError: () => {} })
  try {
    const until = addDays(clock.today(), nights)
    await forwardNights({ sql, url, clock, steps: dayEndSteps(), model: usualModel }, { until })
  } finally {
    clock.stop()
  }
}

/** Of the whole server: nothing else runs on it. */
async function readCounts(sql: Sql): Promise<Pick<Forwarded, 'commits' | 'flushes'>> {
  await sql`select pg_stat_force_next_flush()`
  const [row] = await sql<{ commits: number; flushes: number | null }[]>`
    select (select sum(xact_commit) from pg_stat_database)::int as commits,
      (select sum(fsyncs) from pg_stat_io where object = 'wal' and context = 'normal')::int as flushes`
  return row!
}
