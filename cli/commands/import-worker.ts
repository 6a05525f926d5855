/**
 * The worker thread of an import, with a limited memory of its own. Started by `import.ts`; reports its progress, and
 * finally the outcome.
 */
import { parentPort, workerData } from 'node:worker_threads'
import { dateSteps } from '../date-steps.ts'
import { startBusinessClock } from '../../server/platform/clock/business-clock.ts'
import { openDatabase } from '../../server/platform/database/database.ts'
import { openConfigured } from '../../server/platform/database/open-configured.ts'
import { ImportRefused } from '../../server/integration/imports/reading/import-refused.ts'
import { imports } from '../../server/integration/imports/kinds/kinds.ts'
import type { ImportMessage, ImportWork } from '../../server/integration/imports/import-thread.ts'
import { loadSettings, report } from '../settings.ts'

const connections = 5
const statementTimeoutMs = 60_000

const port = parentPort!
const say = (message: ImportMessage) => port.postMessage(message)
const stop = new AbortController()
port.once('message', () => stop.abort())

try {
  const settings = loadSettings()
  const database = await openConfigured(settings, report, { beside: true })
  try {
    await run(database.url, settings)
  } finally {
    await database.close()
  }
} catch (error) {
  const message = error instanceof Error ? error.message : String(error)
  say({ failure: { message, isRefusal: error instanceof ImportRefused } })
} finally {
  port.close()
}

async function run(url: string, settings: ReturnType<typeof loadSettings>): Promise<void> {
  const sql = openDatabase(url, { max: connections, applicationName: 'fordra import', statementTimeoutMs })
  try {
    const timeZone = settings.FORDRA_TIME_ZONE
    const clock = await startBusinessClock(sql, { timeZone, steps: dateSteps, onError: () => {} })
    try {
      say({ isOpen: true })
      const { what, request } = workerData as ImportWork
      const result = await imports[what](sql, request, {
        countryCode: settings.FORDRA_COUNTRY,
        currencyCode: settings.FORDRA_CURRENCY,
        stop: stop.signal,
        onProgress: (progress) => say({ progress }),
      })
      say({ result })
    } finally {
      clock.stop()
    }
  } finally {
    await sql.end({ timeout: 5 })
  }
}
