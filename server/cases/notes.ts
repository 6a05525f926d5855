/** Notes on any item. A note on a case is one of its events; one on another item is told by itself. */
import type { NoteInput } from '../../contract/case-inputs.ts'
import { makeId } from '../database/make-id.ts'
import { inTransaction, type Db } from '../database/transaction.ts'
import { insertRecords, recordsOf } from '../events/record.ts'
import type { Caller } from '../http/caller.ts'
import { invalid, notFound } from '../http/errors.ts'
import { visibleTo } from '../items/items.store.ts'
import type { CaseContext } from './case-lock.ts'

/** Adds a note to an item that the caller may see. The text is in the note alone, not in events or audit. */
export async function addNote(
  db: Db,
  caller: Caller,
  { itemGuid, input }: { itemGuid: string; input: NoteInput },
  { origin }: CaseContext,
): Promise<{ noteGuid: string }> {
  const text = input.text?.trim()
  if (!text) throw invalid({ text: ['is required.'] })
  return inTransaction(db, async (tx) => {
    await requireItem(tx, caller, itemGuid)
    const noteGuid = makeId()
    await tx`
      insert into note (id, item_guid, text, created_date, created_by)
      values (${noteGuid}, ${itemGuid}, ${text}, ${origin.businessDate}, ${origin.actorId})`
    const record = {
      type: 'note.created',
      entityId: noteGuid,
      subject: noteGuid,
      sequence: 1,
      data: { noteGuid, itemGuid },
      changes: { itemGuid: [null, itemGuid] as [null, string] },
    }
    await insertRecords(tx, recordsOf(origin, [record]))
    return { noteGuid }
  })
}

/** Changes the text of a note on an item that the caller may see. */
export async function changeNote(
  db: Db,
  caller: Caller,
  { noteGuid, input }: { noteGuid: string; input: NoteInput },
  { origin }: CaseContext,
): Promise<void> {
  const text = input.text?.trim()
  if (input.text === null || input.text === undefined) return
  if (!text) throw invalid({ text: ['cannot be empty.'] })
  await inTransaction(db, async (tx) => {
    const [note] = await tx<{ itemGuid: string; text: string; version: number }[]>`
      select item_guid as "itemGuid", text, version from note where id = ${noteGuid} for update`
    if (!note) throw notFound('note')
    await requireItem(tx, caller, note.itemGuid)
    if (note.text === text) return
    await tx`update note set text = ${text}, version = version + 1 where id = ${noteGuid}`
    const record = {
      type: 'note.updated',
      entityId: noteGuid,
      subject: noteGuid,
      sequence: note.version + 1,
      data: { noteGuid, itemGuid: note.itemGuid },
      changes: { text: ['changed', 'changed'] as [string, string] },
    }
    await insertRecords(tx, recordsOf(origin, [record]))
  })
}

async function requireItem(tx: Db, caller: Caller, itemGuid: string): Promise<void> {
  const scope = visibleTo(caller, 2)
  const rows = await tx.unsafe(
    `select 1 from item i where i.guid = $1 and ${scope.text}`,
    [itemGuid, ...scope.parameters] as never,
    { prepare: true },
  )
  if (rows.length === 0) throw notFound('item')
}
