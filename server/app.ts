/** The wiring: the list of slices, and what is started around them. */
import type { FastifyInstance } from 'fastify'
import type { Sql } from './platform/database/driver/pool.ts'
import { accessSlice } from './access/access.slice.ts'
import { isSignedIn } from './access/serve/admit.ts'
import type { ServerContext } from './access/serve/server-context.ts'
import type { Slice } from './access/serve/slice.ts'
import { sessionLimits, openSessions } from './access/sessions/sessions.ts'
import { casesSlice } from './cases/cases.slice.ts'
import { collectionSlice, strategySlice } from './collection/collection.slice.ts'
import { insightSlice } from './insight/insight.slice.ts'
import { settleRestoredEvents } from './integration/feed/event-feed.ts'
import { serveEvents } from './integration/feed/events.routes.ts'
import { watchFeed } from './integration/feed/feed-watch.ts'
import { commandSlice, integrationSlice, serviceSlice, upkeepSlice } from './integration/integration.slice.ts'
import { loadServices, shippedServices, type LoadedService } from './integration/services/load-services.ts'
import { openThreads, type Threads } from './integration/services/threads.ts'
import { ledgerSlice } from './ledger/ledger.slice.ts'
import { extendableTables } from './metadata/fields/fields.forms.ts'
import { FormRegistry } from './metadata/forms/registry.ts'
import { formSlice, metadataSlice } from './metadata/metadata.slice.ts'
import { serveLogLevel } from './metadata/system/log-level.ts'
import { showMetrics } from './metrics.ts'
import { partiesSlice } from './parties/parties.slice.ts'
import { paymentsSlice } from './payments/payments.slice.ts'
import { plansSlice } from './plans/plans.slice.ts'
import { startBusinessClock } from './platform/clock/business-clock.ts'
import type { Settings } from './platform/config.ts'
import { ListMemory } from './platform/database/list.ts'
import { doPrefixesSortFirst } from './platform/database/lists/text-order.ts'
import { isReadOnly, createReadOnlyWatcher } from './platform/database/transaction.ts'
import { CustomFields } from './platform/dictionary/custom-fields.ts'
import { keepIndexes } from './platform/dictionary/keep-indexes.ts'
import { openAnchor } from './platform/events/anchor.ts'
import { openTimeStamper } from './platform/events/time-stamper.ts'
import { createHttpApp } from './platform/http/app.ts'
import { prepareClose, type HttpClose } from './platform/http/close-http.ts'
import { guardConnections } from './platform/http/limits/connections.ts'
import { openCounts } from './platform/http/limits/counts.ts'
import { openWorkGate, workLimits } from './platform/http/limits/work-gate.ts'
import { observeInFlight } from './platform/telemetry/metrics.ts'
import { createRateLimiter } from './platform/http/rate-limit.ts'
import { openReplica } from './platform/http/replica.ts'
import type { JobRegistry } from './platform/jobs/job.ts'
import { QueueHealth } from './platform/jobs/queue-health.ts'
import { openOutbound } from './platform/outbound/post.ts'
import { findSandbox, holdBack, holdOutbound } from './platform/sandbox/sandbox.ts'
import type { StopStage } from './platform/stop-stages.ts'
import { openConsole } from './platform/pages/console-files.ts'
import { servePages } from './platform/pages/pages.ts'
import { version } from './platform/version.ts'
import { treasurySlice } from './treasury/treasury.slice.ts'
import { serveNotificationStream } from './work/notifications/notification-stream.routes.ts'
import { watchNotifications } from './work/notifications/notification-watch.ts'
import { workSlice } from './work/work.slice.ts'

/** What each room brings. The steps of the day-end run in this order. */
const rooms: readonly Slice[] = [
  accessSlice,
  metadataSlice,
  partiesSlice,
  ledgerSlice,
  casesSlice,
  plansSlice,
  paymentsSlice,
  treasurySlice,
  collectionSlice,
  workSlice,
  integrationSlice,
  insightSlice,
]

/** What the rooms derive from the business date. */
export const dateSteps = rooms.flatMap(({ dateSteps: steps = [] }) => steps)

export const dayEndSteps = (chunkRows?: number) => rooms.flatMap(({ dayEnd }) => dayEnd?.(chunkRows) ?? [])

export const purges = rooms.flatMap(({ purges: own = [] }) => own)

const checks = rooms.flatMap(({ checks: own = [] }) => own)

export interface App {
  forms: FormRegistry
  http: FastifyInstance
  service: ServerContext
  /** What runs in the background by the queue, on the nodes that run jobs. */
  jobs: JobRegistry
  /** The custom services that were found, for the lookup `servicedefinition`. */
  services: readonly LoadedService[]
  /** Lets requests in flight and then jobs finish, and ends what runs in the background. The pool stays the caller's. */
  stages(jobs?: Stoppable): StopStage[]
  /** The same at once, without a deadline. */
  close(jobs?: { stop(): Promise<void> }): Promise<void>
}

/** What every slice is wired with, on a migrated database. */
async function startService(
  http: FastifyInstance,
  {
    sql,
    settings,
    sandbox,
    outbound,
    listPool,
    replica,
  }: Pick<ServerContext, 'sql' | 'settings' | 'sandbox' | 'outbound'> & {
    listPool: Sql | null
    replica: Sql | null
  },
): Promise<ServerContext> {
  const clock = await startBusinessClock(sql, {
    timeZone: settings.FORDRA_TIME_ZONE,
    steps: dateSteps,
    onError: logError(http, 'the business date could not be read'),
  })
  for (const { load } of rooms) await load?.(sql, clock.today())
  const gate = openWorkGate(
    workLimits(settings.FORDRA_MAX_IN_FLIGHT, settings.FORDRA_POOL, settings.FORDRA_QUEUE_SECONDS),
  )
  observeInFlight(gate.count)
  const anchor = openAnchor(settings)
  return {
    app: http,
    sql,
    settings,
    sandbox,
    clock,
    sessions: openSessions(sql, sessionLimits(settings)),
    limiter: createRateLimiter(settings.FORDRA_RATE_LIMIT),
    open: openCounts(settings.FORDRA_MAX_PER_CALLER),
    gate,
    totals: new ListMemory(listPool, { prefixesSortFirst: await doPrefixesSortFirst(sql) }),
    leaveReadOnly: createReadOnlyWatcher(listPool ? [sql, listPool] : [sql]),
    replica: replica && (await openReplica(sql, replica)),
    customFields: new CustomFields(sql),
    anchor,
    timeStamper: openTimeStamper(anchor, settings),
    outbound,
    operations: new Map(),
    moneyReaders: [],
    queue: new QueueHealth(),
    version,
  }
}

/** Logs what went wrong in the background. */
const logError = (http: FastifyInstance, message: string) => (error: unknown) =>
  http.log.error({ error: (error as Error).message }, message)

/** Tidies up where the work fails, and throws its error. */
async function orElse<T>(work: Promise<T>, tidy: () => void): Promise<T> {
  try {
    return await work
  } catch (error) {
    tidy()
    throw error
  }
}

/** A write that found itself on a replica was refused; the next ones shall find the primary. */
function leaveOnReadOnly(service: ServerContext): void {
  service.app.addHook('onError', (_request, _reply, error, next) => {
    if (isReadOnly(error)) service.leaveReadOnly()
    next()
  })
}

function serveOwnPages(service: ServerContext, services: () => Promise<readonly LoadedService[]>): void {
  const customFields = () => service.customFields.schemas()
  servePages(service.app, {
    version,
    customFields,
    services,
    isSignedIn: (request) => isSignedIn(service, request),
  })
}

/** The settings under which the installation runs, and its calls to other hosts: a sandbox is held back. */
async function openOutgoing(sql: Sql, given: Settings) {
  const sandbox = await findSandbox(sql)
  const settings = sandbox ? holdBack(given, sandbox) : given
  const outbound = openOutbound({ allowPrivate: settings.FORDRA_PRIVATE_TARGETS === 1 })
  return { sandbox, settings, outbound: sandbox ? holdOutbound(outbound) : outbound }
}

/** Builds the service on a migrated database; it does not listen yet. */
export async function createApp(
  sql: Sql,
  given: Settings,
  listPool: Sql | null = null,
  replicaPool: Sql | null = null,
): Promise<App> {
  const { sandbox, settings, outbound } = await openOutgoing(sql, given)
  const loading = loadServices(settings.FORDRA_SERVICES ?? shippedServices, outbound)
  // It is awaited below; a failure before that must not leave its rejection unhandled.
  loading.catch(() => {})
  const http = await createHttpApp(settings, openConsole())
  const closing = prepareClose(http)
  guardConnections(http, settings)
  const pools = { listPool, replica: sandbox ? null : replicaPool }
  const service = await startService(http, { sql, settings, sandbox, outbound, ...pools })
  leaveOnReadOnly(service)
  const logLevel = serveLogLevel(service)
  const hideMetrics = showMetrics(service)
  const stopReading = () => {
    service.clock.stop()
    logLevel.stop()
    hideMetrics()
    outbound.close()
  }
  const services = await orElse(loading, stopReading)
  const runner = { service, threads: openThreads() }
  const slices: Slice[] = [
    formSlice(
      () => forms,
      () => indexes.ask(),
    ),
    ...rooms,
    upkeepSlice({ dayEnd: dayEndSteps(), checks, purges }),
    strategySlice(services.filter(({ scope }) => scope === 'debtor')),
    serviceSlice(runner, services),
  ]
  slices.push(commandSlice(slices.flatMap(({ commands }) => commands?.(service) ?? [])))
  const forms: FormRegistry = new FormRegistry(slices.flatMap((slice) => slice.forms?.(service) ?? []))
  const noIndexes = logError(http, 'indexes of custom fields could not be made')
  const indexes = keepIndexes(sql, service.customFields, () => extendableTables(forms), noIndexes)
  service.moneyReaders.push(...slices.flatMap(({ readMoney }) => readMoney ?? []))
  for (const serve of slices.flatMap(({ routes = [] }) => routes)) serve(service)
  serveOwnPages(service, () => loading)
  await settleRestoredEvents(sql)
  const watches = serveStreams(service)
  const parts = { watches, closing, threads: runner.threads, stopReading, indexes }
  const stages = (running?: Stoppable) => stopStages(parts, running)
  return {
    http,
    forms,
    service,
    jobs: gatherJobs(slices, service),
    services,
    stages,
    close: async (running) => {
      for (const { stop } of stages(running)) await stop()
    },
  }
}

/** The operations that wait for what happens. Returns what they wait with. */
function serveStreams(service: ServerContext): Parts['watches'] {
  const { app, sql } = service
  const feed = watchFeed(sql, logError(app, 'the events could not be read'))
  serveEvents(service, feed)
  const notifications = watchNotifications(sql, logError(app, 'the notifications could not be watched'))
  serveNotificationStream(service, notifications)
  return [feed, notifications]
}

interface Stoppable {
  stop(): Promise<void>
}

interface Parts {
  /** What streams wait for. */
  watches: readonly { stop(): void }[]
  closing: HttpClose
  threads: Threads
  stopReading: () => void
  indexes: Stoppable
}

/** Two fifths of the deadline for requests, two fifths for jobs, and the rest for what follows. */
const [requestsUntil, jobsUntil, restUntil] = [0.4, 0.8, 0.85]

const stopStages = (
  { watches, closing, threads, stopReading, indexes }: Parts,
  running: Stoppable | undefined,
): StopStage[] => [
  {
    name: () => `${closing.count()} requests in flight`,
    stop: () => {
      for (const watch of watches) watch.stop()
      return closing.close()
    },
    cut: closing.cut,
    until: requestsUntil,
  },
  { name: () => 'jobs', stop: async () => running?.stop(), until: jobsUntil },
  { name: () => 'custom services', stop: () => threads.close(), until: restUntil },
  {
    name: () => 'indexes of custom fields',
    stop: () => {
      stopReading()
      return indexes.stop()
    },
    until: restUntil,
  },
]

function gatherJobs(slices: readonly Slice[], service: ServerContext): JobRegistry {
  const all = slices.map(({ jobs }) => jobs?.(service) ?? {})
  return {
    kinds: all.flatMap(({ kinds = [] }) => kinds),
    tasks: Object.assign({}, ...all.map(({ tasks = {} }) => tasks)) as JobRegistry['tasks'],
    schedules: all.flatMap(({ schedules = [] }) => schedules),
    schedulers: all.flatMap(({ schedulers = [] }) => schedulers),
    sweeps: all.flatMap(({ sweeps = [] }) => sweeps),
  }
}
