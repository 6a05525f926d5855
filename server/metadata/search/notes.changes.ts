/** Creates, changes and deletes notes about items. */
import type { NoteInput } from '../../../contract/parties/notes.ts'
import { makeId } from '../../platform/database/make-id.ts'
import { runStatement } from '../../platform/database/statement.ts'
import { inTransaction, type Db } from '../../platform/database/transaction.ts'
import {
  deleteTracked,
  insertTracked,
  updateTracked,
  type TrackedTable,
} from '../../platform/events/tracked-row.ts'
import type { Caller, Origin } from '../../platform/http/caller.ts'
import { invalid, notFound } from '../../platform/http/errors.ts'
import { requireMatch, type IfMatch } from '../../platform/http/version.ts'
import { visibleItems } from './items.scope.ts'

export interface StoredNote {
  noteGuid: string
  text: string
  createdAt: string
  /** The author's name; null for the system or a deleted user. */
  createdBy: string | null
  version: number
}

interface NotePath {
  itemGuid: string
  noteGuid: string
}

const at: TrackedTable = { table: 'note', entity: 'note', guidName: 'noteGuid' }

/** Throws a 404 when no item of any type has the GUID, or the caller may not see it. */
export async function requireItem(db: Db, caller: Caller, itemGuid: string): Promise<void> {
  const scope = visibleItems(caller).at(2)
  const rows = await runStatement(db, `select from item i where i.guid = $1 and ${scope.text}`, [
    itemGuid,
    ...scope.parameters,
  ])
  if (rows.length === 0) throw notFound('item')
}

/** Throws a 404 when the item has no such note. */
export async function requireNote(
  db: Db,
  caller: Caller,
  { itemGuid, noteGuid }: NotePath,
  { lock = false } = {},
): Promise<StoredNote> {
  await requireItem(db, caller, itemGuid)
  const [row] = await db<StoredNote[]>`
    select n.id as "noteGuid", n.text, n.created_at as "createdAt", u.full_name as "createdBy", n.version
    from note n left join app_user u on u.id = n.created_by
    where n.id = ${noteGuid} and n.item_guid = ${itemGuid} ${lock ? db`for update of n` : db``}`
  if (!row) throw notFound('note')
  return row
}

export async function addNote(
  db: Db,
  caller: Caller,
  { itemGuid, input }: { itemGuid: string; input: NoteInput },
  origin: Origin,
): Promise<StoredNote> {
  const text = requireText(input.text)
  const noteGuid = makeId()
  return inTransaction(db, async (tx) => {
    await requireItem(tx, caller, itemGuid)
    const more = { item_guid: itemGuid, created_by: caller.userId }
    await insertTracked(tx, at, { guid: noteGuid, members: { text }, more }, origin)
    return requireNote(tx, caller, { itemGuid, noteGuid })
  })
}

/** Returns the version after the change. */
export async function changeNote(
  db: Db,
  caller: Caller,
  { input, ifMatch, ...path }: NotePath & { input: NoteInput; ifMatch: IfMatch },
  origin: Origin,
): Promise<number> {
  return inTransaction(db, async (tx) => {
    const { text, version } = await requireNote(tx, caller, path, { lock: true })
    requireMatch(ifMatch, version)
    const after = { text: typeof input.text === 'string' ? requireText(input.text) : text }
    return updateTracked(tx, at, { guid: path.noteGuid, before: { text }, version, after }, origin)
  })
}

export async function removeNote(
  db: Db,
  caller: Caller,
  { ifMatch, ...path }: NotePath & { ifMatch: IfMatch },
  origin: Origin,
): Promise<void> {
  await inTransaction(db, async (tx) => {
    const { text, version } = await requireNote(tx, caller, path, { lock: true })
    requireMatch(ifMatch, version)
    await deleteTracked(tx, at, { guid: path.noteGuid, before: { text } }, origin)
  })
}

/** Control characters other than line end and tab are refused; PostgreSQL cannot store NUL. */
const unprintable = /[\p{Cc}--[\t\n\r]]/v

function requireText(given: string | null | undefined): string {
  const text = (given ?? '').trim()
  if (text === '') throw invalid({ text: ['is required.'] })
  if (unprintable.test(text)) throw invalid({ text: ['must not have control characters.'] })
  return text
}
