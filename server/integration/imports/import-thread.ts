import { Worker } from 'node:worker_threads'
import type { ImportProgress, ImportReport, ImportRequest } from './import-file.ts'
import type { ImportedKind } from './kinds/kinds.ts'

/** What the import's thread is started with. */
export interface ImportWork {
  what: ImportedKind
  request: ImportRequest
}

/** What the import's thread says: one of these. */
export interface ImportMessage {
  /** The database is open, the import begins. */
  isOpen?: true
  progress?: ImportProgress
  result?: ImportReport
  /** A refusal when nothing was imported because file, headings or options will not do. */
  failure?: { message: string; isRefusal: boolean }
}

/**
 * Room for the newest objects is small, so that what an import leaves behind is found early: it needs the same at a time
 * however long its file is. The limit for the older ones is only far off, since near to it they are looked through
 * without end, which takes a third of the time.
 */
const memory = { maxYoungGenerationSizeMb: 8, maxOldGenerationSizeMb: 500 }

/**
 * Runs an import in a thread of its own, started from the given file, and returns the last that it says. `stop` ends it after
 * the chunks on their way.
 */
export async function runImportThread(
  file: URL,
  work: ImportWork,
  stop: AbortSignal,
  listen: (message: ImportMessage) => void,
): Promise<ImportMessage> {
  const worker = new Worker(file, {
    workerData: work,
    resourceLimits: memory,
    execArgv: ['--disable-warning=ExperimentalWarning'],
  })
  const askToStop = () => worker.postMessage('stop')
  stop.addEventListener('abort', askToStop)
  let last: ImportMessage = { failure: { message: 'its thread ended before it.', isRefusal: false } }
  worker.on('message', (message: ImportMessage) => {
    if (message.result || message.failure) last = message
    listen(message)
  })
  try {
    await new Promise<void>((resolve, reject) => {
      worker.once('error', reject)
      worker.once('exit', () => resolve())
    })
  } finally {
    stop.removeEventListener('abort', askToStop)
  }
  return last
}
