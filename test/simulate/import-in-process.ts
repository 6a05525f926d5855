/**
 * Stands in for the import's thread (`import-thread.ts`): the same import in the node's own process, where its
 * statements, its timers and its end are simulated like the node's.
 */
import { openDatabase } from '../../server/platform/database/database.ts'
import { ImportRefused } from '../../server/integration/imports/reading/import-refused.ts'
import { imports } from '../../server/integration/imports/kinds/kinds.ts'
import type { ImportMessage } from '../../server/integration/imports/import-thread.ts'
import type { UploadWork } from '../../server/integration/imports/upload-worker.ts'

export async function runImportThread(
  _thread: URL,
  { url, countryCode, currencyCode, what, request }: UploadWork,
  stop: AbortSignal,
  listen: (message: ImportMessage) => void,
): Promise<ImportMessage> {
  const sql = openDatabase(url, { max: 3, applicationName: 'fordra import' })
  try {
    listen({ isOpen: true })
    const onProgress = (progress: NonNullable<ImportMessage['progress']>) => listen({ progress })
    return { result: await imports[what](sql, request, { countryCode, currencyCode, stop, onProgress }) }
  } catch (error) {
    const { message } = error as Error
    return { failure: { message, isRefusal: error instanceof ImportRefused } }
  } finally {
    await sql.end({ timeout: 5 })
  }
}
