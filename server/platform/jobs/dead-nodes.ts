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
  stop(): void
}

/**
 * Holds the lock of a node's pool, and takes it again on another connection when that one ends. One connection at a time
 * asks for it: a second one would wait for the first for ever.
 */
export async function holdLivenessLock(pool: Pool, poolId: string): Promise<LivenessLock> {
  const state: { client?: PoolClient | undefined; stopped: boolean } = { stopped: false }
  const lockKey = [lockSpace, poolId]
  /** Resolves when the lock is held; throws when its connection ends first. */
  const hold = async () => {
    const client = await pool.connect()
    const lost = new Promise<void>((resolve) => client.on('error', () => resolve()))
    state.client = client
    if (state.stopped) drop(client)
    try {
      await client.query('select pg_advisory_lock($1::int, hashtext($2))', lockKey)
    } catch (error) {
      drop(client)
      throw error
    }
    void lost.then(async () => {
      if (drop(client)) await holdAgain()
    })
  }
  /** False when it was dropped before. */
  const drop = (client: PoolClient): boolean => {
    if (state.client !== client) return false
    state.client = undefined
    client.release(true)
    return true
  }
  const holdAgain = async () => {
    for (let isHeld = false; !isHeld;) {
      await sleep(500)
      if (state.stopped) return
      isHeld = await hold().then(
        () => true,
        () => false,
      )
    }
  }
  await hold()
  return {
    // Its end releases the lock, also of a connection that still waits for it.
    stop: () => {
      state.stopped = true
      if (state.client) drop(state.client)
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
