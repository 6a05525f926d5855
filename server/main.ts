/** Starts the product: database, migrations, service; and stops it without losing anything. */
import type { Sql } from 'postgres'
import { createApp, type App } from './app.ts'
import type { Settings } from './config.ts'
import { openConfigured, type OpenDatabase, type Report } from './database/open-configured.ts'
import { sealAudit } from './events/audit-seal.ts'
import { collectProcessMetrics } from './http/metrics.ts'
import { deleteOldAnswers } from './http/idempotency.ts'
import { deleteEndedSessions } from './sessions/sessions.store.ts'
import { ensureFirstUsers, type FirstLogin } from './users/first-users.ts'

export { openConfigured, type OpenDatabase, type Report }

export interface RunningServer {
  address: string
  app: App
  database: OpenDatabase
  /** Logins made just now whose passwords are to be shown once. */
  firstLogins: FirstLogin[]
  stop(): Promise<void>
}

export async function startServer(
  settings: Settings,
  report: Report,
  prepare: (database: OpenDatabase, app: App) => Promise<void> = async () => {},
): Promise<RunningServer> {
  const database = await openConfigured(settings, report)
  try {
    const app = await createApp(database.sql, settings, database.lists)
    const firstLogins = await ensureFirstUsers(database.sql, settings, app.service.clock.today())
    await prepare(database, app)
    const address = await app.http.listen({ port: settings.PORT, host: settings.HOST })
    collectProcessMetrics()
    const background = startBackground(database.sql, (error) =>
      app.http.log.error({ error: (error as Error).message }, 'background work failed'),
    )
    const stop = async () => {
      await app.close()
      await background.stop()
      await database.close()
    }
    return { address, app, database, firstLogins, stop }
  } catch (error) {
    await database.close()
    throw error
  }
}

const sealEveryMs = 1_000
const purgeEveryMs = 3_600_000

/** Seals the audit trail every second and purges what has expired every hour, one run at a time. */
function startBackground(sql: Sql, onError: (error: unknown) => void) {
  const loops = [
    startLoop(sealEveryMs, () => sealAudit(sql), onError),
    startLoop(purgeEveryMs, () => Promise.all([deleteOldAnswers(sql), deleteEndedSessions(sql)]), onError),
  ]
  return {
    stop: async () => {
      await Promise.all(loops.map((loop) => loop.stop()))
      await sealAudit(sql).catch(onError)
    },
  }
}

function startLoop(everyMs: number, work: () => Promise<unknown>, onError: (error: unknown) => void) {
  let running: Promise<unknown> = Promise.resolve()
  let stopped = false
  let timer: NodeJS.Timeout
  const schedule = () => {
    timer = setTimeout(() => {
      running = work()
        .catch(onError)
        .then(() => {
          if (!stopped) schedule()
        })
    }, everyMs)
  }
  schedule()
  return {
    stop: async () => {
      stopped = true
      clearTimeout(timer)
      await running
    },
  }
}
