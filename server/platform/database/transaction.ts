import type { ISql, Sql, TransactionSql } from 'postgres'
import { setTimeout as sleep } from 'node:timers/promises'

/** A connection pool or one of its transactions: the first argument of store functions. */
export type Db = ISql<Record<string, never>> | ISql

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
      return await begin(db as Sql, work)
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

/** A connection that ended, by whoever's doing; not an error of the statement. */
const lostConnection =
  /^(CONNECTION_|CONNECT_TIMEOUT|ECONN|EHOST|ENET|EPIPE|ETIMEDOUT|ERR_STREAM|08|57P0|25P0[34])/

/** Errors that a retry may not meet: lost connections, timeouts, shutdown, a primary that became a replica. */
const passing =
  /^(08|53|57|CONNECT|ECONN|EHOST|ENET|EPIPE|ETIMEDOUT|ENOENT|ENOTFOUND|EAI_|25006|55P03|40001|40P01)/

export const isPassing = (error: unknown): boolean =>
  passing.test(String((error as { code?: unknown } | null)?.code ?? ''))

/** The error of a primary that became a replica. */
export const isReadOnly = (error: unknown): boolean => (error as { code?: unknown } | null)?.code === '25006'

/**
 * Ends the read-only connections of a pool, such as those to a replica. After a failover the address leads elsewhere,
 * but existing connections stay on the old server. The pool opens new ones by itself. Each connection is reserved while
 * it ends: the driver (postgres 3.4) never reopens one that was closed with a half-sent statement. Returns whether
 * read-only connections may remain, because new ones may be read-only too or the server did not answer.
 */
export async function closeReadOnlyConnections(sql: Sql): Promise<boolean> {
  // A row before the end would shift the rows of the connection's next statement (porsager/postgres issue 1181).
  const leave = `do $$ begin
    if current_setting('transaction_read_only')::boolean then perform pg_terminate_backend(pg_backend_pid()); end if; end $$`
  const each = Array.from({ length: sql.options.max })
  try {
    // The driver never returns a connection that it opens for a reserve call, so all are opened first.
    await Promise.all(each.map(() => sql`select`))
    const held = await Promise.all(each.map(() => sql.reserve().catch(() => null)))
    const ended = await Promise.all(
      held.map((one) =>
        one?.unsafe(leave).then(
          () => {
            one.release()
            return false
          },
          () => true,
        ),
      ),
    )
    return ended.includes(true)
  } catch (error) {
    return !isEnded(error)
  }
}

/** The pool itself was closed. */
const isEnded = (error: unknown): boolean => (error as { code?: unknown } | null)?.code === 'CONNECTION_ENDED'

const againAfterMs = 500

/**
 * Ends the read-only connections of several pools, repeatedly until all accept writes: while the address still leads to
 * the replica, new connections are read-only too. A call during a running one does nothing.
 */
export function createReadOnlyWatcher(pools: readonly Sql[]): () => void {
  let isLeaving = false
  const leave = async () => {
    while ((await Promise.all(pools.map(closeReadOnlyConnections))).includes(true))
      await sleep(againAfterMs, undefined, { ref: false })
    isLeaving = false
  }
  return () => {
    if (isLeaving) return
    isLeaving = true
    void leave()
  }
}
const lostWithinMs = 1_000

/**
 * After a lost connection, the driver (postgres 3.4) still writes a transaction's next statement or its rollback to the
 * closed socket. That ends the process, stops the pool from reconnecting, or runs the statement in another transaction
 * (porsager/postgres issues 1208 and 1216). Therefore nothing more is sent in a transaction whose connection was lost.
 */
async function begin<T>(sql: Sql, work: (tx: Db) => Promise<T>): Promise<T> {
  let over = false
  const transaction = sql.begin(
    (tx: TransactionSql) =>
      new Promise<T>((resolve, reject) => {
        work(rejectAfterEnd(tx, () => over)).then(resolve, (error: unknown) => {
          if (!lostConnection.test((error as { code?: string }).code ?? '')) reject(error)
          // The driver rejects the transaction itself if this connection was lost; otherwise it is rolled back here.
          else setTimeout(() => over || reject(error), lostWithinMs)
        })
      }),
  )
  try {
    return (await transaction) as T
  } finally {
    over = true
  }
}

function rejectAfterEnd(tx: TransactionSql, isOver: () => boolean): Db {
  const check = () => {
    if (isOver()) throw Object.assign(new Error('The transaction is over.'), { code: 'CONNECTION_CLOSED' })
  }
  return new Proxy(tx, {
    apply: (target, self, statement) => {
      check()
      return Reflect.apply(target, self, statement) as unknown
    },
    get: (target, name) => {
      check()
      return Reflect.get(target, name) as unknown
    },
  })
}

/** The name of the violated unique constraint or index; null for another error. */
export function violatedUniqueness(error: unknown): string | null {
  const { code, constraint_name: name } = error as { code?: string; constraint_name?: string }
  return code === '23505' ? (name ?? '') : null
}
