import { setTimeout as wait } from 'node:timers/promises'
import type { Sql } from '../../platform/database/driver/pool.ts'
import type { ServerContext } from './server-context.ts'

/**
 * `/health/live`: the process answers. `/health/ready`: the database answers too and accepts writes, and the job queue
 * of this node goes on.
 */
export function serveHealth({ app, sql, queue, leaveReadOnly }: ServerContext): void {
  app.get('/health/live', async () => ({ status: 'live' }))
  app.get('/health/ready', async (_request, reply) => {
    const reason = (await findOutage(sql)) ?? (queue.stillSeconds() > 0 ? standstill : null)
    if (reason === null) return { status: 'ready' }
    if (reason === readOnly) leaveReadOnly()
    return reply.code(503).header('retry-after', '2').send({ status: 'not ready', reason })
  })
}

const readyWithinMs = 2_000

const standstill = 'The job queue of this node stands still.'
const silence = 'The database does not answer.'
const readOnly =
  'The database is read-only: it is a standby, or was set so. The database address must lead to the primary.'

/** Why the service is not ready; null when it is. Health probes cannot wait for a connection to recover. */
const findOutage = (sql: Sql): Promise<string | null> =>
  Promise.race([askServer(sql).catch(() => silence), wait(readyWithinMs, silence, { ref: false })])

async function askServer(sql: Sql): Promise<string | null> {
  const [row] = await sql<{ isReadOnly: boolean }[]>`
    select current_setting('transaction_read_only')::boolean as "isReadOnly"`
  return row!.isReadOnly ? readOnly : null
}
