/** What a case stores about the work on it: handler, team and next action. Written with its event and audit entry. */
import type { EventAction } from '../../contract/platform/event-types.ts'
import { lockCases, type CaseRow } from '../claims/case-lock.ts'
import { holdDate } from '../ledger/ledger.store.ts'
import { rowParameters, updateFrom } from '../platform/database/row-text.ts'
import { runStatement } from '../platform/database/statement.ts'
import type { Db } from '../platform/database/transaction.ts'
import { changesBetween, insertRecords, toRecords } from '../platform/events/record.ts'
import type { Caller, Origin } from '../platform/http/caller.ts'
import { notFound } from '../platform/http/errors.ts'

/** What is stored of the work on a case. */
export interface CaseHandling {
  ownerGuid: string | null
  teamGuid: string | null
  nextAction: string | null
  nextActionDate: string | null
}
export interface HeldCase {
  row: CaseRow
  before: CaseHandling
}

const storedTypes = {
  id: 'uuid',
  owner_user_id: 'uuid',
  owner_group_id: 'uuid',
  next_action: 'text',
  next_action_date: 'date',
  version: 'int',
  event_sequence: 'bigint',
}
const updateText = updateFrom('debt_case', storedTypes, 1)

/** Locks the date, then visible cases. Throws a 404 when one of them is not there. */
export async function holdCases(tx: Db, caller: Caller, caseGuids: readonly string[]): Promise<HeldCase[]> {
  const wanted = [...new Set(caseGuids.map((guid) => guid.toLowerCase()))]
  await holdDate(tx)
  const rows = await lockCases(tx, caller, wanted)
  if (rows.length < wanted.length) throw notFound('case')
  const stored = await runStatement<CaseHandling & { caseGuid: string }>(
    tx,
    `select id as "caseGuid", owner_user_id as "ownerGuid", owner_group_id as "teamGuid", next_action as "nextAction",
       next_action_date::text as "nextActionDate" from debt_case where id = any($1::uuid[])`,
    [wanted],
    { prepare: true },
  )
  const byCase = new Map(stored.map(({ caseGuid, ...before }) => [caseGuid, before]))
  return rows.map((row) => ({ row, before: byCase.get(row.caseGuid)! }))
}

export interface HandlingUpdate extends HeldCase {
  after: CaseHandling
  action: EventAction<'case'>
  data?: Record<string, unknown>
}

/** Writes what is stored of the work on locked cases, with versions, events and audit entries. */
export async function writeHandling(
  tx: Db,
  updates: readonly HandlingUpdate[],
  origin: Origin,
): Promise<void> {
  if (updates.length === 0) return
  const rows = updates.map(({ row, after }) => ({
    id: row.caseGuid,
    owner_user_id: after.ownerGuid,
    owner_group_id: after.teamGuid,
    next_action: after.nextAction,
    next_action_date: after.nextActionDate,
    version: ++row.version,
    event_sequence: ++row.eventSequence,
  }))
  const changes = updates.map(({ row, before, after, action, data }) => ({
    type: `case.${action}` as const,
    entityId: row.caseGuid,
    subject: row.caseGuid,
    sequence: row.eventSequence,
    data: { caseGuid: row.caseGuid, ...data },
    changes: changesBetween(before, after),
  }))
  await runStatement(tx, updateText, rowParameters(storedTypes, rows), { prepare: true })
  await insertRecords(tx, toRecords(origin, changes))
}
