/** The wiring: the one file that knows every slice. */
import type { FastifyInstance } from 'fastify'
import type { Sql } from 'postgres'
import { serveAudit } from './insight/audit/audit.routes.ts'
import { commandHandlers } from './background.ts'
import { rollCases } from './ledger/accrual.ts'
import { serveAllCases } from './cases/all-cases.routes.ts'
import { caseForms } from './cases/cases.forms.ts'
import { serveCases } from './cases/cases.routes.ts'
import { movementForms } from './payments/movements.forms.ts'
import { rateForms } from './ledger/rates/rates.forms.ts'
import { loadShippedRates } from './ledger/rates/reference-rates.changes.ts'
import { loadShippedFees } from './ledger/rates/statutory-fees.changes.ts'
import { serveStatutoryFees } from './ledger/rates/statutory-fees.routes.ts'
import { serveReferenceRates } from './ledger/rates/reference-rates.routes.ts'
import { startBusinessClock } from './platform/clock/business-clock.ts'
import { commandJobs, serveCommands } from './integration/commands/commands.routes.ts'
import { dayEndSchedule } from './integration/commands/day-end.ts'
import { askDueSchedules } from './integration/commands/schedules.changes.ts'
import { scheduleForms } from './integration/commands/schedules.forms.ts'
import { serveSchedules } from './integration/commands/schedules.routes.ts'
import type { Settings } from './platform/config.ts'
import { serveDashboard } from './insight/dashboard/dashboard.routes.ts'
import { ListMemory } from './platform/database/list.ts'
import { isReadOnly, leaverOf } from './platform/database/transaction.ts'
import { serveAddresses } from './parties/debtors/addresses.routes.ts'
import { clientForms } from './parties/clients/clients.forms.ts'
import { serveClients } from './parties/clients/clients.routes.ts'
import { debtorForms } from './parties/debtors/debtors.forms.ts'
import { serveDebtors } from './parties/debtors/debtors.routes.ts'
import { rollDebtors } from './parties/debtors/debtors.store.ts'
import { serveExtraFields } from './parties/debtors/extra-fields.routes.ts'
import { serveRetention } from './parties/debtors/retention.routes.ts'
import { serveDocuments } from './collection/letters/documents.routes.ts'
import { CustomFields } from './platform/dictionary/custom-fields.ts'
import { serveForms } from './metadata/forms/forms.routes.ts'
import { showFigures } from './figures.ts'
import type { FormHandler } from './platform/dictionary/handler.ts'
import { FormRegistry } from './metadata/forms/registry.ts'
import { deliverWebhook } from './integration/feed/deliver.ts'
import { settleRestoredEvents } from './integration/feed/event-feed.ts'
import { serveEvents } from './integration/feed/events.routes.ts'
import { watchFeed } from './integration/feed/feed-watch.ts'
import { webhookForms } from './integration/feed/webhooks.forms.ts'
import { serveWebhooks } from './integration/feed/webhooks.routes.ts'
import { deliveryTask } from './integration/feed/webhooks.store.ts'
import { createHttpApp } from './platform/http/app.ts'
import { openOutbound } from './platform/outbound/post.ts'
import { prepareClose } from './platform/http/close-http.ts'
import { openConsole } from './platform/pages/console-files.ts'
import { serveHealth } from './access/serve/health.ts'
import { servePages } from './platform/pages/pages.ts'
import { serveMetrics } from './access/serve/serve-metrics.ts'
import { openReplica } from './platform/http/replica.ts'
import { createRateLimiter } from './platform/http/rate-limit.ts'
import type { Service } from './access/serve/service.ts'
import { countLookupUses, fieldForms, tablesOf, type FieldWiring } from './metadata/fields/fields.forms.ts'
import { serveFields } from './metadata/fields/fields.routes.ts'
import { keepIndexes } from './platform/dictionary/keep-indexes.ts'
import { holdingForms } from './parties/holdings/holdings.forms.ts'
import { serveHoldings } from './parties/holdings/holdings.routes.ts'
import { noteForms } from './metadata/search/notes.forms.ts'
import { lookupValueForms } from './metadata/lookups/lookup-values.forms.ts'
import { serveLookupValues } from './metadata/lookups/lookup-values.routes.ts'
import { serveLookups } from './metadata/lookups/lookups.routes.ts'
import { listedLookup } from './metadata/lookups/static-lookups.ts'
import { findLookupValue, isClosedLookup, isShortLookup } from './metadata/lookups/registry.ts'
import { serveUploads } from './integration/imports/uploads.routes.ts'
import { paymentFileJobs, servePaymentFiles } from './treasury/bank-files/payment-files.routes.ts'
import { servePayouts } from './treasury/payouts/payouts.routes.ts'
import { planForms } from './plans/plans.forms.ts'
import { servePlans } from './plans/plans.routes.ts'
import { systemSettingForms } from './metadata/system/system-settings.forms.ts'
import { userForms } from './access/users/users.forms.ts'
import { serveItems } from './metadata/search/items.routes.ts'
import { serveSearch } from './metadata/search/search.routes.ts'
import type { JobRegistry } from './platform/jobs/job.ts'
import { serveJobs } from './metadata/system/jobs.routes.ts'
import { serveMessages } from './metadata/system/messages.routes.ts'
import { serveMfa } from './access/second-factors/mfa.routes.ts'
import { serveOAuth2 } from './access/sessions/oauth2.routes.ts'
import { serveOidc } from './access/single-sign-on/oidc.routes.ts'
import { serveOwnSessions } from './access/sessions/own-sessions.routes.ts'
import {
  loadServices,
  serviceDefinitionsOf,
  shippedServices,
  type LoadedService,
} from './integration/services/load-services.ts'
import { serveServices, serviceJobs } from './integration/services/services.routes.ts'
import { openThreads } from './integration/services/threads.ts'
import { serveSessions } from './access/sessions/sessions.routes.ts'
import { limitsOf, openSessions } from './access/sessions/sessions.ts'
import { serveInformation } from './metadata/system/information.routes.ts'
import { serveNavigation } from './metadata/navigation/navigation.routes.ts'
import { strategyForms } from './collection/strategies/strategies.forms.ts'
import { serveReports } from './insight/reports/reports.routes.ts'
import { serveStrategies } from './collection/strategies/strategies.routes.ts'
import { loadShippedStrategies } from './collection/strategies/strategies.store.ts'
import { serveSystemDate } from './metadata/system/system-date.routes.ts'
import { serveLogLevel } from './metadata/system/log-level.ts'
import { serveAccessGroups } from './access/users/access-groups.routes.ts'
import { serveCurrentUser } from './access/users/current-user.routes.ts'
import { servePasswordReset } from './access/users/password-reset.routes.ts'
import { serveSecondFactors } from './access/second-factors/second-factors.routes.ts'
import { serveUsers } from './access/users/users.routes.ts'
import { version } from './platform/version.ts'

/** What each slice derives from the business date. */
export const dateSteps = [rollDebtors, rollCases]

export interface App {
  forms: FormRegistry
  http: FastifyInstance
  service: Service
  /** What runs in the background by the queue, on the nodes that run jobs. */
  jobs: JobRegistry
  /** The custom services that were found, for the lookup `servicedefinition`. */
  services: readonly LoadedService[]
  /** Lets requests in flight and then jobs finish, and ends what runs in the background. The pool stays the caller's. */
  close(jobs?: { stop(): Promise<void> }): Promise<void>
}

/** What every slice is wired with, on a migrated database. */
async function startService(
  http: FastifyInstance,
  {
    sql,
    settings,
    outbound,
    listPool,
    replicaPool,
  }: Pick<Service, 'sql' | 'settings' | 'outbound'> & { listPool: Sql | null; replicaPool: Sql | null },
): Promise<Service> {
  const clock = await startBusinessClock(sql, {
    timeZone: settings.FORDRA_TIME_ZONE,
    steps: dateSteps,
    onError: sayThat(http, 'the business date could not be read'),
  })
  await loadShippedRates(sql, clock.today())
  await loadShippedFees(sql)
  await loadShippedStrategies(sql)
  return {
    app: http,
    sql,
    settings,
    clock,
    sessions: openSessions(sql, limitsOf(settings)),
    limiter: createRateLimiter(settings.FORDRA_RATE_LIMIT),
    totals: new ListMemory(listPool),
    leaveReadOnly: leaverOf(listPool ? [sql, listPool] : [sql]),
    replica: replicaPool && (await openReplica(sql, replicaPool)),
    customFields: new CustomFields(sql),
    outbound,
    operations: new Map(),
    version,
  }
}

/** Logs what went wrong in the background. */
const sayThat = (http: FastifyInstance, message: string) => (error: unknown) =>
  http.log.error({ error: (error as Error).message }, message)

/** The forms of every slice, and what makes indexes for own fields in the background. */
function openForms(service: Service, debtorServices: readonly LoadedService[]) {
  const indexes = keepIndexes(
    service.sql,
    service.customFields,
    () => tablesOf(forms),
    sayThat(service.app, 'own indexes could not be made'),
  )
  const forms: FormRegistry = new FormRegistry(
    formsOf(service, { registry: () => forms, onChange: indexes.ask }, debtorServices),
  )
  return { forms, indexes }
}

const entriesOf = (services: readonly LoadedService[]) =>
  serviceDefinitionsOf(services).map(({ code, description }) => ({ key: code, description }))

/** Tidies up where the work fails, and throws its error. */
async function orElse<T>(work: Promise<T>, tidy: () => Promise<void>): Promise<T> {
  try {
    return await work
  } catch (error) {
    await tidy()
    throw error
  }
}

/** A write that found itself on a replica was refused; the next ones shall find the primary. */
function leaveOnReadOnly(service: Service): void {
  service.app.addHook('onError', (_request, _reply, error, next) => {
    if (isReadOnly(error)) service.leaveReadOnly()
    next()
  })
}

/** Builds the service on a migrated database; it does not listen yet. */
export async function createApp(
  sql: Sql,
  settings: Settings,
  listPool: Sql | null = null,
  replicaPool: Sql | null = null,
): Promise<App> {
  const outbound = openOutbound({ allowPrivate: settings.FORDRA_PRIVATE_TARGETS === 1 })
  const loading = loadServices(settings.FORDRA_SERVICES ?? shippedServices, outbound)
  // It is waited for below; what fails before must not leave it to nobody.
  loading.catch(() => {})
  const http = await createHttpApp(settings, openConsole())
  const closeHttp = prepareClose(http)
  const service = await startService(http, { sql, settings, outbound, listPool, replicaPool })
  leaveOnReadOnly(service)
  const debtorServices: LoadedService[] = []
  const { forms, indexes } = openForms(service, debtorServices)
  const handlers = commandHandlers(service)
  serveSlices(service, forms, () => loading)
  serveCommands(service, handlers)
  const logLevel = serveLogLevel(service)
  const hideFigures = showFigures(service)
  const stopReading = async () => {
    service.clock.stop()
    logLevel.stop()
    hideFigures()
    outbound.close()
    await indexes.stop()
  }
  const services = await orElse(loading, stopReading)
  debtorServices.push(...services.filter(({ scope }) => scope === 'debtor'))
  serveStrategies(service, debtorServices)
  serveUploads(service)
  const runner = { service, threads: openThreads() }
  serveServices(runner, services)
  serveLookups(service, { servicedefinition: listedLookup(entriesOf(services)) })
  await settleRestoredEvents(sql)
  const feed = watchFeed(sql, sayThat(http, 'the events could not be read'))
  serveEvents(service, feed)
  return {
    http,
    forms,
    service,
    jobs: {
      kinds: [commandJobs(handlers), serviceJobs(runner, services), paymentFileJobs],
      tasks: {
        [deliveryTask]: (payload, signal) =>
          deliverWebhook({ sql, settings, outbound, log: http.log }, (payload as { id: string }).id, signal),
      },
      schedules: [dayEndSchedule(settings.FORDRA_TIME_ZONE, settings.FORDRA_DAY_END_HOUR)],
      askers: [(db) => askDueSchedules(db, settings.FORDRA_TIME_ZONE)],
    },
    services,
    close: async (running) => {
      feed.stop()
      await closeHttp()
      await running?.stop()
      await runner.threads.close()
      await stopReading()
    },
  }
}

/** The forms of every slice. */
const formsOf = (
  service: Service,
  wiring: FieldWiring,
  debtorServices: readonly LoadedService[],
): FormHandler[] => [
  ...fieldForms(service, wiring),
  ...debtorForms(service),
  ...clientForms(service),
  ...planForms(service),
  ...holdingForms(service),
  ...noteForms(),
  ...userForms(service),
  ...lookupValueForms((db, value) => countLookupUses(db, wiring.registry(), value)),
  ...systemSettingForms(service),
  ...webhookForms(service),
  ...scheduleForms(service),
  ...caseForms(service),
  ...movementForms(),
  ...rateForms(service),
  ...strategyForms(debtorServices),
]

/** What needs nothing but the service itself. */
function serveSlices(
  service: Service,
  forms: FormRegistry,
  services: () => Promise<readonly LoadedService[]>,
): void {
  serveHealth(service)
  serveMetrics(service)
  servePages(service.app, { version, ownFields: () => service.customFields.schemas(), services })
  serveSessions(service)
  serveMfa(service)
  serveOAuth2(service)
  serveOidc(service)
  serveOwnSessions(service)
  serveInformation(service)
  serveForms(service, forms, {
    has: async (db, caller, code, key) => (await findLookupValue(db, caller, code, key)) !== undefined,
    isClosed: isClosedLookup,
    isShort: isShortLookup,
  })
  serveNavigation(service, forms)
  serveSearch(service)
  serveSystemDate(service)
  serveJobs(service)
  serveSchedules(service)
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
  serveRetention(service)
  serveDocuments(service)
  serveCases(service)
  serveWebhooks(service)
  serveAllCases(service)
  serveClients(service)
  serveStatutoryFees(service)
  serveHoldings(service)
  serveAccessGroups(service)
  serveLookupValues(service)
  serveFields(service)
  serveReferenceRates(service)
  servePlans(service)
  serveDashboard(service)
  servePaymentFiles(service)
  servePayouts(service)
  serveReports(service)
}
