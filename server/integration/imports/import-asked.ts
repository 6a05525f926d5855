/** An import in the name of the user who requested it, whose rights are checked again for each chunk of rows. */
import type { Sql } from '../../platform/database/driver/pool.ts'
import type { Db } from '../../platform/database/transaction.ts'
import { JobFailure } from '../../platform/jobs/job.ts'
import type { ImportContext } from './import-file.ts'
import { requireImportAsker } from './import-rights.ts'
import type { ImportMessage, ImportWork } from './import-thread.ts'
import { imports } from './kinds/kinds.ts'
import { ImportRefused } from './reading/import-refused.ts'

export interface UploadWork extends ImportWork {
  url: string
  countryCode: string
  currencyCode: string
  /** Null for an import that no user requested. */
  askedBy: string | null
}

/** Returns the last message of the import. A failure that a retry would repeat is a refusal. */
export async function runUploadWork(
  sql: Sql,
  { what, request, askedBy, countryCode, currencyCode }: UploadWork,
  context: Pick<ImportContext, 'stop' | 'onProgress'>,
): Promise<ImportMessage> {
  const onChunk = async (tx: Db) => {
    await requireImportAsker(tx, askedBy, what)
  }
  try {
    return { result: await imports[what](sql, request, { countryCode, currencyCode, onChunk, ...context }) }
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error)
    const isRefusal = error instanceof ImportRefused || error instanceof JobFailure
    return { failure: { message, isRefusal } }
  }
}
