/** Starts the product: database, migrations, service; and stops it without losing anything. */
import type { Sql } from './platform/database/driver/pool.ts'
import { createApp, purges, type App } from './app.ts'
import type { Settings } from './platform/config.ts'
import { openConfigured, type OpenDatabase, type Report } from './platform/database/open-configured.ts'
import { isReadOnly } from './platform/database/transaction.ts'
import { replayErasures } from './insight/erasure/erasure.routes.ts'
import {
  describeEndedRights,
  endRestoredRights,
  recordUserStates,
} from './insight/restored/end-restored-rights.ts'
import { sealAudit } from './platform/events/audit-seal.ts'
import { collectProcessMetrics } from './platform/telemetry/metrics.ts'
import { stopInTime } from './platform/stop-stages.ts'
import { requireFreePorts } from './platform/http/listening/require-free-ports.ts'
import { listen } from './platform/http/listening/listen.ts'
import { createDeliveries } from './integration/feed/create-deliveries.ts'
import { startJobs, type JobRunner } from './platform/jobs/run-jobs.ts'
import { createLetterSender, createAttachmentReader } from './collection/letters/letter-folder.ts'
import { createContactGate } from './collection/letters/contact-gate.ts'
import { createSenders, sendMessages } from './platform/messages/send.ts'
import { sendNotificationEmails } from './work/notifications/send-notification-emails.ts'
import { sendResetMessages } from './access/users/password-reset.routes.ts'
import { ensureFirstUsers, type FirstLogin } from './access/users/first-users.ts'

export { openConfigured, type OpenDatabase, type Report }

export interface RunningServer {
  address: string
  app: App
  database: OpenDatabase
  /** Logins made just now whose passwords are to be shown once. */
  firstLogins: FirstLogin[]
  /** Stops in order, within `FORDRA_STOP_SECONDS`. Returns what was not waited for any longer. */
  stop(say: Report): Promise<string[]>
}

export async function startServer(
  settings: Settings,
  report: Report,
  prepare: (database: OpenDatabase, app: App) => Promise<void> = async () => {},
): Promise<RunningServer> {
  const database = await openConfigured(settings, report)
  let app: App | undefined
  try {
    await requireFreePorts(settings)
    app = await createApp(database.sql, settings, database.lists, database.replica)
    await app.service.anchor.prepare()
    await replayErasures(app.service, report)
    const ended = await endRestoredRights(database.sql, app.service.anchor, app.service.clock.today())
    if (ended) describeEndedRights(ended).forEach(report)
    return await serve(app, database, settings, prepare)
  } catch (error) {
    // What reads the database now and then would only complain that it has gone, above the reason of it all.
    await app?.close()
    await database.close()
    throw error
  }
}

async function serve(
  app: App,
  database: OpenDatabase,
  settings: Settings,
  prepare: (database: OpenDatabase, app: App) => Promise<void>,
): Promise<RunningServer> {
  const firstLogins = await ensureFirstUsers(database.sql, settings, app.service.clock.today())
  await prepare(database, app)
  const address = await listen(app.http, {
    host: settings.HOST,
    port: settings.PORT,
    healthPort: settings.FORDRA_HEALTH_PORT,
  })
  collectProcessMetrics()
  const onError = (error: unknown) => {
    app.http.log.error({ error: (error as Error).message }, 'background work failed')
    if (isReadOnly(error)) app.service.leaveReadOnly()
  }
  const jobs = await startAppJobs(app, database.url, settings, onError)
  const background = startBackground(database.sql, app.service, onError)
  const telemetry = await openTelemetry(app.service.settings, onError)
  const stop = (say: Report) =>
    stopInTime(
      [
        ...app.stages(jobs),
        { name: () => 'the OpenTelemetry collector', stop: async () => telemetry?.stop(), until: 0.9 },
        { name: background.name, stop: background.stop, until: 0.9 },
        { name: () => 'the seal of the audit trail', stop: () => sealLast(database.sql, app), until: 0.95 },
        { name: () => 'the database', stop: database.close, until: 1 },
      ],
      settings.FORDRA_STOP_SECONDS * 1_000,
      say,
    )
  return { address, app, database, firstLogins, stop }
}

/** Loaded only where it is switched on. */
async function openTelemetry(settings: Settings, onError: (error: unknown) => void) {
  const { FORDRA_OTLP_URL } = settings
  if (FORDRA_OTLP_URL === undefined) return undefined
  const { startTelemetry } = await import('./platform/telemetry/start-telemetry.ts')
  return startTelemetry({ ...settings, FORDRA_OTLP_URL }, onError)
}

/** Runs jobs on this node, unless the settings leave them to others. */
async function startAppJobs(
  app: App,
  url: string,
  settings: Settings,
  onError: (error: unknown) => void,
): Promise<JobRunner | undefined> {
  const { service, jobs: registry } = app
  const concurrency = settings.FORDRA_JOBS
  if (concurrency === 0) return undefined
  return startJobs({
    url,
    sql: service.sql,
    registry,
    today: service.clock.today,
    concurrency,
    onError,
    health: service.queue,
  })
}

async function sealLast(sql: Sql, { service }: App): Promise<void> {
  await sealAudit(sql)
  await service.anchor.anchorTrail(sql)
  await recordUserStates(sql, service.anchor)
}

const sealEveryMs = 1_000
const anchorEveryMs = 10_000
const stampEveryMs = 60_000
const sendEveryMs = 1_000
const notifyEveryMs = 10_000
const layOutEveryMs = 250
const purgeEveryMs = 3_600_000

/**
 * Seals the audit trail and sends messages every second, anchors the trail and sends e-mails about notifications every
 * ten, and purges every hour, each one run at a time.
 */
function startBackground(
  sql: Sql,
  service: Pick<App['service'], 'anchor' | 'timeStamper' | 'clock' | 'settings' | 'sandbox'>,
  onError: (error: unknown) => void,
) {
  const { anchor, timeStamper, clock, settings, sandbox } = service
  const ask = createContactGate(sql, { today: clock.today })
  const folder = settings.FORDRA_LETTERS
  const senders = {
    ...createSenders(settings, createAttachmentReader(sql)),
    ...(folder !== undefined && { letter: createLetterSender(sql, folder) }),
  }
  const loops = {
    'sealing the audit trail': startLoop(sealEveryMs, () => sealAudit(sql), onError),
    'anchoring the audit trail': startLoop(anchorEveryMs, () => anchor.anchorTrail(sql), onError),
    'recording who may sign in': startLoop(anchorEveryMs, () => recordUserStates(sql, anchor), onError),
    ...(timeStamper && {
      'the time stamp authority': startLoop(stampEveryMs, () => timeStamper.stampTrail(), onError),
    }),
    'messages about passwords': startLoop(sendEveryMs, () => sendResetMessages(sql, settings), onError),
    'the mail server or SMS gateway': startLoop(
      sendEveryMs,
      () => sendMessages(sql, senders, onError, ask),
      onError,
    ),
    'e-mails about notifications': startLoop(
      notifyEveryMs,
      () => sendNotificationEmails({ sql, settings, sandbox }, senders.email, onError),
      onError,
    ),
    ...(!sandbox && {
      'the preparation of webhook deliveries': startLoop(layOutEveryMs, () => createDeliveries(sql), onError),
    }),
    purges: startLoop(purgeEveryMs, () => Promise.all(purges.map((purge) => purge(sql))), onError),
  }
  return {
    /** What is still working. */
    name: () =>
      Object.entries(loops)
        .filter(([, loop]) => loop.isRunning())
        .map(([name]) => name)
        .join(', '),
    stop: () => Promise.all(Object.values(loops).map((loop) => loop.stop())),
  }
}

function startLoop(everyMs: number, work: () => Promise<unknown>, onError: (error: unknown) => void) {
  let running: Promise<unknown> = Promise.resolve()
  let isRunning = false
  let stopped = false
  let timer: NodeJS.Timeout
  const schedule = () => {
    timer = setTimeout(() => {
      isRunning = true
      running = work()
        .catch(onError)
        .then(() => {
          isRunning = false
          if (!stopped) schedule()
        })
    }, everyMs)
  }
  schedule()
  return {
    isRunning: () => isRunning,
    stop: async () => {
      stopped = true
      clearTimeout(timer)
      await running
    },
  }
}
