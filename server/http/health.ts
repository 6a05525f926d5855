import { setTimeout as wait } from 'node:timers/promises'
import type { Sql } from 'postgres'
import type { Service } from './service.ts'
import { registry } from './metrics.ts'

/** `/health/live`: the process answers. `/health/ready`: so does the database. `/metrics`: figures for Prometheus. */
export function serveHealth({ app, sql, settings }: Service): void {
  app.get('/health/live', async () => ({ status: 'live' }))
  app.get('/health/ready', async (_request, reply) => {
    if (await answersInTime(sql)) return { status: 'ready' }
    return reply
      .code(503)
      .header('retry-after', '2')
      .send({ status: 'not ready', reason: 'The database does not answer.' })
  })
  if (settings.FORDRA_METRICS === 1) {
    app.get('/metrics', async (_request, reply) =>
      reply.type(registry.contentType).send(await registry.metrics()),
    )
  }
}

const readyWithinMs = 2_000

/** Whoever asks has no patience for a connection that may come back. */
const answersInTime = (sql: Sql): Promise<boolean> =>
  Promise.race([
    sql`select 1`.then(
      () => true,
      () => false,
    ),
    wait(readyWithinMs, false, { ref: false }),
  ])
