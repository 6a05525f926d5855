import { Worker } from 'node:worker_threads'
import type { DebtorImport, ImportProgress, ImportReport } from './import-debtors.ts'
import { ImportRefused } from './import-refused.ts'

/** What the import's thread is told. */
export interface ImportTask {
  /** Of the database. */
  url: string
  debtors: DebtorImport
  /** Whose rules hold for numbers without a country. */
  countryCode: string
  timeZone: string
}

/** What it says: one of these. */
export interface ImportMessage {
  progress?: ImportProgress
  report?: ImportReport
  failure?: { message: string; isRefusal: boolean }
}

// What an import needs at a time does not depend on the file's length; more would only be filled with garbage.
const memory = { maxYoungGenerationSizeMb: 16, maxOldGenerationSizeMb: 1000 }

/**
 * Runs an import in a thread of its own. `stop` ends it after the chunks that are on their way. Throws ImportRefused when
 * nothing was imported because file, headings or options will not do, and another error when it failed on its way.
 */
export async function runDebtorImport(
  task: ImportTask,
  { stop, onProgress }: { stop?: AbortSignal; onProgress?: (progress: ImportProgress) => void },
): Promise<ImportReport> {
  const worker = new Worker(new URL('../import-worker.ts', import.meta.url), {
    workerData: task,
    resourceLimits: memory,
    execArgv: ['--disable-warning=ExperimentalWarning'],
  })
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- threads have no origin
  const askToStop = () => worker.postMessage('stop')
  stop?.addEventListener('abort', askToStop)
  let last: ImportMessage = {}
  worker.on('message', (message: ImportMessage) => {
    last = message
    if (message.progress) onProgress?.(message.progress)
  })
  try {
    await new Promise<void>((resolve, reject) => {
      worker.once('error', reject)
      worker.once('exit', () => resolve())
    })
  } finally {
    stop?.removeEventListener('abort', askToStop)
  }
  if (last.report) return last.report
  const message = last.failure?.message ?? 'its thread ended before it.'
  throw last.failure?.isRefusal ? new ImportRefused(message) : new Error(message)
}
