import type { Service } from './service.ts'
import { registry } from './metrics.ts'

/** `/health/live`: the process answers. `/health/ready`: so does the database. `/metrics`: figures for Prometheus. */
export function serveHealth({ app, sql, settings }: Service): void {
  app.get('/health/live', async () => ({ status: 'live' }))
  app.get('/health/ready', async (_request, reply) => {
    try {
      await sql`select 1`
      return { status: 'ready' }
    } catch {
      return reply
        .code(503)
        .header('retry-after', '2')
        .send({ status: 'not ready', reason: 'The database does not answer.' })
    }
  })
  if (settings.FORDRA_METRICS === 1) {
    app.get('/metrics', async (_request, reply) =>
      reply.type(registry.contentType).send(await registry.metrics()),
    )
  }
}
