/** The worker thread that imports an uploaded file, with its own connection pool. Started by `import-upload.ts`. */
import { parentPort, workerData } from 'node:worker_threads'
import { openDatabase } from '../../platform/database/database.ts'
import { runUploadWork, type UploadWork } from './import-asked.ts'
import type { ImportMessage } from './import-thread.ts'

const connections = 5
const statementTimeoutMs = 60_000

const port = parentPort!
const say = (message: ImportMessage) => port.postMessage(message)
const stop = new AbortController()
port.once('message', () => stop.abort())

const work = workerData as UploadWork
const sql = openDatabase(work.url, {
  max: connections,
  applicationName: 'fordra import',
  statementTimeoutMs,
})
try {
  say({ isOpen: true })
  say(await runUploadWork(sql, work, { stop: stop.signal, onProgress: (progress) => say({ progress }) }))
} finally {
  await sql.end({ timeout: 5 })
  port.close()
}
