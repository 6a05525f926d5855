/** The worker thread that imports an uploaded file, with its own connection pool. Started by `import-upload.ts`. */
import { parentPort, workerData } from 'node:worker_threads'
import { openDatabase } from '../../platform/database/database.ts'
import { ImportRefused } from './reading/import-refused.ts'
import type { ImportMessage, ImportWork } from './import-thread.ts'
import { imports } from './kinds/kinds.ts'

export interface UploadWork extends ImportWork {
  url: string
  countryCode: string
  currencyCode: string
}

const connections = 5
const statementTimeoutMs = 60_000

const port = parentPort!
const say = (message: ImportMessage) => port.postMessage(message)
const stop = new AbortController()
port.once('message', () => stop.abort())

const { url, countryCode, currencyCode, what, request } = workerData as UploadWork
const sql = openDatabase(url, { max: connections, applicationName: 'fordra import', statementTimeoutMs })
try {
  say({ isOpen: true })
  const onProgress: NonNullable<Parameters<typeof imports.debtors>[2]['onProgress']> = (progress) =>
    say({ progress })
  say({
    result: await imports[what](sql, request, { countryCode, currencyCode, stop: stop.signal, onProgress }),
  })
} catch (error) {
  const message = error instanceof Error ? error.message : String(error)
  say({ failure: { message, isRefusal: error instanceof ImportRefused } })
} finally {
  await sql.end({ timeout: 5 })
  port.close()
}
