import type { FastifyRequest } from 'fastify'
import type { Settings } from '../../platform/config.ts'
import { isSame } from '../../platform/http/cookies.ts'
import { admit } from './admit.ts'
import { registry } from '../../platform/telemetry/metrics.ts'
import type { ServerContext } from './server-context.ts'

/**
 * `/metrics` for Prometheus: needs the token of the settings, or a session with `system.admin`. The token is checked
 * without the database, so process metrics are available while the database is down.
 */
export function serveMetrics(service: ServerContext): void {
  const { app, settings } = service
  if (settings.FORDRA_METRICS !== 1) return
  app.get('/metrics', async (request, reply) => {
    if (!hasToken(settings, request)) await admit(service, { access: ['system.admin'] }, request, reply)
    return reply.type(registry.contentType).send(await registry.metrics())
  })
}

function hasToken({ FORDRA_METRICS_TOKEN: token }: Settings, { headers }: FastifyRequest): boolean {
  const [, given] = /^Bearer +(\S+)$/i.exec(headers.authorization ?? '') ?? []
  return token !== undefined && given !== undefined && isSame(given, token)
}
