/**
 * Detects dead nodes. Each node holds a lock of its connection, which the database releases with the connection. Jobs
 * of a dead node are returned to the queue, which by itself would wait four hours.
 */
import type { Pool, PoolClient } from 'pg'
import type { Sql } from '../database/driver/pool.ts'
import { setTimeout as sleep } from 'node:timers/promises'
import { inTransaction } from '../database/transaction.ts'

const lockSpace = 0x4a4f4253
const takenForMs = 2_000

export interface LivenessLock {
  stop(): Promise<void>
}

/** Holds the lock of a node's pool, and takes it again on another connection when that one ends. */
export async function holdLivenessLock(pool: Pool, poolId: string): Promise<LivenessLock> {
  const state: { client?: PoolClient | undefined; stopped: boolean } = { stopped: false }
  const drop = () => {
    state.client?.release(true)
    state.client = undefined
  }
  const hold = async () => {
    state.client = await pool.connect()
    state.client.once('error', () => {
      drop()
      void holdAgain()
    })
    await state.client.query('select pg_advisory_lock($1::int, hashtext($2))', [lockSpace, poolId])
  }
  const holdAgain = async () => {
    while (!state.stopped && state.client === undefined) {
      await sleep(500)
      await hold().catch(drop)
    }
  }
  await hold()
  return {
    stop: async () => {
      state.stopped = true
      const held = state.client
      state.client = undefined
      await held
        ?.query('select pg_advisory_unlock($1::int, hashtext($2))', [lockSpace, poolId])
        .catch(() => {})
      held?.release()
    },
  }
}

/**
 * Returns jobs that this node took without knowing, because the connection was cut before the queue's answer arrived,
 * and opens named queues that it keeps locked for none. A node that was taken for dead ends a job that another node
 * runs again; that one then unlocks nothing, as the library unlocks the queue with the job's row. The library has no
 * function for it, so this uses its tables; a test pins their version.
 */
export async function freeLostJobs(sql: Sql, poolId: string, known: readonly string[]): Promise<void> {
  await sql`
    with lost as (
      update graphile_worker._private_jobs set locked_at = null, locked_by = null
      where locked_by = ${poolId} and locked_at < now() - ${takenForMs} * interval '1 millisecond'
        and id <> all(${[...known]}::text[]::bigint[])
      returning id
    )
    update graphile_worker._private_job_queues q set locked_at = null, locked_by = null
    where q.locked_by = ${poolId} and q.locked_at < now() - ${takenForMs} * interval '1 millisecond'
      and not exists (
        select from graphile_worker._private_jobs j
        where j.job_queue_id = q.id and j.locked_by = ${poolId} and j.id not in (select id from lost))`
}

/** Returns the jobs of dead nodes to the queue. Returns their number. */
export async function freeDeadNodes(sql: Sql): Promise<number> {
  const taken = await sql<{ pool: string }[]>`
    select distinct locked_by as pool from graphile_worker.jobs
    where locked_at < now() - ${takenForMs} * interval '1 millisecond'`
  if (taken.length === 0) return 0
  return inTransaction(sql, async (tx) => {
    const dead = await tx<{ pool: string }[]>`
      select pool from unnest(${taken.map(({ pool }) => pool)}::text[]) pool
      where pg_try_advisory_xact_lock(${lockSpace}::int, hashtext(pool))`
    const pools = dead.map(({ pool }) => pool)
    if (pools.length > 0) await tx`select from graphile_worker.force_unlock_workers(${pools}::text[])`
    return pools.length
  })
}
