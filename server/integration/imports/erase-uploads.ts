import type { Db } from '../../platform/database/transaction.ts'
import { namesPerson, type PersonTexts } from '../../treasury/held-files/find-person.ts'
import { deleteUpload, isBeingImported, listUnimported, readParts } from './uploads.store.ts'

/**
 * Deletes the uploaded files that name the person and were not imported, but for those that are being imported: an import
 * deletes the file at its end. Workbooks are compressed and not searched. Returns the files that name the person.
 */
export async function eraseUploads(tx: Db, person: PersonTexts): Promise<string[]> {
  const named: string[] = []
  for (const { fileGuid, fileName } of await listUnimported(tx)) {
    const parts: Buffer[] = []
    for await (const part of readParts(tx, fileGuid, 'content')) parts.push(part)
    if (!(await namesPerson({ fileName, content: Buffer.concat(parts) }, person))) continue
    named.push(fileGuid)
    if (!(await isBeingImported(tx, fileGuid))) await deleteUpload(tx, fileGuid)
  }
  return named
}
