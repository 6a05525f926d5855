import type { Db } from '../../platform/database/transaction.ts'
import { deleteTracked, type TrackedTable } from '../../platform/events/tracked-row.ts'
import type { Origin } from '../../platform/http/caller.ts'

export const attachmentTable: TrackedTable = {
  table: 'attachment',
  entity: 'attachment',
  guidName: 'attachmentGuid',
  columns: { noteGuid: 'note_id', callGuid: 'call_id' },
}

/** Deletes the files of a note, each with its event. */
export async function removeNoteFiles(tx: Db, noteGuid: string, origin: Origin): Promise<void> {
  const files = await tx<{ id: string; fileName: string; shownToClient: boolean }[]>`
    select id, file_name as "fileName", shown_to_client as "shownToClient" from attachment
    where note_id = ${noteGuid} order by id for update`
  for (const { id, ...before } of files)
    await deleteTracked(tx, attachmentTable, { guid: id, before }, origin)
}
