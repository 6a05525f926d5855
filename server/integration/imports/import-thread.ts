import { Worker } from 'node:worker_threads'
import type { ImportProgress, ImportReport, ImportRequest } from './import-file.ts'
import type { ImportedKind } from './kinds/kinds.ts'

/** The input of the import thread. */
export interface ImportWork {
  what: ImportedKind
  request: ImportRequest
}

/** A message from the import thread: exactly one member is set. */
export interface ImportMessage {
  /** The database is open and the import begins. */
  isOpen?: true
  progress?: ImportProgress
  result?: ImportReport
  /** Why the import failed. A refusal means invalid file, headings or options: nothing was imported. */
  failure?: { message: string; isRefusal: boolean }
}

/**
 * A small young generation makes the collector free an import's garbage early, so memory use does not grow with the
 * file. The limit of the old generation is generous: near it, collection takes a third of the time.
 */
const memory = { maxYoungGenerationSizeMb: 8, maxOldGenerationSizeMb: 500 }

/**
 * Runs an import in a worker thread started from the given file, and returns its last message. `stop` ends it after the
 * chunks in flight.
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
