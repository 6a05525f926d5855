/**
 * Stands in for the import's thread (`import-thread.ts`): the same import in the node's own process, where its
 * statements, its timers and its end are simulated like the node's.
 */
import { openDatabase } from '../../server/platform/database/database.ts'
import { runUploadWork, type UploadWork } from '../../server/integration/imports/import-asked.ts'
import type { ImportMessage } from '../../server/integration/imports/import-thread.ts'

export async function runImportThread(
  _thread: URL,
  work: UploadWork,
  stop: AbortSignal,
  listen: (message: ImportMessage) => void,
): Promise<ImportMessage> {
  const sql = openDatabase(work.url, { max: 3, applicationName: 'fordra import' })
  try {
    listen({ isOpen: true })
    return await runUploadWork(sql, work, { stop, onProgress: (progress) => listen({ progress }) })
  } finally {
    await sql.end({ timeout: 5 })
  }
}
