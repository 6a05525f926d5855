/**
 * Manual status changes of a case: status, hold, closing and reopening. core/cases/case-lifecycle.ts has the
 * rules.
 */
import type { CaseStatusInput, CloseCaseInput } from '../../contract/cases/case-inputs.ts'
import type { EventAction } from '../../contract/platform/event-types.ts'
import * as life from '../../core/cases/case-lifecycle.ts'
import { inTransaction, type Db } from '../platform/database/transaction.ts'
import type { Caller, Origin } from '../platform/http/caller.ts'
import { changesBetween } from '../platform/events/record.ts'
import { ApiError, FieldErrors } from '../platform/http/errors.ts'
import { holdDateForFew } from '../ledger/ledger.store.ts'
import { insertMoney, emptyRows } from '../claims/money-rows.store.ts'
import { readChoice } from '../claims/case-inputs.rules.ts'
import { judge } from '../../core/law/permissions.ts'
import { findRemaining, unlawful, type FeeLaw } from '../ledger/lawful-fees.ts'
import { findLegalCases } from '../ledger/legal-cases.store.ts'
import { makeId } from '../platform/database/make-id.ts'
import { findBookingDate, bookMovements, deriveWith, isClosedByHand } from '../ledger/booking.ts'
import { findBookedCase } from '../ledger/booked-case.ts'
import {
  lifecycleColumns,
  noteLifecycle,
  readLifecycle,
  lockCase,
  updateCase,
  type CaseChangeNote,
  type CaseContext,
  type CaseRow,
} from '../claims/case-lock.ts'

export interface CaseChange<Input> {
  caseGuid: string
  input: Input
}

function requireChoice<T extends string>(
  given: string | null | undefined,
  member: string,
  values: readonly T[],
): T {
  const checks = new FieldErrors()
  const found = readChoice(given, member, values, checks)
  if (!given?.trim()) checks.add(member, `is required: choose one of ${values.join(', ')}.`)
  checks.throwIfAny()
  return found!
}

/**
 * Changes the status and sub-status of a case. Returns the version. Throws a 400, 404 or 412, or a 409 with
 * the allowed transitions.
 */
export function changeCaseStatus(
  db: Db,
  caller: Caller,
  { caseGuid, input }: CaseChange<CaseStatusInput>,
  context: CaseContext,
): Promise<number> {
  const subStatuses = life.caseStatusCodes.flatMap((code): string[] => [
    ...life.caseStatuses[code].subStatuses,
  ])
  const checks = new FieldErrors()
  const status = readChoice(input.status, 'status', life.caseStatusCodes, checks)
  const subStatus = readChoice(input.subStatus, 'subStatus', [...new Set(subStatuses)], checks)
  if (!input.status && !input.subStatus)
    checks.add('status', `is required: choose one of ${life.caseStatusCodes.join(', ')}.`)
  checks.throwIfAny()
  return inTransaction(db, async (tx) => {
    // The date is locked before the case.
    await holdDateForFew(tx)
    const overrideReason = input.overrideReason?.trim() || null
    const asked = { caseGuid, status, overrideReason }
    const law = status === null ? {} : await requireLawfulStatus(tx, caller, { ...asked, status }, context)
    return changeLifecycle(
      tx,
      caller,
      { caseGuid, action: 'status_changed', member: 'status', law },
      context,
      (before) => life.changeStatus(before, status ?? before.place.status, subStatus),
    )
  })
}

/**
 * Throws a 422 that names the rule when the law does not let the case reach a status yet. Returns the rule that an
 * administrator went beyond, with the reason.
 */
async function requireLawfulStatus(
  tx: Db,
  caller: Caller,
  {
    caseGuid,
    status,
    overrideReason,
  }: { caseGuid: string; status: life.CaseStatus; overrideReason: string | null },
  context: CaseContext,
): Promise<Pick<FeeLaw, 'rule' | 'overrideReason'>> {
  const row = await lockCase(tx, caller, caseGuid, context)
  // What the life cycle does not allow is refused by it, with what it allows.
  const isWrong = !life.changeStatus(readLifecycle(row), status, null).ok
  if (isWrong || row.placeStatus === status) return {}
  const date = context.origin.businessDate
  const one = (await findLegalCases(tx, [caseGuid], date)).get(caseGuid)!
  const asked = { action: `status:${status}`, date }
  const verdict = judge(one, asked, [])
  if (verdict.allowed) return {}
  const judgeOthers = () => judge(one, { ...asked, overrides: true }, [])
  const left = findRemaining(verdict, { caller, overrideReason, judgeOthers })
  if (left !== null) throw unlawful(left, caller, { currency: row.currencyCode, member: 'status' })
  return { rule: verdict.rule!.code, overrideReason: overrideReason! }
}

/**
 * Closes an open case with a closure code. Throws a 409 when the code contradicts the balance, and a 422
 * under an active plan.
 */
export function closeCase(
  db: Db,
  caller: Caller,
  { caseGuid, input }: CaseChange<CloseCaseInput>,
  context: CaseContext,
): Promise<number> {
  const code = requireChoice(input.closureCode, 'closureCode', life.closureCodeList)
  return changeLifecycle(
    db,
    caller,
    { caseGuid, action: 'closed', member: 'closureCode' },
    context,
    (before, balance) => {
      if (before.beforePlan && before.closureCode === null) throw planError()
      return life.closeCase(before, code, balance)
    },
  )
}

const planError = () => {
  const message = 'The case is part of an active payment plan. Cancel the plan first.'
  return new ApiError('unprocessable', message, { errors: { closureCode: [message] } })
}

export function reopenCase(
  db: Db,
  caller: Caller,
  { caseGuid }: { caseGuid: string },
  context: CaseContext,
): Promise<number> {
  return changeLifecycle(
    db,
    caller,
    { caseGuid, action: 'reopened', member: 'status' },
    context,
    life.reopenCase,
  )
}

export const readBalance = (row: CaseRow): life.Balance => ({
  remaining: BigInt(row.remainingMinor),
  tolerance: BigInt(row.toleranceMinor),
})

async function changeLifecycle(
  db: Db,
  caller: Caller,
  {
    caseGuid,
    action,
    member,
    law = {},
  }: { caseGuid: string; action: EventAction<'case'>; member: string; law?: FeeLaw },
  context: CaseContext,
  change: (before: life.CaseLifecycle, balance: life.Balance) => life.LifecycleResult,
): Promise<number> {
  return inTransaction(db, async (tx) => {
    await holdDateForFew(tx)
    const row = await lockCase(tx, caller, caseGuid, context)
    const before = readLifecycle(row)
    const result = change(before, readBalance(row))
    if (!result.ok) throw transitionError(member, result)
    const after = result.life
    if (JSON.stringify(after) === JSON.stringify(before)) return row.version
    const noted = noteLifecycle(caseGuid, before, after, action)
    const notes = [{ ...noted, changes: { ...noted.changes, ...changesBetween({}, law) } }]
    if ((before.closureCode === null) !== (after.closureCode === null))
      return bookClosing(tx, row, { life: after, notes }, context.origin)
    return updateCase(tx, row, { columns: lifecycleColumns(after, row.closureDate), notes }, context.origin)
  })
}

export const transitionError = (member: string, result: { message: string; allowedTransitions: string[] }) =>
  new ApiError('conflict', result.message, {
    errors: { [member]: [result.message] },
    members: { allowedTransitions: result.allowedTransitions },
  })

/**
 * Books the closing or reopening. Interest stands still while a case is closed manually: with a remaining
 * balance, or with a code that stays when a payment is reversed.
 */
async function bookClosing(
  tx: Db,
  row: CaseRow,
  request: { life: life.CaseLifecycle; notes: CaseChangeNote[] },
  origin: Origin,
): Promise<number> {
  const found = await findBookedCase(tx, row)
  const closes = request.life.closureCode !== null
  const staysClosed = closes && life.closureCodes[request.life.closureCode!].balance === 'any'
  const covered = !staysClosed && deriveWith(found, []).ledger.coveredOn !== null
  const kind = closes ? 'close' : 'reopen'
  const books = closes ? !covered : isClosedByHand(found.input)
  const movements = books
    ? [{ id: makeId(), effect: { kind } as const, valueDate: findBookingDate(found) }]
    : []
  const rows = emptyRows()
  const { columns } = bookMovements(rows, found, { ...request, movements })
  rows.caseUpdates.push(columns)
  await insertMoney(tx, rows, origin)
  return columns.version
}
