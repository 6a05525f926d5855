import type { Sql } from '../database/driver/pool.ts'
import { jobSpec } from './jobs.store.ts'

/**
 * Queues jobs that have not ended and have no entry in the queue. The library deletes an entry by its id alone: a node
 * that was taken for dead so deletes the entry of the node that goes on. Returns their number.
 */
export async function queueLostJobs(sql: Sql): Promise<number> {
  const [row] = await sql<{ count: number }[]>`
    with made as (
      select j.id, j.kind from job_run j
      where j.status in ('waiting', 'running')
        and not exists (select from graphile_worker.jobs q where q.key = j.id::text)
    )
    select count(*)::int as count from graphile_worker.add_jobs(array(select ${jobSpec(sql)} from made))`
  return row!.count
}
