/** The rows and the log that some requests made PostgreSQL write. */
import type { Sql } from '../../server/platform/database/driver/pool.ts'

interface TableCounts {
  table: string
  inserted: number
  updated: number
}

interface Counts {
  tables: TableCounts[]
  /** Bytes of write-ahead log since the beginning. */
  log: number
}

export interface Written extends Counts {
  rows: number
}

/** An idle session tells what it wrote at most ten seconds late. */
const settleMs = 11_000

export async function readWritten(sql: Sql): Promise<Counts> {
  await new Promise((resolve) => setTimeout(resolve, settleMs))
  const tables = await sql<TableCounts[]>`
    select relname as table, n_tup_ins as inserted, n_tup_upd as updated from pg_stat_user_tables order by relname`
  const [log] = await sql<
    { bytes: number }[]
  >`select pg_wal_lsn_diff(pg_current_wal_lsn(), '0/0')::float8 as bytes`
  return { tables: [...tables], log: log!.bytes }
}

/** For each of some answers; tables with less than a row in a hundred answers are left out. */
export function countWritten(before: Counts, after: Counts, answers: number): Written {
  const earlier = new Map(before.tables.map((counts) => [counts.table, counts]))
  const tables = after.tables
    .map(({ table, inserted, updated }) => ({
      table,
      inserted: (inserted - (earlier.get(table)?.inserted ?? 0)) / answers,
      updated: (updated - (earlier.get(table)?.updated ?? 0)) / answers,
    }))
    .filter(({ inserted, updated }) => inserted + updated >= 0.01)
  return {
    tables,
    rows: tables.reduce((sum, { inserted, updated }) => sum + inserted + updated, 0),
    log: (after.log - before.log) / answers,
  }
}
