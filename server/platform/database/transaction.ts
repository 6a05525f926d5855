import type { ISql, Sql, TransactionSql } from 'postgres'
import { setTimeout as sleep } from 'node:timers/promises'

/** A connection pool or a transaction of it: what a store's functions take first. */
export type Db = ISql<Record<string, never>> | ISql

const retryable = new Set(['40001', '40P01'])
const triesMax = 4

/**
 * Runs `work` in a transaction: in the one that `db` already is, else in a new one, begun again when PostgreSQL ended
 * it for a deadlock or a serialisation failure.
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

/** Errors that another try may not meet: connections gone, too slow, shutting down, a primary that is one no longer. */
const passing =
  /^(08|53|57|CONNECT|ECONN|EHOST|ENET|EPIPE|ETIMEDOUT|ENOENT|ENOTFOUND|EAI_|25006|55P03|40001|40P01)/

export const isPassing = (error: unknown): boolean =>
  passing.test(String((error as { code?: unknown } | null)?.code ?? ''))

/** What a primary says that has become a replica. */
export const isReadOnly = (error: unknown): boolean => (error as { code?: unknown } | null)?.code === '25006'

/**
 * Ends the connections of a pool that take no writes, as those to a replica: after a failover its address leads elsewhere,
 * but a connection stays where it is, and as it was when it began. The pool makes new ones by itself. Each is held while it
 * ends: the driver (postgres 3.4) never opens one again that was closed with a statement half sent. Returns whether there may
 * be more: some were ended, and what came in their place may be as they were, or the server did not answer.
 */
export async function leaveReadOnly(sql: Sql): Promise<boolean> {
  // A row that came before the end would shift those of the connection's next statement (porsager/postgres issue 1181).
  const leave = `do $$ begin
    if current_setting('transaction_read_only')::boolean then perform pg_terminate_backend(pg_backend_pid()); end if; end $$`
  const each = Array.from({ length: sql.options.max })
  try {
    // The driver never hands over a connection that it opens for the one who reserves it, so all are opened before.
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
 * The same for several pools, again and again until all of them take writes: while the address still leads to the
 * replica, one comes back to it that was made anew. The function does nothing while it is at it already.
 */
export function leaverOf(pools: readonly Sql[]): () => void {
  let isLeaving = false
  const leave = async () => {
    while ((await Promise.all(pools.map(leaveReadOnly))).includes(true))
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
 * The driver (postgres 3.4) writes a transaction's next statement, and its own rollback, to a socket that is gone: that
 * ends the process, keeps the pool from connecting again, or runs the statement in another's transaction
 * (porsager/postgres issues 1208 and 1216). So a transaction whose connection was lost is told nothing more.
 */
async function begin<T>(sql: Sql, work: (tx: Db) => Promise<T>): Promise<T> {
  let over = false
  const transaction = sql.begin(
    (tx: TransactionSql) =>
      new Promise<T>((resolve, reject) => {
        work(untilOver(tx, () => over)).then(resolve, (error: unknown) => {
          if (!lostConnection.test((error as { code?: string }).code ?? '')) reject(error)
          // The driver fails the transaction by itself when the connection was this one; else it is rolled back.
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

function untilOver(tx: TransactionSql, isOver: () => boolean): Db {
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

/** The name of the unique constraint or index that a statement ran into, or null for another error. */
export function violatedUniqueness(error: unknown): string | null {
  const { code, constraint_name: name } = error as { code?: string; constraint_name?: string }
  return code === '23505' ? (name ?? '') : null
}
