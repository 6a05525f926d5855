/** Creates, changes and deletes notes about items. */
import type { Access } from '../../../contract/metadata/forms/form.ts'
import { itemAccess, type ItemType } from '../../../contract/metadata/items.ts'
import { requireAccess } from '../../access/serve/admit.ts'
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
import { removeNoteFiles } from '../attachments/remove-files.ts'
import { visibleItems, visibleNote } from './items.scope.ts'
import { storeMentions } from './mentions.store.ts'

export interface StoredNote {
  noteGuid: string
  text: string
  /** YYYY-MM-DD. */
  followUpDate: string | null
  shownToClient: boolean
  createdAt: string
  /** The author's name; null for the system or a deleted user. */
  createdBy: string | null
  version: number
}

interface NotePath {
  itemGuid: string
  noteGuid: string
}

const noteTable: TrackedTable = { table: 'note', entity: 'note', guidName: 'noteGuid' }

/** Throws a 404 when no item of any type has the GUID, or the caller may not see it. */
export async function requireItem(db: Db, caller: Caller, itemGuid: string): Promise<void> {
  const scope = visibleItems(caller).at(2)
  const rows = await runStatement(db, `select from item i where i.guid = $1 and ${scope.text}`, [
    itemGuid,
    ...scope.parameters,
  ])
  if (rows.length === 0) throw notFound('item')
}

/** Whoever may change the subject of a note writes it. Field collectors write notes about debtors and their cases. */
const writers = {
  client: { access: ['client.write'] },
  debtor: { access: ['debtor.write', 'case.write'], roles: [14] },
} as const satisfies Record<string, Access>

/** Throws a 403 for somebody who may not write about the item, and a 404 as `requireItem` does. */
async function requireWriter(db: Db, caller: Caller, itemGuid: string): Promise<void> {
  await requireItem(db, caller, itemGuid)
  const [item] = await db<{ type: ItemType }[]>`select type from item where guid = ${itemGuid}`
  requireAccess(itemAccess[item!.type] === 'client.read' ? writers.client : writers.debtor, caller)
}

/** Throws a 404 when the item has no such note. */
export async function requireNote(
  db: Db,
  caller: Caller,
  { itemGuid, noteGuid }: NotePath,
  { lock = false } = {},
): Promise<StoredNote> {
  await requireItem(db, caller, itemGuid)
  const scope = visibleNote(caller, noteGuid).at(2)
  const [row] = await runStatement<StoredNote>(
    db,
    `select n.id as "noteGuid", n.text, n.follow_up_date::text as "followUpDate", n.shown_to_client as "shownToClient",
       n.created_at as "createdAt", u.full_name as "createdBy", n.version
     from note n left join app_user u on u.id = n.created_by
     where n.item_guid = $1 and ${scope.text} ${lock ? 'for update of n' : ''}`,
    [itemGuid, ...scope.parameters],
    { prepare: true },
  )
  if (!row) throw notFound('note')
  return row
}

export async function addNote(
  db: Db,
  caller: Caller,
  { itemGuid, input }: { itemGuid: string; input: NoteInput },
  origin: Origin,
): Promise<StoredNote> {
  const members = {
    text: requireText(input.text),
    followUpDate: readFollowUp(input.followUpDate, origin),
    shownToClient: input.shownToClient ?? false,
  }
  const noteGuid = makeId()
  return inTransaction(db, async (tx) => {
    await requireWriter(tx, caller, itemGuid)
    const more = { item_guid: itemGuid, created_by: caller.userId }
    await insertTracked(tx, noteTable, { guid: noteGuid, members, more }, origin)
    await storeMentions(tx, caller, { noteGuid, text: members.text }, origin)
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
    await requireWriter(tx, caller, path.itemGuid)
    const { text, followUpDate, shownToClient, version } = await requireNote(tx, caller, path, { lock: true })
    requireMatch(ifMatch, version)
    const before = { text, followUpDate, shownToClient }
    const after = {
      text: typeof input.text === 'string' ? requireText(input.text) : text,
      followUpDate:
        input.followUpDate === undefined
          ? followUpDate
          : readFollowUp(input.followUpDate, origin, followUpDate),
      shownToClient: input.shownToClient ?? shownToClient,
    }
    await storeMentions(tx, caller, { noteGuid: path.noteGuid, text: after.text }, origin)
    return updateTracked(tx, noteTable, { guid: path.noteGuid, before, version, after }, origin)
  })
}

export async function removeNote(
  db: Db,
  caller: Caller,
  { ifMatch, ...path }: NotePath & { ifMatch: IfMatch },
  origin: Origin,
): Promise<void> {
  await inTransaction(db, async (tx) => {
    await requireWriter(tx, caller, path.itemGuid)
    const { text, followUpDate, shownToClient, version } = await requireNote(tx, caller, path, { lock: true })
    requireMatch(ifMatch, version)
    const before = { text, followUpDate, shownToClient }
    await removeNoteFiles(tx, path.noteGuid, origin)
    await deleteTracked(tx, noteTable, { guid: path.noteGuid, before }, origin)
  })
}

/** Control characters other than line end and tab are refused; PostgreSQL cannot store NUL. */
const unprintable = /[\p{Cc}--[\t\n\r]]/v

/** The date on which the note comes back. One that was stored before may be past. */
function readFollowUp(
  given: string | null | undefined,
  { businessDate }: Origin,
  before: string | null = null,
): string | null {
  const date = given ? given.slice(0, 10) : null
  if (date !== null && date !== before && date < businessDate)
    throw invalid({ followUpDate: ['must not be before the business date.'] })
  return date
}

function requireText(given: string | null | undefined): string {
  const text = (given ?? '').trim()
  if (text === '') throw invalid({ text: ['is required.'] })
  if (unprintable.test(text)) throw invalid({ text: ['must not have control characters.'] })
  return text
}
