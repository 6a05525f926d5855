/** What PostgreSQL does for a piece of work, in figures that do not depend on the machine or its load. */
import { setTimeout as sleep } from 'node:timers/promises'
import type { Sql } from '../../server/platform/database/driver/pool.ts'
import { openDatabase } from '../../server/platform/database/database.ts'

export interface DatabaseWork {
  /** Of 8 kB, in memory or read. */
  blocks: number
  /** Bytes written to the log. */
  logBytes: number
}

interface Counters {
  blocks: number
  log: string
}

/** Counts the work of a function that has connections of its own. */
export async function countDatabaseWork<T>(
  sql: Sql,
  url: string,
  work: (own: Sql) => Promise<T>,
): Promise<DatabaseWork & { result: T }> {
  const before = await readCounters(sql)
  const own = openDatabase(url, { max: 4, applicationName: workName })
  let result: T
  try {
    result = await work(own)
  } finally {
    await own.end({ timeout: 5 })
  }
  await awaitEnd(sql)
  const after = await readCounters(sql)
  const [log] = await sql<{ bytes: number }[]>`
    select pg_wal_lsn_diff(${after.log}::pg_lsn, ${before.log}::pg_lsn)::float8 as bytes`
  return { result, blocks: after.blocks - before.blocks, logBytes: log!.bytes }
}

const workName = 'fordra bench work'

/** A session reports what it has read when it ends. */
async function awaitEnd(sql: Sql): Promise<void> {
  for (;;) {
    const sessions = await sql`select from pg_stat_activity where application_name = ${workName}`
    if (sessions.length === 0) return
    await sleep(20)
  }
}

async function readCounters(sql: Sql): Promise<Counters> {
  await sql`select pg_stat_force_next_flush()`
  const [row] = await sql<{ blocks: number; log: string }[]>`
    select (blks_hit + blks_read)::float8 as blocks, pg_current_wal_lsn()::text as log
    from pg_stat_database where datname = current_database()`
  return row!
}
