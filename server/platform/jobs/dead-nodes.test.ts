/** The lock by which other nodes know that a node lives. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import type { PoolClient } from 'pg'
import type { ReservedSql } from '../database/driver/sql.ts'
import { startApi, type TestApi } from '../../testing/api.ts'
import { holdLivenessLock } from './dead-nodes.ts'
import { openQueuePool } from './queue-pool.ts'

let api: TestApi
before(async () => {
  api = await startApi()
})
after(() => api.close())

const key = (sql: ReservedSql) => sql`${0x4a4f4253}::int, hashtext('lively')`

/** Connections that hold the lock of the node, or wait for it. */
const listAskers = () =>
  api.sql<{ pid: number; granted: boolean }[]>`
    select l.pid, l.granted from pg_locks l join pg_database d on d.oid = l.database
    where l.locktype = 'advisory' and l.classid = ${0x4a4f4253} and l.objid::text = ((hashtext('lively')::bigint & 4294967295))::text
      and d.datname = current_database()`

async function untilAsking(count: number): Promise<{ pid: number; granted: boolean }[]> {
  for (;;) {
    const askers = await listAskers()
    if (askers.length === count) return askers
    await sleep(20)
  }
}

test('a node whose connection is lost while it waits for its lock asks for it once, and still stops', async () => {
  const pool = openQueuePool(api.databaseUrl, 6, () => {})
  let newest: PoolClient | undefined
  pool.on('connect', (client) => (newest = client))
  const life = await holdLivenessLock(pool, 'lively')
  const other = await api.sql.reserve()
  // The database has not noticed the end of the former connection.
  const [first] = await untilAsking(1)
  await api.sql`select pg_terminate_backend(${first!.pid})`
  await other`select pg_advisory_lock(${key(other)})`
  for (let round = 0; round < 3; round++) {
    const waiting = (await untilAsking(2)).find(({ granted }) => !granted)!
    // Without a word of the database, as when its host dies.
    newest!.connection.stream.destroy()
    await api.sql`select pg_terminate_backend(${waiting.pid})`
    // Long enough for a second connection to come, if there were one.
    await sleep(1_200)
  }
  assert.equal((await listAskers()).length, 2, 'the other one, and one connection of the node')
  await other`select pg_advisory_unlock(${key(other)})`
  const [held] = await untilAsking(1)
  assert.equal(held!.granted, true)
  life.stop()
  await untilAsking(0)
  await pool.end()
  other.release()
})
