/** `fordra sandbox compare`: two strategies, one portfolio, the same debtors. */
import assert from 'node:assert/strict'
import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { findAgency } from '../../server/access/users/parties.store.ts'
import { assignStrategy } from '../../server/collection/strategies/strategies.store.ts'
import { copyInstallation } from '../../server/insight/sandbox/copy-installation.ts'
import { startApi, type TestApi } from '../../server/testing/api.ts'
import { openTestDatabase, type TestDatabase } from '../../server/testing/database.ts'
import { fillDemo } from '../testing/fill-demo.ts'
import { runFordra } from '../testing/run-fordra.ts'
import { runHere } from '../testing/run-here.ts'

const today = '2026-06-15'
const folder = mkdtempSync(join(tmpdir(), 'fordra-compare-'))
chmodSync(folder, 0o711)

interface Answer {
  nights: number
  figures: { figure: string; a: number; b: number; difference: number }[]
  refusedByLaw: { a: number; b: number; difference: number }[]
}

let api: TestApi
let sandbox: TestDatabase

before(async () => {
  api = await startApi()
  await fillDemo(api, today)
  await assignStrategy(api.sql, (await findAgency(api.sql))!, 'NORDIC')
  const silent = { code: 'SILENT', name: 'Wait and see', steps: [waiting] }
  const { status, text } = await api.call('POST', '/strategies', { body: silent })
  assert.equal(status, 201, text)
  sandbox = await openTestDatabase()
  await copyInstallation(api.sql, sandbox.sql, { masked: true })
  // PostgreSQL clones a database only while nobody is connected to it.
  await disconnect()
})
after(async () => {
  await sandbox.close()
  await api.close()
  rmSync(folder, { recursive: true, force: true })
})

/** Writes no letter. */
const waiting = {
  code: 'WAIT',
  status: 'NEW',
  afterDays: 1500,
  actions: [{ kind: 'letter', letter: 'reminder' }],
}

const disconnect = () => api.sql`
  select pg_terminate_backend(pid) from pg_stat_activity where datname = ${databaseName()} and pid <> pg_backend_pid()`
const databaseName = () => decodeURIComponent(new URL(sandbox.url).pathname.slice(1))

const run = (url: string, ...args: string[]) =>
  runFordra(['sandbox', 'compare', ...args], { cwd: folder, env: { DATABASE_URL: url } })

const listDatabases = async () => {
  const rows = await api.sql<{ name: string }[]>`
    select datname as name from pg_database where datname like ${`${databaseName()}%`}`
  return rows.map(({ name }) => name)
}

async function compare(...args: string[]): Promise<Answer> {
  const { code, out, err } = await run(sandbox.url, ...args, '--json')
  assert.equal(code, 0, err)
  return JSON.parse(out) as Answer
}

const refused = async (url: string, args: string[], says: RegExp) => {
  const words = ['sandbox', 'compare', ...args]
  const { code, out, err } = await runHere(words, { cwd: folder, env: { DATABASE_URL: url } })
  assert.deepEqual([code, out], [1, ''], err)
  assert.match(err, says)
}

describe('a comparison', () => {
  test('of a strategy with itself has no differences', async () => {
    const { nights, figures, refusedByLaw } = await compare(
      'NORDIC',
      'nordic',
      '--days',
      '25',
      '--full',
      '30',
    )
    assert.equal(nights, 25)
    for (const name of ['collected', 'fees', 'letters', 'closedCases'])
      assert.ok(
        figures.some(({ figure, a }) => figure === name && a > 0),
        name,
      )
    for (const one of [...figures, ...refusedByLaw]) assert.equal(one.difference, 0, JSON.stringify(one))
    assert.ok(refusedByLaw.length > 0)
  })

  test('of two strategies tells what each brings, and leaves the sandbox as it was', async () => {
    const { code, out, err } = await run(sandbox.url, 'NORDIC', 'Wait and see', '--days', '25')
    assert.equal(code, 0, err)
    assert.match(out, /^25 nights, 2026-06-16 to 2026-07-10, on the same portfolio\. .*model/)
    assert.match(out, /currency +NORDIC +SILENT +difference/)
    assert.match(out, /letters +SEK +[1-9]\d* +0 +-\d+/)
    assert.match(out, /steps and fees refused by +NORDIC +SILENT +difference/)
    const [row] = await sandbox.sql`
      select (select business_date from business_clock) as date, (select count(*)::int from day_end_step
        where step like 'sandbox-%') as nights, (select count(*)::int from strategy_step_taken) as taken`
    assert.deepEqual({ ...row }, { date: today, nights: 0, taken: 0 })
    await disconnect()
    assert.deepEqual(await listDatabases(), [databaseName()])
  })

  test('is refused outside of a sandbox, of an unknown strategy, and while somebody is connected', async () => {
    await refused(api.databaseUrl, ['NORDIC', 'SILENT', '--days', '1'], /This is no sandbox/)
    await refused(
      sandbox.url,
      ['NORDIC', 'NONE', '--days', '1'],
      /no strategy NONE\. The sandbox has .*SILENT/,
    )
    await refused(sandbox.url, ['NORDIC', 'SILENT'], /--days/)
    await sandbox.sql.begin(async (tx) => {
      await tx`select`
      await refused(sandbox.url, ['NORDIC', 'SILENT', '--days', '1'], /Stop its server and close other/)
    })
    await disconnect()
    assert.deepEqual(await listDatabases(), [databaseName()])
  })
})
