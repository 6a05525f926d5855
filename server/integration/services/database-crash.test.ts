/** PostgreSQL dies by SIGKILL, with jobs under way and waiting, while a real node goes on (S11). */
import assert from 'node:assert/strict'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { openDatabase } from '../../platform/database/database.ts'
import { insertJobs } from '../../platform/jobs/jobs.store.ts'
import { startNodeProcess, type NodeProcess } from '../../testing/programs/node-process.ts'
import {
  makeOwnPostgres,
  type OwnPostgres,
  type RunningPostgres,
} from '../../testing/servers/own-postgres.ts'

const rounds = Number(process.env['FORDRA_TEST_CRASHES'] ?? 4)
const jobsPerRound = 150
const debtorCount = 20

let own: OwnPostgres
let postgres: RunningPostgres
let node: NodeProcess
before(async () => {
  own = await makeOwnPostgres()
  postgres = await own.run(own.home.cluster, 'crashing')
  node = await startNodeProcess(postgres.url, {
    FORDRA_SERVICES: join(import.meta.dirname, '../../testing/services'),
  })
})
after(async () => {
  await node.end('SIGKILL')
  await postgres.stop()
  own.remove()
})

const readiness = async () => {
  const response = await fetch(`${node.address}/health/ready`).catch(() => {
    throw new Error(`The node does not answer:\n${node.output()}`)
  })
  return { status: response.status, text: await response.text() }
}

/** Asks once, over a connection of its own: those of a pool end with the server. */
async function ask<T>(work: (sql: ReturnType<typeof openDatabase>) => Promise<T>): Promise<T> {
  const sql = openDatabase(postgres.url, { max: 1 })
  try {
    return await work(sql)
  } finally {
    await sql.end({ timeout: 1 })
  }
}

const countEnded = () =>
  ask(async (sql) => {
    const [row] = await sql<{ count: number }[]>`
      select count(*)::int as count from job_run where status = 'completed' and kind = 'service'`
    return row!.count
  })

async function insertRound(round: number): Promise<void> {
  await ask(async (sql) => {
    const [admin] = await sql<{ id: string }[]>`select id from app_user where email = 'admin@agency.example'`
    const debtors = await sql<{ id: string }[]>`select id from debtor order by id`
    await insertJobs(
      sql,
      Array.from({ length: jobsPerRound }, (_, n) => ({
        kind: 'service',
        name: 'note',
        payload: {
          item: { type: 'debtor', guid: debtors[n % debtorCount]!.id },
          input: { name: `effect ${round} ${n}` },
          scope: null,
        },
        askedBy: admin!.id,
        requestId: null,
      })),
    )
  })
}

test('after each crash of the database the same node finishes all jobs, each once', async () => {
  await ask(
    (sql) => sql`
      insert into debtor (id, full_name, reg_date) select gen_random_uuid(), 'Debtor ' || n, now()
      from generate_series(1, ${debtorCount}) n`,
  )
  for (let round = 0; round < rounds; round++) {
    const earlier = await countEnded()
    await insertRound(round)
    // In the odd rounds the jobs are nearly done, in the even ones they have hardly begun.
    while ((await countEnded()) < earlier + (round % 2) * 100 + 5) await sleep(5)
    await postgres.kill()
    while ((await readiness()).status !== 503) await sleep(20)
    await sleep((round % 3) * 1_000)
    assert.equal(node.child.exitCode, null, node.output())
    postgres = await own.run(own.home.cluster, 'crashing')
  }
  while ((await countEnded()) < rounds * jobsPerRound) {
    assert.equal(node.child.exitCode, null, node.output())
    await sleep(100)
  }
  while ((await readiness()).status !== 200) await sleep(20)
  const [effects] = await ask(
    (sql) => sql`
    select count(*)::int as fields, count(distinct name)::int as names from extra_field`,
  )
  assert.deepEqual(effects, { fields: rounds * jobsPerRound, names: rounds * jobsPerRound })
  assert.equal(await node.end('SIGTERM'), 0)
})
