/**
 * The thread that an import runs in, so that it takes neither the time of whoever started it nor more memory than it is
 * given. Started by `imports/run-import.ts`; says how it gets on, and last what came of it.
 */
import { parentPort, workerData } from 'node:worker_threads'
import { dateSteps } from './app.ts'
import { startBusinessClock } from './clock/business-clock.ts'
import { openDatabase } from './database/database.ts'
import { importDebtors } from './imports/import-debtors.ts'
import { ImportRefused } from './imports/import-refused.ts'
import type { ImportMessage, ImportTask } from './imports/run-import.ts'

const connections = 5
const statementTimeoutMs = 60_000

const { url, debtors, countryCode, timeZone } = workerData as ImportTask
const port = parentPort!
const say = (message: ImportMessage) => port.postMessage(message)
const stop = new AbortController()
port.once('message', () => stop.abort())

const sql = openDatabase(url, { max: connections, applicationName: 'fordra import', statementTimeoutMs })
try {
  const clock = await startBusinessClock(sql, { timeZone, steps: dateSteps, onError: () => {} })
  try {
    const onProgress = (progress: ImportMessage['progress']) => say({ progress })
    say({ report: await importDebtors(sql, debtors, { countryCode, stop: stop.signal, onProgress }) })
  } finally {
    clock.stop()
  }
} catch (error) {
  const message = error instanceof Error ? error.message : String(error)
  say({ failure: { message, isRefusal: error instanceof ImportRefused } })
} finally {
  await sql.end({ timeout: 5 })
  port.close()
}
