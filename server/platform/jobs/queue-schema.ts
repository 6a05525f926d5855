/** The queue's own tables (graphile-worker), updated by the library's migrations. */
import { runMigrations } from 'graphile-worker'
import { queueLogger } from './queue-log.ts'
import { openQueuePool } from './queue-pool.ts'

/** Migrates the queue's tables to the library's version. Call it under the migration lock. */
export async function migrateQueue(url: string): Promise<void> {
  const pool = openQueuePool(url, 2, () => {})
  try {
    await runMigrations({ pgPool: pool, logger: queueLogger(() => {}) })
  } finally {
    await pool.end()
  }
}
