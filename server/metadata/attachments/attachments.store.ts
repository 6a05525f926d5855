/** Reads and writes attached files. */
import { Attachment } from '../../../contract/metadata/attachments.ts'
import { selectList } from '../../platform/database/columns.ts'
import { findRow } from '../../platform/database/find-row.ts'
import {
  listRows,
  type ListContext,
  type ListSource,
  type Page,
  type PageQuery,
} from '../../platform/database/list.ts'
import type { Scope } from '../../platform/database/row-scope.ts'
import { rowHelper } from '../../platform/database/statement.ts'
import type { Db } from '../../platform/database/transaction.ts'
import { filterableProperties } from '../../platform/odata/properties.ts'
import { attachmentRows, shownToClient } from './attachments.scope.ts'

const columns = {
  attachmentGuid: 'a.id',
  caseGuid: 'c.id',
  caseNumber: 'c.case_number',
  noteGuid: 'a.note_id',
  callGuid: 'a.call_id',
  draft: 'a.is_draft',
  fileName: 'a.file_name',
  mediaType: 'a.media_type',
  bytes: 'a.bytes',
  shownToClient,
  createdAt: 'a.created_at',
  createdBy: 'u.full_name',
} satisfies Record<keyof Attachment, string>
const source: ListSource<'attachment'> = {
  entity: 'attachment',
  from: `${attachmentRows}
    left join debt_case c on c.id = a.item_guid left join app_user u on u.id = a.created_by`,
  key: 'a.id',
  select: selectList(columns),
  properties: filterableProperties(Attachment, columns),
  defaultOrder: { terms: [], keyDescending: true, text: 'a.id desc', reversedText: 'a.id' },
}

export const listAttachments = (
  db: Db,
  visible: Scope<'attachment'>,
  query: PageQuery,
  context: ListContext,
): Promise<Page<Attachment>> => listRows<Attachment, 'attachment'>(db, source, visible, query, context)

export const findAttachment = (
  db: Db,
  guid: string,
  visible: Scope<'attachment'>,
): Promise<Attachment | undefined> => findRow<Attachment, 'attachment'>(db, source, guid, visible)

/** What is stored of a file, without its content. */
export interface StoredAttachment {
  itemGuid: string
  noteGuid: string | null
  callGuid: string | null
  draft: boolean
  fileName: string
  shownToClient: boolean
  version: number
}

/** Locks the row of a file that was found to be visible. */
export async function lockAttachment(tx: Db, guid: string): Promise<StoredAttachment | undefined> {
  const [row] = await tx<StoredAttachment[]>`
    select item_guid as "itemGuid", note_id as "noteGuid", call_id as "callGuid", is_draft as draft, file_name as "fileName",
      shown_to_client as "shownToClient", version
    from attachment where id = ${guid} for update`
  return row
}

export async function readContent(db: Db, guid: string): Promise<{ fileName: string; content: Buffer }> {
  const [row] = await db<{ fileName: string; content: Buffer }[]>`
    select file_name as "fileName", content from attachment where id = ${guid}`
  return row!
}

export interface NewAttachment {
  id: string
  item_guid: string
  is_draft: boolean
  file_name: string
  media_type: string
  bytes: number
  content: Buffer
  shown_to_client: boolean
  created_by: string
  event_sequence: number
}

export async function insertAttachment(tx: Db, row: NewAttachment): Promise<void> {
  await tx`insert into attachment ${rowHelper(tx, { ...row })}`
}

export interface AttachmentCounts {
  /** Of the case or debtor. */
  ofItem: number
  /** Drafts of the user. */
  drafts: number
}

export async function countAttachments(
  tx: Db,
  itemGuid: string,
  userGuid: string,
): Promise<AttachmentCounts> {
  const [row] = await tx<AttachmentCounts[]>`
    select (select count(*)::int from attachment where item_guid = ${itemGuid}) as "ofItem",
      (select count(*)::int from attachment where created_by = ${userGuid} and is_draft) as drafts`
  return row!
}

export async function hasCall(db: Db, callGuid: string, caseGuid: string): Promise<boolean> {
  const rows = await db`select from phone_call where id = ${callGuid} and case_id = ${caseGuid}`
  return rows.length > 0
}

/** Deletes drafts that nobody gave to a note or a call within a day. */
export async function purgeDrafts(db: Db): Promise<void> {
  await db`delete from attachment where is_draft and created_at < now() - interval '1 day'`
}
