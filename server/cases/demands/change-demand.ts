/** A person takes a case out of its demand group, or puts it into one, with a reason. */
import type { CaseDemandInput } from '../../../contract/cases/case-inputs.ts'
import { lockCase, lockCases, updateCase, type CaseContext } from '../../claims/case-lock.ts'
import { holdDate } from '../../ledger/ledger.store.ts'
import { inTransaction, type Db } from '../../platform/database/transaction.ts'
import { changesBetween } from '../../platform/events/record.ts'
import type { Caller } from '../../platform/http/caller.ts'
import { ApiError, FieldErrors } from '../../platform/http/errors.ts'
import type { CaseChange } from '../case-status.ts'
import * as store from './demand-groups.store.ts'

/**
 * Takes a case out (`demandedAlone`), lets it be demanded with others again, or puts it into the group of another
 * case (`demandedWith`). Returns the version. Throws a 400, 404, 412 or 422.
 */
export async function changeDemand(
  db: Db,
  caller: Caller,
  { caseGuid, input }: CaseChange<CaseDemandInput>,
  context: CaseContext,
): Promise<number> {
  const otherGuid = input.demandedWith?.toLowerCase() || null
  const reason = input.demandReason?.trim() || null
  const date = context.origin.businessDate
  return inTransaction(db, async (tx) => {
    if (otherGuid !== null) {
      await holdDate(tx)
      await lockCases(tx, caller, [caseGuid, otherGuid])
    }
    const row = await lockCase(tx, caller, caseGuid, context)
    await requireSense(tx, input, { caseGuid, reason, otherGuid })
    const demand = await store.findDemand(tx, caseGuid)
    const groupGuid = await store.findCurrentGroup(tx, caseGuid)
    const before = { demandedAlone: demand.demandedAlone, demandGroupGuid: groupGuid }
    const after = {
      ...before,
      demandedAlone: otherGuid === null && (input.demandedAlone ?? before.demandedAlone),
    }
    if (after.demandedAlone) after.demandGroupGuid = null
    if (otherGuid !== null) after.demandGroupGuid = await requireGroup(tx, otherGuid)
    const changes = changesBetween(before, after)
    if (Object.keys(changes).length === 0) return row.version
    if ('demandGroupGuid' in changes) {
      await store.leaveGroup(tx, caseGuid, date)
      if (after.demandGroupGuid !== null)
        await store.joinGroup(tx, { caseGuid, groupGuid: after.demandGroupGuid, date })
    }
    const note = {
      type: 'case.demand_changed' as const,
      entityId: caseGuid,
      data: { demandGroupGuid: after.demandGroupGuid },
      changes: { ...changes, demandReason: [null, reason] as [null, string | null] },
    }
    return updateCase(
      tx,
      row,
      { columns: { demanded_alone: after.demandedAlone }, notes: [note] },
      context.origin,
    )
  })
}

/** Throws a 400 for input without a reason or without a change, and for a case that cannot be in the group. */
async function requireSense(
  tx: Db,
  input: CaseDemandInput,
  { caseGuid, reason, otherGuid }: { caseGuid: string; reason: string | null; otherGuid: string | null },
): Promise<void> {
  const checks = new FieldErrors()
  if (reason === null) checks.add('demandReason', 'is required: say why. It is kept in the audit trail.')
  if (otherGuid !== null && input.demandedAlone === true)
    checks.add('demandedWith', 'goes without demandedAlone: a case is demanded by itself or with others.')
  if (otherGuid !== null && !(await store.mayBeTogether(tx, caseGuid, otherGuid)))
    checks.add(
      'demandedWith',
      'must be another open case of the same creditor and debtors, in the same currency and under the same law.',
    )
  if (otherGuid === null && typeof input.demandedAlone !== 'boolean')
    checks.add('demandedAlone', 'is required, or demandedWith.')
  checks.throwIfAny()
}

/** The group of the other case. Throws a 422 when it has none. */
async function requireGroup(tx: Db, otherGuid: string): Promise<string> {
  const groupGuid = await store.findCurrentGroup(tx, otherGuid)
  if (groupGuid !== null) return groupGuid
  const message =
    'must be a case that was demanded with others. Cases are put together with their next demand.'
  throw new ApiError('unprocessable', `demandedWith ${message}`, { errors: { demandedWith: [message] } })
}
