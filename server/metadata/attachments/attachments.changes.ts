/** Attaches, changes and deletes files about cases and debtors. */
import type { AttachmentChange } from '../../../contract/metadata/attachments.ts'
import type { ItemType } from '../../../contract/metadata/items.ts'
import { makeId } from '../../platform/database/make-id.ts'
import { inTransaction, type Db } from '../../platform/database/transaction.ts'
import { initialChanges, insertRecords, toRecords } from '../../platform/events/record.ts'
import { deleteTracked, updateTracked } from '../../platform/events/tracked-row.ts'
import type { Caller, Origin } from '../../platform/http/caller.ts'
import { ApiError, FieldErrors, notFound } from '../../platform/http/errors.ts'
import { findItem } from '../search/items.store.ts'
import { requireNote } from '../search/notes.changes.ts'
import type { CheckedFile } from './attachments.rules.ts'
import { visibleAttachments } from './attachments.scope.ts'
import * as store from './attachments.store.ts'
import { attachmentTable } from './remove-files.ts'

/** What a file is attached to: a case (item type 1) or a debtor (item type 3). */
export interface AttachmentItem {
  guid: string
  type: Extract<ItemType, 1 | 3>
}
export const caseItem = (guid: string): AttachmentItem => ({ guid, type: 1 })
export const debtorItem = (guid: string): AttachmentItem => ({ guid, type: 3 })

const draftsMax = 20
const filesMax = 500

/** Throws a 404 when there is no such case or debtor, or the caller may not see it. */
export async function requireAttachmentItem(db: Db, caller: Caller, item: AttachmentItem): Promise<void> {
  if (!(await findItem(db, caller, item))) throw notFound(item.type === 1 ? 'case' : 'debtor')
}

export interface SentAttachment extends CheckedFile {
  content: Buffer
  shownToClient: boolean
  draft: boolean
}

/** Returns the GUID of the file. */
export async function addAttachment(
  db: Db,
  caller: Caller,
  { item, file }: { item: AttachmentItem; file: SentAttachment },
  origin: Origin,
): Promise<string> {
  return inTransaction(db, async (tx) => {
    await requireAttachmentItem(tx, caller, item)
    await requireRoom(tx, caller, item, file.draft)
    const guid = makeId()
    await store.insertAttachment(tx, {
      id: guid,
      item_guid: item.guid,
      is_draft: file.draft,
      file_name: file.name,
      media_type: file.mediaType,
      bytes: file.content.length,
      content: file.content,
      shown_to_client: file.shownToClient,
      created_by: caller.userId,
      event_sequence: file.draft ? 0 : 1,
    })
    if (!file.draft)
      await noteCreated(tx, guid, { fileName: file.name, shownToClient: file.shownToClient }, origin)
    return guid
  })
}

async function requireRoom(tx: Db, caller: Caller, { guid, type }: AttachmentItem, draft: boolean) {
  const { ofItem, drafts } = await store.countAttachments(tx, guid, caller.userId)
  if (ofItem >= filesMax)
    throw new ApiError(
      'conflict',
      `The ${type === 1 ? 'case' : 'debtor'} has ${filesMax} files, the maximum. Delete some first.`,
    )
  if (draft && drafts >= draftsMax)
    throw new ApiError(
      'conflict',
      `You have ${draftsMax} files that wait for a note or a call, the maximum. Save the note or the call first.`,
    )
}

/** A draft is nobody's record yet: it is told of when it is given to a note or a call. */
async function noteCreated(tx: Db, guid: string, members: object, origin: Origin): Promise<void> {
  const change = {
    type: 'attachment.created',
    entityId: guid,
    subject: guid,
    sequence: 1,
    data: { attachmentGuid: guid },
    changes: initialChanges(members),
  } as const
  await insertRecords(tx, toRecords(origin, [change]))
}

/** Throws a 404 when there is no such file, or the caller may not see it. */
async function requireLocked(tx: Db, caller: Caller, guid: string): Promise<store.StoredAttachment> {
  const found = await store.findAttachment(tx, guid, visibleAttachments(caller))
  const stored = found && (await store.lockAttachment(tx, guid))
  if (!stored) throw notFound('attachment')
  return stored
}

export async function changeAttachment(
  db: Db,
  caller: Caller,
  { guid, input }: { guid: string; input: AttachmentChange },
  origin: Origin,
): Promise<void> {
  await inTransaction(db, async (tx) => {
    const { version, draft, ...stored } = await requireLocked(tx, caller, guid)
    const { shownToClient, noteGuid, callGuid } = stored
    const before = { shownToClient, noteGuid, callGuid }
    const after = { ...before, ...(await readChange(tx, caller, stored, input)) }
    if (!draft) return updateTracked(tx, attachmentTable, { guid, before, version, after }, origin)
    if (after.noteGuid === null && after.callGuid === null) throw stillDraft()
    await tx`
      update attachment set is_draft = false, note_id = ${after.noteGuid}, call_id = ${after.callGuid},
        shown_to_client = ${after.shownToClient}, version = version + 1, event_sequence = 1
      where id = ${guid}`
    return noteCreated(tx, guid, { fileName: stored.fileName, ...after }, origin)
  })
}

const stillDraft = () =>
  new ApiError('unprocessable', 'The file waits for a note or a call: send noteGuid or callGuid.', {
    errors: { noteGuid: ['is required of a draft, or callGuid.'] },
  })

type Owner = Partial<Pick<store.StoredAttachment, 'noteGuid' | 'callGuid' | 'shownToClient'>>

/** What the input changes. Throws a 400 for a note or a call that is about something else. */
async function readChange(
  tx: Db,
  caller: Caller,
  { itemGuid }: Pick<store.StoredAttachment, 'itemGuid'>,
  { noteGuid, callGuid, shownToClient }: AttachmentChange,
): Promise<Owner> {
  const checks = new FieldErrors(caller.language)
  if (noteGuid && callGuid)
    checks.add('callGuid', 'must be left out with noteGuid: a file has one of the two.')
  if (noteGuid && !(await isNote(tx, caller, { itemGuid, noteGuid })))
    checks.add('noteGuid', 'must be a note about the same case or debtor.')
  if (callGuid && !(await store.hasCall(tx, callGuid, itemGuid)))
    checks.add('callGuid', 'must be a call about the same case.')
  checks.throwIfAny()
  return {
    ...(noteGuid && { noteGuid: noteGuid.toLowerCase(), callGuid: null }),
    ...(callGuid && { callGuid: callGuid.toLowerCase(), noteGuid: null }),
    ...(typeof shownToClient === 'boolean' && { shownToClient }),
  }
}

async function isNote(
  tx: Db,
  caller: Caller,
  path: { itemGuid: string; noteGuid: string },
): Promise<boolean> {
  try {
    await requireNote(tx, caller, path)
    return true
  } catch (error) {
    if (error instanceof ApiError && error.kind === 'not-found') return false
    throw error
  }
}

export async function removeAttachment(db: Db, caller: Caller, guid: string, origin: Origin): Promise<void> {
  await inTransaction(db, async (tx) => {
    const { draft, fileName, shownToClient } = await requireLocked(tx, caller, guid)
    if (draft) await tx`delete from attachment where id = ${guid}`
    else await deleteTracked(tx, attachmentTable, { guid, before: { fileName, shownToClient } }, origin)
  })
}
