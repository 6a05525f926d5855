import type { ISql, Sql, TransactionSql } from 'postgres'

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
      return (await (db as Sql).begin((tx: TransactionSql) => work(tx))) as T
    } catch (error) {
      if (tries === triesMax || !retryable.has((error as { code?: string }).code ?? '')) throw error
    }
  }
}

/** The name of the unique constraint or index that a statement ran into, or null for another error. */
export function violatedUniqueness(error: unknown): string | null {
  const { code, constraint_name: name } = error as { code?: string; constraint_name?: string }
  return code === '23505' ? (name ?? '') : null
}
