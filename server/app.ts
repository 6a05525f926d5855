/** The wiring: the one file that knows every slice. */
import type { FastifyInstance } from 'fastify'
import type { Sql } from 'postgres'
import { serveAudit } from './audit/audit.routes.ts'
import { startBusinessClock } from './clock/business-clock.ts'
import type { Settings } from './config.ts'
import { ListMemory } from './database/list.ts'
import { serveAddresses } from './debtors/addresses.routes.ts'
import { serveDebtors } from './debtors/debtors.routes.ts'
import { rollDebtors } from './debtors/debtors.store.ts'
import { serveExtraFields } from './debtors/extra-fields.routes.ts'
import { createHttpApp } from './http/app.ts'
import { openConsole } from './http/console-files.ts'
import { serveHealth } from './http/health.ts'
import { servePages } from './http/pages.ts'
import { createRateLimiter } from './http/rate-limit.ts'
import type { Service } from './http/service.ts'
import { serveItems } from './items/items.routes.ts'
import { serveMessages } from './messages/messages.routes.ts'
import { serveMfa } from './sessions/mfa.routes.ts'
import { serveOAuth2 } from './sessions/oauth2.routes.ts'
import { serveOidc } from './sessions/oidc.routes.ts'
import { serveOwnSessions } from './sessions/own-sessions.routes.ts'
import { serveSessions } from './sessions/sessions.routes.ts'
import { limitsOf, openSessions } from './sessions/sessions.ts'
import { serveInformation } from './system/information.routes.ts'
import { serveCurrentUser } from './users/current-user.routes.ts'
import { servePasswordReset } from './users/password-reset.routes.ts'
import { serveSecondFactors } from './users/second-factors.routes.ts'
import { serveUsers } from './users/users.routes.ts'
import { version } from './version.ts'

/** What each slice derives from the business date. */
export const dateSteps = [rollDebtors]

export interface App {
  http: FastifyInstance
  service: Service
  /** Lets requests in flight finish, then ends what runs in the background. The pool stays the caller's. */
  close(): Promise<void>
}

/** Builds the service on a migrated database; it does not listen yet. */
export async function createApp(sql: Sql, settings: Settings, listPool: Sql | null = null): Promise<App> {
  const http = await createHttpApp(settings, openConsole())
  const clock = await startBusinessClock(sql, {
    timeZone: settings.FORDRA_TIME_ZONE,
    steps: dateSteps,
    onError: (error) =>
      http.log.error({ error: (error as Error).message }, 'the business date could not be read'),
  })
  const service: Service = {
    app: http,
    sql,
    settings,
    clock,
    sessions: openSessions(sql, limitsOf(settings)),
    limiter: createRateLimiter(settings.FORDRA_RATE_LIMIT),
    totals: new ListMemory(listPool),
    version,
  }
  serveHealth(service)
  servePages(http, { version })
  serveSessions(service)
  serveMfa(service)
  serveOAuth2(service)
  serveOidc(service)
  serveOwnSessions(service)
  serveInformation(service)
  serveAudit(service)
  serveMessages(service)
  serveCurrentUser(service)
  serveUsers(service)
  serveSecondFactors(service)
  servePasswordReset(service)
  serveItems(service)
  serveDebtors(service)
  serveAddresses(service)
  serveExtraFields(service)
  return {
    http,
    service,
    close: async () => {
      // A connection that is kept alive would hold the end up once its request is answered.
      const closing = setInterval(() => http.server.closeIdleConnections(), 50)
      await http.close().finally(() => clearInterval(closing))
      clock.stop()
    },
  }
}
