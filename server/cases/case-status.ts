/** The life of a case, changed by hand: status, hold, closing and reopening (core/case-life.ts holds the rules). */
import type { CaseStatusInput, CloseCaseInput, HoldCaseInput } from '../../contract/case-inputs.ts'
import * as life from '../../core/case-life.ts'
import { inTransaction, type Db } from '../database/transaction.ts'
import type { Caller } from '../http/caller.ts'
import { ApiError, MemberChecks } from '../http/errors.ts'
import { readChoice } from './case-inputs.rules.ts'
import {
  columnsOfLife,
  lifeOf,
  lockCase,
  updateCase,
  type CaseChangeNote,
  type CaseContext,
  type CaseRow,
} from './case-lock.ts'

export interface CaseChange<Input> {
  caseGuid: string
  input: Input
}

function requireChoice<T extends string>(
  given: string | null | undefined,
  member: string,
  values: readonly T[],
): T {
  const checks = new MemberChecks()
  const found = readChoice(given, member, values, checks)
  if (!given?.trim()) checks.add(member, `is required: one of ${values.join(', ')}.`)
  checks.throwIfAny()
  return found!
}

/** Gives a case a status and sub-status. Returns the version. Throws a 400, 404, 412, or a 409 with the transitions. */
export function changeCaseStatus(
  db: Db,
  caller: Caller,
  { caseGuid, input }: CaseChange<CaseStatusInput>,
  context: CaseContext,
): Promise<number> {
  const subStatuses = life.caseStatusCodes.flatMap((code): string[] => [
    ...life.caseStatuses[code].subStatuses,
  ])
  const checks = new MemberChecks()
  const status = readChoice(input.status, 'status', life.caseStatusCodes, checks)
  const subStatus = readChoice(input.subStatus, 'subStatus', [...new Set(subStatuses)], checks)
  if (!input.status && !input.subStatus)
    checks.add('status', `is required: one of ${life.caseStatusCodes.join(', ')}.`)
  checks.throwIfAny()
  return changeLife(db, caller, caseGuid, context, 'status_changed', 'status', (before) =>
    life.changeStatus(before, status ?? before.place.status, subStatus),
  )
}

/** Puts an open case on hold, or changes the hold's reason. */
export function holdCase(
  db: Db,
  caller: Caller,
  { caseGuid, input }: CaseChange<HoldCaseInput>,
  context: CaseContext,
): Promise<number> {
  const reason = requireChoice(input.reason, 'reason', life.holds)
  return changeLife(db, caller, caseGuid, context, 'held', 'reason', (before) =>
    life.holdCase(before, reason),
  )
}

export function resumeCase(
  db: Db,
  caller: Caller,
  { caseGuid }: { caseGuid: string },
  context: CaseContext,
): Promise<number> {
  return changeLife(db, caller, caseGuid, context, 'resumed', 'status', life.resumeCase)
}

/** Closes an open case with a code that agrees with what remains; 409 when the code contradicts the balance. */
export function closeCase(
  db: Db,
  caller: Caller,
  { caseGuid, input }: CaseChange<CloseCaseInput>,
  context: CaseContext,
): Promise<number> {
  const code = requireChoice(input.closureCode, 'closureCode', life.closureCodeList)
  return changeLife(db, caller, caseGuid, context, 'closed', 'closureCode', (before, row) =>
    life.closeCase(before, code, balanceOf(row)),
  )
}

export function reopenCase(
  db: Db,
  caller: Caller,
  { caseGuid }: { caseGuid: string },
  context: CaseContext,
): Promise<number> {
  return changeLife(db, caller, caseGuid, context, 'reopened', 'status', life.reopenCase)
}

export const balanceOf = (row: CaseRow): life.Balance => ({
  remaining: BigInt(row.remainingMinor),
  tolerance: BigInt(row.toleranceMinor),
})

async function changeLife(
  db: Db,
  caller: Caller,
  caseGuid: string,
  context: CaseContext,
  action: string,
  member: string,
  change: (before: life.CaseLife, row: CaseRow) => life.LifeResult,
): Promise<number> {
  return inTransaction(db, async (tx) => {
    const row = await lockCase(tx, caller, caseGuid, context)
    const before = lifeOf(row)
    const result = change(before, row)
    if (!result.ok) {
      throw new ApiError('conflict', result.message, {
        errors: { [member]: [result.message] },
        members: { allowedTransitions: result.allowedTransitions },
      })
    }
    if (JSON.stringify(result.life) === JSON.stringify(before)) return row.version
    const { columns, note } = noteOfLife(row, before, result.life, action, context.origin.businessDate)
    return updateCase(tx, row, { columns, notes: [note] }, context.origin)
  })
}

/** What a change of life writes: columns, and the note for events and audit. */
export function noteOfLife(
  row: CaseRow,
  before: life.CaseLife,
  after: life.CaseLife,
  action: string,
  today: string,
): { columns: Record<string, string | null>; note: CaseChangeNote } {
  const [old, now] = [life.shownStatusOf(before), life.shownStatusOf(after)]
  const changes: CaseChangeNote['changes'] = {}
  if (old.status !== now.status) changes['status'] = [old.status, now.status]
  if (old.subStatus !== now.subStatus) changes['subStatus'] = [old.subStatus, now.subStatus]
  if (before.hold !== after.hold) changes['hold'] = [before.hold, after.hold]
  if (before.closureCode !== after.closureCode)
    changes['closureCode'] = [before.closureCode, after.closureCode]
  return {
    columns: columnsOfLife(after, row.closureDate ?? today),
    note: {
      type: `case.${action}`,
      entityId: row.caseGuid,
      data: { status: now.status, subStatus: now.subStatus, closureCode: after.closureCode },
      changes,
    },
  }
}
