/** Bulk actions and their rows: what was asked, what became of each row, and what undoes it. */
import type { AccessCode } from '../../../contract/access/access.ts'
import { BulkAction, BulkRow, type BulkList, type BulkRowState } from '../../../contract/work/bulk-actions.ts'
import { selectList } from '../../platform/database/columns.ts'
import { findRow } from '../../platform/database/find-row.ts'
import {
  listRows,
  type ListContext,
  type ListSource,
  type Page,
  type PageQuery,
} from '../../platform/database/list.ts'
import type { MatchingRows } from '../../platform/database/lists/matching-rows.ts'
import { runStatement, toJson } from '../../platform/database/statement.ts'
import type { Db } from '../../platform/database/transaction.ts'
import type { Caller } from '../../platform/http/caller.ts'
import { filterableProperties } from '../../platform/odata/properties.ts'
import { ownBulkActions, visibleBulkRows } from './bulk-actions.scope.ts'
import { bulkColumns } from './bulk-lists.ts'
import type { Undo } from './bulk-undo.ts'

const lettersLock = 7_240_071

const countRows = (condition: string) =>
  `(select count(*)::int from bulk_action_row r where r.action_id = b.id and ${condition})`
/** The job under way, or the last one. */
const ended = `j.status in ('completed', 'cancelled', 'failed')`
const unsent = `m.sent_at is null and m.attempts = 0`
/** Rows `r` with their letters' messages `m`. */
const letterRows = `bulk_action_row r join message m on m.document_id = (r.undo #>> '{params,documentGuid}')::uuid
  and r.undo ->> 'operation' = 'withdrawLetter'`
const hasLeft = `(b.action = 'letter' and exists (select from ${letterRows} where r.action_id = b.id and not (${unsent})))`
const columns = {
  bulkActionGuid: 'b.id',
  list: 'b.list',
  action: 'b.action',
  filter: 'b.filter',
  status: `case j.status when 'cancelled' then 'stopped' else j.status end`,
  isUndo: 'b.is_undo',
  expected: 'b.expected',
  found: countRows('true'),
  toDo: countRows(
    `case when b.is_undo then r.state = 'done' and r.undo is not null else r.state = 'waiting' end`,
  ),
  done: countRows(`r.state = 'done'`),
  refused: countRows(`r.state = 'refused'`),
  undone: countRows(`r.state = 'undone'`),
  undoable: `case when ${ended} and not ${hasLeft} then ${countRows(`r.state = 'done' and r.undo is not null`)} else 0 end`,
  jobId: 'b.job_id',
  lettersLeaveAt: 'b.letters_leave_at',
  createdAt: 'b.created_at',
  endedAt: `case when ${ended} then j.ended_at end`,
} satisfies Record<keyof BulkAction, string>
const source: ListSource<'bulkaction'> = {
  entity: 'bulkaction',
  from: 'bulk_action b join job_run j on j.id = b.job_id',
  key: 'b.id',
  select: selectList(columns),
  properties: filterableProperties(BulkAction, columns),
  defaultOrder: { terms: [], keyDescending: true, text: 'b.id desc', reversedText: 'b.id' },
}

export const findBulkAction = (db: Db, caller: Caller, id: string): Promise<BulkAction | undefined> =>
  findRow<BulkAction, 'bulkaction'>(db, source, id, ownBulkActions(caller))

export const listBulkActions = (
  db: Db,
  caller: Caller,
  query: PageQuery,
  context: ListContext,
): Promise<Page<BulkAction>> =>
  listRows<BulkAction, 'bulkaction'>(db, source, ownBulkActions(caller), query, context)

const rowColumns = {
  number: 'r.number',
  subjectGuid: 'r.subject_id',
  reference: 'coalesce(c.case_number, p.reference_code)',
  name: 'coalesce(m.full_name, p.name)',
  state: 'r.state',
  reason: 'r.reason',
} satisfies Record<keyof BulkRow, string>
const rowSource: ListSource<'bulkrow'> = {
  entity: 'bulkrow',
  from: `bulk_action_row r join bulk_action b on b.id = r.action_id
    left join debt_case c on c.id = r.subject_id left join debtor m on m.id = c.main_debtor_id
    left join party p on p.id = r.subject_id`,
  key: 'r.number',
  select: selectList(rowColumns),
  properties: filterableProperties(BulkRow, rowColumns),
}

export const listBulkRows = (
  db: Db,
  caller: Caller,
  { bulkActionGuid, ...query }: PageQuery & { bulkActionGuid: string },
  context: ListContext,
): Promise<Page<BulkRow>> =>
  listRows<BulkRow, 'bulkrow'>(db, rowSource, visibleBulkRows(caller, bulkActionGuid), query, context)

export interface NewBulkAction {
  id: string
  list: BulkList
  action: string
  filter: string | null
  input: Record<string, unknown>
  expected: number
  askedBy: string
  scope: readonly string[] | null
  jobId: string
}

export async function insertBulkAction(tx: Db, made: NewBulkAction): Promise<void> {
  await tx`
    insert into bulk_action (id, list, action, filter, input, expected, asked_by, scope, job_id)
    values (${made.id}, ${made.list}, ${made.action}, ${made.filter}, ${toJson(tx, made.input)}, ${made.expected},
      ${made.askedBy}, ${made.scope && [...made.scope]}, ${made.jobId})`
}

/** Stores the matching rows, one more than `most` at most. Returns their number. */
export async function insertBulkRows(
  tx: Db,
  { id, list, most }: { id: string; list: BulkList; most: number },
  { tables, where, parameters }: MatchingRows,
): Promise<number> {
  const { subject, item, order } = bulkColumns(list)
  const [row] = await runStatement<{ count: number }>(
    tx,
    `with made as (
       insert into bulk_action_row (action_id, number, subject_id, item_id)
       select $1::uuid, row_number() over (), subject, item from (
         select ${subject} as subject, ${item} as item from ${tables} where ${where} order by ${order} limit $2::int) found
       returning 1)
     select count(*)::int as count from made`,
    [id, most + 1, ...parameters],
  )
  return row!.count
}

export interface StoredBulkAction {
  id: string
  list: BulkList
  action: string
  filter: string | null
  input: Record<string, unknown>
  scope: AccessCode[] | null
  askedBy: string
  isUndo: boolean
  jobId: string
}

/** Locks the action for the rest of the transaction. */
export async function lockBulkAction(tx: Db, id: string): Promise<StoredBulkAction | undefined> {
  const [row] = await tx<StoredBulkAction[]>`
    select id, list, action, filter, input, scope, asked_by as "askedBy", is_undo as "isUndo", job_id as "jobId"
    from bulk_action where id = ${id} for no key update`
  return row
}

export async function beginUndo(tx: Db, id: string, jobId: string): Promise<void> {
  await tx`update bulk_action set is_undo = true, job_id = ${jobId}, letters_leave_at = null where id = ${id}`
}

export interface BulkWorkRow {
  number: number
  subjectGuid: string
  itemId: string | null
  undo: Undo | null
}

export const countRowsToDo = async (db: Db, id: string, isUndo: boolean): Promise<number> => {
  const [row] = await db<{ count: number }[]>`
    select count(*)::int as count from bulk_action_row
    where action_id = ${id} and case when ${isUndo} then state = 'done' and undo is not null else state = 'waiting' end`
  return row!.count
}

/** The next waiting rows after a number. */
export const listNextRows = (db: Db, id: string, after: number, most: number): Promise<BulkWorkRow[]> =>
  db<BulkWorkRow[]>`
    select number, subject_id as "subjectGuid", item_id as "itemId", undo from bulk_action_row
    where action_id = ${id} and state = 'waiting' and number > ${after} order by number limit ${most}`

/** The next rows to be undone before a number, the last first. */
export const listUndoRows = (db: Db, id: string, before: number, most: number): Promise<BulkWorkRow[]> =>
  db<BulkWorkRow[]>`
    select number, subject_id as "subjectGuid", item_id as "itemId", undo from bulk_action_row
    where action_id = ${id} and state = 'done' and undo is not null and number < ${before}
    order by number desc limit ${most}`

/** Locks a row. False when another attempt has dealt with it. */
export async function lockRow(
  tx: Db,
  id: string,
  { number, undo }: Pick<BulkWorkRow, 'number' | 'undo'>,
): Promise<boolean> {
  const state: BulkRowState = undo === null ? 'waiting' : 'done'
  const rows = await tx`
    select from bulk_action_row where action_id = ${id} and number = ${number} and state = ${state} for update`
  return rows.length > 0
}

export interface RowEnd {
  state: BulkRowState
  reason?: string | null
  undo?: Undo | null
}

export async function endRow(
  db: Db,
  id: string,
  number: number,
  { state, reason = null, undo = null }: RowEnd,
): Promise<void> {
  await db`
    update bulk_action_row set state = ${state}, reason = ${reason}, undo = ${undo && toJson(db, undo)}
    where action_id = ${id} and number = ${number}`
}

/** Which of the rows still match, by their numbers. */
export async function findMatching(
  db: Db,
  { id, list, numbers }: { id: string; list: BulkList; numbers: readonly number[] },
  { tables, where, parameters }: MatchingRows,
): Promise<Set<number>> {
  const { subject, item } = bulkColumns(list)
  const isSame = list === 'work' ? `${item} = r.item_id` : `${subject} = r.subject_id`
  const rows = await runStatement<{ number: number }>(
    db,
    `select r.number from bulk_action_row r where r.action_id = $1::uuid and r.number = any($2::int[])
       and exists (select from ${tables} where ${isSame} and ${where})`,
    [id, [...numbers], ...parameters],
  )
  return new Set(rows.map(({ number }) => number))
}

export interface MatchingCase {
  caseGuid: string
  debtorGuid: string
  /** All that match. */
  total: number
}

/** The first of the matching cases, in the order in which a run takes them; of all of them without GUIDs. */
export const listMatchingCases = (
  db: Db,
  { caseGuids, most }: { caseGuids: readonly string[] | null; most: number },
  { tables, where, parameters }: MatchingRows,
): Promise<MatchingCase[]> =>
  runStatement<MatchingCase>(
    db,
    `select c.id as "caseGuid", c.main_debtor_id as "debtorGuid", (count(*) over ())::int as total from ${tables}
     where ($1::uuid[] is null or c.id = any($1::uuid[])) and ${where}
     order by ${bulkColumns('cases').order} limit $2::int`,
    [caseGuids && [...caseGuids], most, ...parameters],
  )

/** The letter of a run that demands the case together with others. Rows of one debtor wait here for each other. */
export async function findSharedLetter(
  tx: Db,
  { actionGuid, debtorGuid, subjectGuid }: { actionGuid: string; debtorGuid: string; subjectGuid: string },
): Promise<string | undefined> {
  await tx`select pg_advisory_xact_lock(${lettersLock}, hashtext(${debtorGuid}))`
  const [row] = await tx<{ documentGuid: string }[]>`
    select d.document_id as "documentGuid" from demand_letter_case d
    where d.case_id = ${subjectGuid} and exists (select from bulk_action_row r where r.action_id = ${actionGuid}
      and r.undo ->> 'operation' = 'withdrawLetter' and (r.undo #>> '{params,documentGuid}')::uuid = d.document_id)
    limit 1`
  return row?.documentGuid
}

/** Locks the letter that an undo withdraws. False when it is withdrawn already. */
export async function lockLetter(tx: Db, { params }: Undo): Promise<boolean> {
  const rows = await tx`select from document where id = ${String(params!['documentGuid'])} for update`
  return rows.length > 0
}

/** The letters of an action that somebody has tried to send. */
export async function countLeftLetters(db: Db, id: string): Promise<number> {
  const [row] = await runStatement<{ count: number }>(
    db,
    `select count(distinct m.id)::int as count from ${letterRows} where r.action_id = $1::uuid and not (${unsent})`,
    [id],
  )
  return row!.count
}

/** Lets the unsent letters of an action leave in so many minutes. */
export async function releaseLetters(db: Db, id: string, minutes: number): Promise<void> {
  await runStatement(
    db,
    `with released as (
       update message m set next_try_at = now() + $2::int * interval '1 minute' from bulk_action_row r
       where r.action_id = $1::uuid and r.undo ->> 'operation' = 'withdrawLetter'
         and m.document_id = (r.undo #>> '{params,documentGuid}')::uuid and ${unsent})
     update bulk_action set letters_leave_at = now() + $2::int * interval '1 minute'
     where id = $1::uuid and action = 'letter'`,
    [id, minutes],
  )
}

/** Deletes bulk actions of more than 90 days ago. */
export async function purgeBulkActions(db: Db): Promise<void> {
  await db`delete from bulk_action where created_at < now() - interval '90 days'`
}
