import type { Sql } from './driver/pool.ts'
import type { ISql } from './driver/sql.ts'
import { setTimeout as sleep } from 'node:timers/promises'

/** A connection pool or one of its transactions: the first argument of store functions. */
export type Db = ISql

const retryable = new Set(['40001', '40P01'])
const triesMax = 4

/**
 * Runs `work` in a transaction: in `db` if that is one already, otherwise in a new one. Retries after a deadlock or
 * serialisation failure.
 */
export async function inTransaction<T>(db: Db, work: (tx: Db) => Promise<T>): Promise<T> {
  if (!('begin' in db)) return work(db)
  for (let tries = 1; ; tries++) {
    try {
      return await (db as Sql).begin(work)
    } catch (error) {
      if (tries === triesMax || !retryable.has((error as { code?: string }).code ?? '')) throw error
    }
  }
}

/** Runs a part of a transaction: when it throws, it alone is undone. */
export async function inSavepoint<T>(tx: Db, work: () => Promise<T>): Promise<T> {
  await tx.unsafe('savepoint part')
  let result: T
  try {
    result = await work()
  } catch (error) {
    await tx.unsafe('rollback to savepoint part; release savepoint part')
    throw error
  }
  await tx.unsafe('release savepoint part')
  return result
}

/** Errors that a retry may not meet: lost connections, timeouts, shutdown, a primary that became a replica. */
const passing =
  /^(08|53|57|CONNECT|ECONN|EHOST|ENET|EPIPE|ETIMEDOUT|ENOENT|ENOTFOUND|EAI_|25006|55P03|40001|40P01)/

export const isPassing = (error: unknown): boolean =>
  passing.test(String((error as { code?: unknown } | null)?.code ?? ''))

/** The error of a primary that became a replica. */
export const isReadOnly = (error: unknown): boolean => (error as { code?: unknown } | null)?.code === '25006'

const againAfterMs = 500

/**
 * Replaces the connections of several pools until all lead to a database that accepts writes. After a failover the
 * address leads elsewhere, but existing connections stay on the old server. A call during a running one does nothing.
 */
export function createReadOnlyWatcher(pools: readonly Sql[]): () => void {
  let isLeaving = false
  const leave = async () => {
    for (let isReadOnlyStill = true; isReadOnlyStill;) {
      for (const pool of pools) pool.renew()
      const found = await Promise.all(pools.map(acceptsWrites))
      isReadOnlyStill = found.includes(false)
      if (isReadOnlyStill) await sleep(againAfterMs, undefined, { ref: false })
    }
    // Others may have been opened just before the address led elsewhere.
    for (const pool of pools) pool.renew()
    isLeaving = false
  }
  return () => {
    if (isLeaving) return
    isLeaving = true
    void leave()
  }
}

/** True too when the pool itself was closed. */
async function acceptsWrites(sql: Sql): Promise<boolean> {
  try {
    const [row] = await sql<{ isReadOnly: boolean }[]>`
      select current_setting('transaction_read_only')::boolean as "isReadOnly"`
    return !row!.isReadOnly
  } catch (error) {
    return (error as { code?: unknown } | null)?.code === 'CONNECTION_ENDED'
  }
}

/** The name of the violated unique constraint or index; null for another error. */
export function violatedUniqueness(error: unknown): string | null {
  const { code, constraint: name } = error as { code?: string; constraint?: string }
  return code === '23505' ? (name ?? '') : null
}
