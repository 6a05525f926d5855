/** Statements that wait for a lock, for tests in which one transaction keeps others waiting. */
import type { TestApi } from './api.ts'

/**
 * How many statements of the database wait for a lock. Asked outside of a transaction: within one, PostgreSQL lists
 * only the connections of the first look.
 */
export async function countWaiting({ sql }: TestApi): Promise<number> {
  const [row] = await sql<{ count: number }[]>`
    select count(*)::int as count from pg_stat_activity
    where wait_event_type = 'Lock' and datname = current_database()`
  return row!.count
}

/** Waits until so many statements wait for a lock; the test runner's own limit ends a wait in vain. */
export async function untilWaiting(api: TestApi, count = 1): Promise<void> {
  while ((await countWaiting(api)) < count);
}
