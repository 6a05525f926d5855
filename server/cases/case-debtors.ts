/** Who has what part in a case, and what a case says of itself. */
import type { CaseDebtorInput, ChangeCaseInput } from '../../contract/cases/case-inputs.ts'
import { debtorRoles, services } from '../../core/cases/case-life.ts'
import { claimKinds, type ClaimKind } from '../../core/limitation/limitation.ts'
import { inTransaction, violatedUniqueness, type Db } from '../platform/database/transaction.ts'
import { changesBetween } from '../platform/events/record.ts'
import type { Caller } from '../platform/http/caller.ts'
import { ApiError, MemberChecks, notFound } from '../platform/http/errors.ts'
import { findBookedCase } from '../ledger/booked-case.ts'
import { readChoice } from '../claims/case-inputs.rules.ts'
import {
  lockCase,
  updateCase,
  type CaseChangeNote,
  type CaseContext,
  type CaseRow,
} from '../claims/case-lock.ts'
import { findPartyTo } from '../claims/case-parties.store.ts'
import type { CaseChange } from './case-status.ts'
import { limitationColumns } from '../claims/limitation.rules.ts'
import { searchKeysOfCase } from '../claims/search-keys.ts'

/** Adds a debtor to a case with a role. Returns the case's version. A debtor twice, or a second main debtor, is a 409. */
export async function addCaseDebtor(
  db: Db,
  caller: Caller,
  { caseGuid, input }: CaseChange<CaseDebtorInput>,
  context: CaseContext,
): Promise<number> {
  const checks = new MemberChecks()
  const debtorGuid = input.debtorGuid?.toLowerCase() ?? null
  const debtorRole = readChoice(input.debtorRole, 'debtorRole', debtorRoles, checks) ?? 'CO_DEBTOR'
  if (!debtorGuid) checks.add('debtorGuid', 'is required: the debtor.')
  checks.throwIfAny()
  return inTransaction(db, async (tx) => {
    const row = await lockCase(tx, caller, caseGuid, context)
    if (!(await findPartyTo(tx, caller, debtorGuid!))) {
      checks.add('debtorGuid', 'is not a debtor that you may see.')
      checks.throwIfAny()
    }
    try {
      await tx`
        insert into case_debtor (case_id, debtor_id, client_id, debtor_role, added_date)
        values (${caseGuid}, ${debtorGuid}, ${row.clientGuid}, ${debtorRole}, ${context.origin.businessDate})`
    } catch (error) {
      throw twice(violatedUniqueness(error)) ?? error
    }
    const data = { debtorGuid, debtorRole }
    const changes = changesBetween({}, data)
    const note: CaseChangeNote = { type: 'case.debtor_added', entityId: caseGuid, data, changes }
    return updateCase(tx, row, { notes: [note] }, context.origin)
  })
}

function twice(index: string | null): ApiError | null {
  if (index === 'case_debtor_pkey')
    return new ApiError('conflict', 'The debtor has a part in this case already.', {
      errors: { debtorGuid: ['has a part in this case already.'] },
    })
  if (index === 'case_debtor_main')
    return new ApiError('conflict', 'The case has a main debtor already.', {
      errors: { debtorRole: ['is that of another debtor of the case; choose CO_DEBTOR.'] },
    })
  return null
}

/** Takes a debtor off a case; the first one stays. Returns the case's version. */
export async function removeCaseDebtor(
  db: Db,
  caller: Caller,
  { caseGuid, debtorGuid }: { caseGuid: string; debtorGuid: string },
  context: CaseContext,
): Promise<number> {
  return inTransaction(db, async (tx) => {
    const row = await lockCase(tx, caller, caseGuid, context)
    if (row.mainDebtorGuid === debtorGuid)
      throw new ApiError(
        'conflict',
        'The case was registered on this debtor, who stays. Close the case instead.',
        {
          errors: { debtorGuid: ['is the debtor on whom the case was registered.'] },
        },
      )
    const [removed] = await tx<{ role: string }[]>`
      delete from case_debtor where case_id = ${caseGuid} and debtor_id = ${debtorGuid} returning debtor_role as role`
    if (!removed) throw notFound('debtor of this case')
    const note: CaseChangeNote = {
      type: 'case.debtor_removed',
      entityId: caseGuid,
      data: { debtorGuid },
      changes: { debtorGuid: [debtorGuid, null], debtorRole: [removed.role, null] },
    }
    return updateCase(tx, row, { notes: [note] }, context.origin)
  })
}

/** Changes what a case says of itself: null stays, the empty text clears. Returns the version. */
export async function changeCase(
  db: Db,
  caller: Caller,
  { caseGuid, input }: CaseChange<ChangeCaseInput>,
  context: CaseContext,
): Promise<number> {
  const checks = new MemberChecks()
  const service = readChoice(input.service, 'service', services, checks)
  const claimKind = readChoice(input.claimKind, 'claimKind', claimKinds, checks)
  if (input.service === '') checks.add('service', 'cannot be cleared.')
  checks.throwIfAny()
  return inTransaction(db, async (tx) => {
    const row = await lockCase(tx, caller, caseGuid, context)
    const { clientReferenceNumber, description } = row
    const before = { service: row.service, clientReferenceNumber, description, claimKind: row.claimKind }
    const after = {
      service: service ?? row.service,
      clientReferenceNumber: changed(input.clientReferenceNumber, clientReferenceNumber),
      description: changed(input.description, description),
      claimKind: claimKind ?? row.claimKind,
    } satisfies Record<keyof ChangeCaseInput, string | null>
    const changes = changesBetween(before, after)
    if (Object.keys(changes).length === 0) return row.version
    if ('clientReferenceNumber' in changes)
      await tx`
        update item set secondary_description = left(concat_ws(', ', p.name, ${after.clientReferenceNumber}::text), 200),
          search_keys = ${searchKeysOfCase({ ...row, clientReferenceNumber: after.clientReferenceNumber })}
        from party p where item.guid = ${caseGuid} and p.id = ${row.clientGuid}`
    const limited =
      after.claimKind === row.claimKind ? null : await columnsOfClaimKind(tx, row, after.claimKind)
    const date = limited?.limitation_date ?? null
    const moved = limited !== null && date !== row.limitationDate
    const told = { ...changes, ...(moved && { limitationDate: [row.limitationDate, date] as const }) }
    const columns = {
      ...limited,
      service: after.service,
      client_reference_number: after.clientReferenceNumber,
      description: after.description,
    }
    const data = { changed: Object.keys(changes) }
    return updateCase(
      tx,
      row,
      { columns, notes: [{ type: 'case.updated', entityId: caseGuid, data, changes: told }] },
      context.origin,
    )
  })
}

/** Another kind of claim has another date on which it becomes time-barred. */
async function columnsOfClaimKind(tx: Db, row: CaseRow, claim: ClaimKind) {
  const { limitation, input } = await findBookedCase(tx, row)
  return { claim_kind: claim, ...limitationColumns({ ...limitation, claim }, input) }
}

const changed = (given: string | null | undefined, before: string | null): string | null =>
  given === null || given === undefined ? before : given.trim() || null
