/** Nodes in processes of their own that are killed and stopped during their work (D25, S11). */
import assert from 'node:assert/strict'
import { join } from 'node:path'
import { afterEach, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Sql } from '../../platform/database/driver/pool.ts'
import { insertJobs } from '../../platform/jobs/jobs.store.ts'
import { openTestDatabase, type TestDatabase } from '../../testing/database.ts'
import { startNodeProcess, type NodeProcess } from '../../testing/programs/node-process.ts'

const folder = join(import.meta.dirname, '../../testing/services')
const settings = { FORDRA_SERVICES: folder }
/** Set FORDRA_TEST_JOBS=10000 for the full test. */
const jobCount = Number(process.env['FORDRA_TEST_JOBS'] ?? 400)
const debtorCount = 20

const running: NodeProcess[] = []
let database: TestDatabase
const start = async (more: Record<string, string> = {}) => {
  const node = await startNodeProcess(database.url, { ...settings, ...more })
  running.push(node)
  return node
}
afterEach(async () => {
  await Promise.all(running.map((node) => node.end('SIGKILL')))
  running.length = 0
  await database.close()
})

const countJobs = async (sql: Sql, status: string) => {
  const [row] = await sql<{ count: number }[]>`
    select count(*)::int as count from job_run where status = ${status} and kind = 'service'`
  return row!.count
}
const waitUntilDone = async (sql: Sql, count: number) => {
  while ((await countJobs(sql, 'completed')) < count) await sleep(50)
}
const findAdmin = async (sql: Sql) => {
  const [row] = await sql<{ id: string }[]>`select id from app_user where email = 'admin@agency.example'`
  return row!.id
}

async function insertDebtors(sql: Sql): Promise<string[]> {
  const rows = await sql<{ id: string }[]>`
    insert into debtor (id, full_name, reg_date) select gen_random_uuid(), 'Debtor ' || n, now()
    from generate_series(1, ${debtorCount}) n returning id`
  return rows.map(({ id }) => id)
}

test('nodes killed three times during asynchronous services cause each effect exactly once', async () => {
  database = await openTestDatabase()
  const { sql } = database
  let node = await start()
  const beside = await start({ FORDRA_JOBS: '2' })
  const debtors = await insertDebtors(sql)
  const askedBy = await findAdmin(sql)
  const ids = await insertJobs(
    sql,
    Array.from({ length: jobCount }, (_, n) => ({
      kind: 'service',
      name: 'note',
      payload: {
        item: { type: 'debtor', guid: debtors[n % debtorCount] },
        input: { name: `effect ${n}` },
        scope: null,
      },
      askedBy,
      requestId: null,
    })),
  )
  assert.equal(ids.length, jobCount)
  for (const part of [0.2, 0.4, 0.6]) {
    await waitUntilDone(sql, jobCount * part)
    await node.end('SIGKILL')
    node = await start()
  }
  await waitUntilDone(sql, jobCount * 0.8)
  assert.equal(await beside.end('SIGTERM'), 0)
  await waitUntilDone(sql, jobCount)
  const [effects] = await sql`
    select count(*)::int as fields, count(distinct name)::int as names from extra_field`
  assert.deepEqual(effects, { fields: jobCount, names: jobCount })
  const events = await sql`
    select type, count(*)::int as count from event where type in ('service.completed', 'extrafield.created', 'job.completed')
    group by type order by type`
  assert.deepEqual(
    events.map(({ count }) => count),
    [jobCount, jobCount + (await otherJobs(sql)), jobCount],
  )
})

/** A node may have enqueued the day-end. */
const otherJobs = async (sql: Sql) => {
  const [row] = await sql<{ count: number }[]>`
    select count(*)::int as count from job_run where kind <> 'service' and status = 'completed'`
  return row!.count
}

test('a node that stops returns unfinished jobs without using up an attempt', async () => {
  database = await openTestDatabase()
  const { sql } = database
  const node = await start()
  const askedBy = await findAdmin(sql)
  const payload = { item: null, input: {}, scope: null }
  const [id] = await insertJobs(sql, [
    { kind: 'service', name: 'patient', payload, askedBy, requestId: null },
  ])
  while ((await countJobs(sql, 'running')) === 0) await sleep(20)
  assert.equal(await node.end('SIGTERM'), 0)
  assert.match(node.output(), /Stopped\./)
  const [job] = await sql`select status, attempts, last_error from job_run where id = ${id!}`
  assert.deepEqual(job, { status: 'waiting', attempts: 0, last_error: null })
})

test('two nodes that start in the hour of the day-end enqueue it once', async () => {
  database = await openTestDatabase()
  const { sql } = database
  await Promise.all([start({ FORDRA_DAY_END_HOUR: '0' }), start({ FORDRA_DAY_END_HOUR: '0' })])
  const read = () => sql`select status, asked_by from job_run where name = 'day-end'`
  while ((await read())[0]?.['status'] !== 'completed') await sleep(50)
  // Longer than one polling interval of either node.
  await sleep(2_500)
  assert.deepEqual([...(await read())], [{ status: 'completed', asked_by: null }])
})
