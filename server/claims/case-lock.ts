/** Locks a case while it changes. Writes its version, events and audit entries in one round trip. */
import type { EventAction } from '../../contract/platform/event-types.ts'
import type { AllocationOrderCode } from '../../core/ledger/allocation.ts'
import type {
  CaseLifecycle,
  ClosureCode,
  Hold,
  OpenStatus,
  SubStatus,
} from '../../core/cases/case-lifecycle.ts'
import { rowParameters, updateFrom } from '../platform/database/row-text.ts'
import { runStatement, rowHelper } from '../platform/database/statement.ts'
import { shownStatus } from '../../core/cases/case-lifecycle.ts'
import type { ClaimKind } from '../../core/limitation/limitation.ts'
import type { Db } from '../platform/database/transaction.ts'
import { insertRecords, toRecords, type Change } from '../platform/events/record.ts'
import type { Caller, Origin } from '../platform/http/caller.ts'
import { notFound } from '../platform/http/errors.ts'
import { requireMatch, type IfMatch } from '../platform/http/version.ts'
import { visibleCases } from './cases.scope.ts'
import { lifecycleTypes } from './money-rows.store.ts'
import { owed } from './remaining-amounts.ts'

/** The origin of a change, and the version of the case that the caller has read. */
export interface CaseContext {
  origin: Origin
  ifMatch?: IfMatch
  /** The identifier of the record in the import's source system. */
  sourceReference?: string
}

export interface CaseRow {
  caseGuid: string
  caseNumber: string
  clientGuid: string
  mainDebtorGuid: string
  currencyCode: string
  service: string
  placeStatus: OpenStatus
  placeSubStatus: SubStatus
  hold: Hold | null
  beforePlanStatus: OpenStatus | null
  beforePlanSubStatus: SubStatus | null
  closureCode: ClosureCode | null
  closureDate: string | null
  registrationDate: string
  clientReferenceNumber: string | null
  paymentReferenceNumber: string
  description: string | null
  allocationOrder: AllocationOrderCode
  toleranceMinor: number
  limitationDate: string | null
  claimKind: ClaimKind
  /** All components, including interest accrued up to the business date. Minor units. */
  remainingMinor: number
  movementCount: number
  transactionCount: number
  version: number
  eventSequence: number
}

export const caseRowSelect = `c.id as "caseGuid", c.case_number as "caseNumber", c.client_id as "clientGuid",
  c.main_debtor_id as "mainDebtorGuid", c.currency_code as "currencyCode", c.service, c.place_status as "placeStatus",
  c.place_sub_status as "placeSubStatus", c.hold, c.before_plan_status as "beforePlanStatus",
  c.before_plan_sub_status as "beforePlanSubStatus", c.closure_code as "closureCode", c.closure_date as "closureDate",
  c.registration_date as "registrationDate", c.client_reference_number as "clientReferenceNumber",
  c.payment_reference_number as "paymentReferenceNumber", c.description, c.allocation_order as "allocationOrder",
  c.tolerance_minor as "toleranceMinor", c.limitation_date as "limitationDate", c.claim_kind as "claimKind",
  ${owed}::float8 as "remainingMinor",
  c.movement_count as "movementCount", c.transaction_count as "transactionCount", c.version,
  c.event_sequence as "eventSequence"`

/**
 * Locks a case until the transaction ends. Throws a 404, or a 412 when the case changed since the caller read
 * it.
 */
export async function lockCase(
  tx: Db,
  caller: Caller,
  caseGuid: string,
  { ifMatch }: CaseContext,
): Promise<CaseRow> {
  const scope = visibleCases(caller).at(2)
  const [row] = await runStatement<CaseRow>(
    tx,
    `select ${caseRowSelect} from debt_case c where c.id = $1 and ${scope.text} for no key update`,
    [caseGuid, ...scope.parameters],
    { prepare: true },
  )
  if (!row) throw notFound('case')
  requireMatch(ifMatch, row.version)
  return row
}

/** Locks cases in the order of their guids. Leaves out cases that the caller may not see. */
export async function lockCases(tx: Db, caller: Caller, caseGuids: readonly string[]): Promise<CaseRow[]> {
  const scope = visibleCases(caller).at(2)
  return runStatement<CaseRow>(
    tx,
    `select ${caseRowSelect} from debt_case c where c.id = any($1::uuid[]) and ${scope.text} order by c.id for no key update`,
    [[...caseGuids], ...scope.parameters],
    { prepare: true },
  )
}

export function readLifecycle(row: CaseRow): CaseLifecycle {
  return {
    place: { status: row.placeStatus, subStatus: row.placeSubStatus },
    hold: row.hold,
    beforePlan:
      row.beforePlanStatus === null
        ? null
        : { status: row.beforePlanStatus, subStatus: row.beforePlanSubStatus! },
    closureCode: row.closureCode,
  }
}

/** A lifecycle as columns. `closureDate` is used only when the lifecycle is closed. */
export function lifecycleColumns(life: CaseLifecycle, closureDate: string | null) {
  const shown = shownStatus(life)
  return {
    status: shown.status,
    sub_status: shown.subStatus,
    place_status: life.place.status,
    place_sub_status: life.place.subStatus,
    hold: life.hold,
    before_plan_status: life.beforePlan?.status ?? null,
    before_plan_sub_status: life.beforePlan?.subStatus ?? null,
    closure_code: life.closureCode,
    closure_date: life.closureCode === null ? null : closureDate,
  }
}

/** A change of a case, or of a record that belongs to it, before it gets its event sequence number. */
export type CaseChangeNote = Omit<Change, 'sequence' | 'subject' | 'data'> & {
  data?: Record<string, unknown>
}

/**
 * Writes columns of a locked case, its version, and the events and audit entries of its changes. Returns the
 * version.
 */
export async function updateCase(
  tx: Db,
  row: CaseRow,
  { columns = {}, notes }: { columns?: Record<string, unknown>; notes: readonly CaseChangeNote[] },
  origin: Origin,
): Promise<number> {
  const numbered = notes.map((note, index) => ({
    ...note,
    data: { caseGuid: row.caseGuid, ...note.data },
    subject: row.caseGuid,
    sequence: row.eventSequence + index + 1,
  }))
  row.eventSequence += notes.length
  row.version += 1
  const values = { ...columns, version: row.version, event_sequence: row.eventSequence }
  await Promise.all([
    tx`update debt_case set ${rowHelper(tx, values)} where id = ${row.caseGuid}`,
    insertRecords(tx, toRecords(origin, numbered)),
  ])
  return row.version
}

/** The new lifecycle of a locked case, and the changes to record for it. */
export interface LifecycleUpdate {
  row: CaseRow
  life: CaseLifecycle
  notes: readonly CaseChangeNote[]
}

const updatedTypes = { id: 'uuid', ...lifecycleTypes, version: 'int', event_sequence: 'bigint' }
const updateLifecyclesText = updateFrom('debt_case', updatedTypes, 1)

/**
 * Writes the lifecycles of many locked cases, with versions, events and audit entries.
 * No update may open or close a case: the closure date stays as it is.
 */
export async function updateLifecycles(
  tx: Db,
  updates: readonly LifecycleUpdate[],
  origin: Origin,
): Promise<void> {
  if (updates.length === 0) return
  const rows = updates.map(({ row, life, notes }) => ({
    id: row.caseGuid,
    ...lifecycleColumns(life, row.closureDate),
    version: row.version + 1,
    event_sequence: row.eventSequence + notes.length,
  }))
  const changes = updates.flatMap(({ row, notes }) =>
    notes.map((note, index) => ({
      ...note,
      data: { caseGuid: row.caseGuid, ...note.data },
      subject: row.caseGuid,
      sequence: row.eventSequence + index + 1,
    })),
  )
  await Promise.all([
    runStatement(tx, updateLifecyclesText, rowParameters(updatedTypes, rows), { prepare: true }),
    insertRecords(tx, toRecords(origin, changes)),
  ])
}

/** The event and audit entry of a lifecycle change. */
export function noteLifecycle(
  caseGuid: string,
  before: CaseLifecycle,
  after: CaseLifecycle,
  action: EventAction<'case'>,
): CaseChangeNote {
  const [old, now] = [shownStatus(before), shownStatus(after)]
  const changes: CaseChangeNote['changes'] = {}
  if (old.status !== now.status) changes['status'] = [old.status, now.status]
  if (old.subStatus !== now.subStatus) changes['subStatus'] = [old.subStatus, now.subStatus]
  if (before.hold !== after.hold) changes['hold'] = [before.hold, after.hold]
  if (before.closureCode !== after.closureCode)
    changes['closureCode'] = [before.closureCode, after.closureCode]
  return {
    type: `case.${action}`,
    entityId: caseGuid,
    data: { status: now.status, subStatus: now.subStatus, closureCode: after.closureCode },
    changes,
  }
}
