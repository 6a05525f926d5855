/** The wiring: the one file that knows every slice. */
import type { FastifyInstance } from 'fastify'
import type { Sql } from 'postgres'
import { serveAudit } from './audit/audit.routes.ts'
import { startBusinessClock } from './clock/business-clock.ts'
import type { CommandHandler } from './commands/command.ts'
import { commandJobs, serveCommands } from './commands/commands.routes.ts'
import { dayEndCommand, dayEndSchedule, type DayEndStep } from './commands/day-end.ts'
import {
  checkAuditChain,
  purgeExpiredCommand,
  rebuildSearchCommand,
  retryJobsCommand,
  verifyLedgerCommand,
  type LedgerCheck,
} from './commands/upkeep.ts'
import type { Settings } from './config.ts'
import { ListMemory } from './database/list.ts'
import { serveAddresses } from './debtors/addresses.routes.ts'
import { serveDebtors } from './debtors/debtors.routes.ts'
import { rollDebtors } from './debtors/debtors.store.ts'
import { serveExtraFields } from './debtors/extra-fields.routes.ts'
import { deliverWebhook } from './feed/deliver.ts'
import { settleRestoredEvents } from './feed/event-feed.ts'
import { serveEvents } from './feed/events.routes.ts'
import { watchFeed } from './feed/feed-watch.ts'
import { serveWebhooks } from './feed/webhooks.routes.ts'
import { deliveryTask, purgeDeliveries } from './feed/webhooks.store.ts'
import { createHttpApp } from './http/app.ts'
import { openOutbound } from './outbound/post.ts'
import { serveHealth } from './http/health.ts'
import { deleteOldAnswers } from './http/idempotency.ts'
import { servePages } from './http/pages.ts'
import { createRateLimiter } from './http/rate-limit.ts'
import type { Service } from './http/service.ts'
import { serveItems } from './items/items.routes.ts'
import type { JobKind, JobRegistry } from './jobs/job.ts'
import { serveJobs } from './jobs/jobs.routes.ts'
import { purgeJobs } from './jobs/jobs.store.ts'
import { serveMessages } from './messages/messages.routes.ts'
import { purgeMessages } from './messages/messages.store.ts'
import { deleteOldChallenges } from './sessions/mfa.store.ts'
import { serveMfa } from './sessions/mfa.routes.ts'
import { serveOAuth2 } from './sessions/oauth2.routes.ts'
import { serveOidc } from './sessions/oidc.routes.ts'
import { serveOwnSessions } from './sessions/own-sessions.routes.ts'
import { loadServices, shippedServices, type LoadedService } from './services/load-services.ts'
import { serveServices, serviceJobs } from './services/services.routes.ts'
import { purgeServiceData } from './services/services.store.ts'
import { openThreads } from './services/threads.ts'
import { serveSessions } from './sessions/sessions.routes.ts'
import { deleteEndedSessions } from './sessions/sessions.store.ts'
import { limitsOf, openSessions } from './sessions/sessions.ts'
import { serveInformation } from './system/information.routes.ts'
import { serveLogLevel } from './system/log-level.ts'
import { serveCurrentUser } from './users/current-user.routes.ts'
import { servePasswordReset } from './users/password-reset.routes.ts'
import { deleteOldResets } from './users/password-reset.store.ts'
import { serveSecondFactors } from './users/second-factors.routes.ts'
import { serveUsers } from './users/users.routes.ts'
import { version } from './version.ts'

/** What each slice derives from the business date. */
export const dateSteps = [rollDebtors]

/** What the end of a business date does, in this order. Interest, strategies and payment plans go in here. */
export const dayEndSteps: readonly DayEndStep[] = []

/** The books that `verify-ledger` checks. That of the money goes in here. */
export const ledgerChecks: readonly LedgerCheck[] = [checkAuditChain]

/** What has expired, in any slice. */
export const purges = [
  deleteOldAnswers,
  deleteEndedSessions,
  deleteOldChallenges,
  deleteOldResets,
  purgeMessages,
  purgeJobs,
  purgeServiceData,
  purgeDeliveries,
]

/**
 * What the commands do. Not yet there, because what they work on is not: accrue-interest, apply-strategies,
 * check-payment-plans (cases), import (uploaded files). Until a handler is listed here the command is unknown.
 */
const commandHandlers = (service: Service): CommandHandler[] => [
  dayEndCommand(service.clock, dayEndSteps),
  verifyLedgerCommand(ledgerChecks),
  retryJobsCommand,
  purgeExpiredCommand(purges),
  rebuildSearchCommand,
]

export interface App {
  http: FastifyInstance
  service: Service
  /** What runs in the background by the queue, on the nodes that run jobs. */
  jobs: JobRegistry
  /** The custom services that were found, for the lookup `servicedefinition`. */
  services: readonly LoadedService[]
  /** Lets requests in flight and then jobs finish, and ends what runs in the background. The pool stays the caller's. */
  close(jobs?: { stop(): Promise<void> }): Promise<void>
}

/** Builds the service on a migrated database; it does not listen yet. */
export async function createApp(sql: Sql, settings: Settings, listPool: Sql | null = null): Promise<App> {
  const outbound = openOutbound({ allowPrivate: settings.FORDRA_PRIVATE_TARGETS === 1 })
  const loading = loadServices(settings.FORDRA_SERVICES ?? shippedServices, outbound)
  // It is waited for below; what fails before must not leave it to nobody.
  loading.catch(() => {})
  const http = await createHttpApp(settings)
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
    outbound,
    operations: new Map(),
    version,
  }
  const handlers = commandHandlers(service)
  serveSlices(service)
  serveCommands(service, handlers)
  const logLevel = serveLogLevel(service)
  const services = await loading
  const runner = { service, threads: openThreads() }
  serveServices(runner, services)
  await settleRestoredEvents(sql)
  const feed = watchFeed(sql, (error) =>
    http.log.error({ error: (error as Error).message }, 'the events could not be read'),
  )
  serveEvents(service, feed)
  return {
    http,
    service,
    jobs: {
      kinds: [commandJobs(handlers), serviceJobs(runner, services)] as JobKind[],
      tasks: {
        [deliveryTask]: (payload, signal) =>
          deliverWebhook({ sql, settings, outbound }, (payload as { id: string }).id, signal),
      },
      schedules: [dayEndSchedule(settings.FORDRA_TIME_ZONE, settings.FORDRA_DAY_END_HOUR)],
    },
    services,
    close: async (running) => {
      feed.stop()
      // A connection that is kept alive would hold the end up once its request is answered.
      const closing = setInterval(() => http.server.closeIdleConnections(), 50)
      await http.close().finally(() => clearInterval(closing))
      await running?.stop()
      clock.stop()
      logLevel.stop()
      outbound.close()
      await runner.threads.close()
    },
  }
}

/** What needs nothing but the service itself. */
function serveSlices(service: Service): void {
  serveHealth(service)
  servePages(service.app, { version })
  serveSessions(service)
  serveMfa(service)
  serveOAuth2(service)
  serveOidc(service)
  serveOwnSessions(service)
  serveInformation(service)
  serveJobs(service)
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
  serveWebhooks(service)
}
