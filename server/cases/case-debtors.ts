/** Changes the debtors of a case and its descriptive fields. */
import type { CaseDebtorInput, ChangeCaseInput } from '../../contract/cases/case-inputs.ts'
import { debtorRoles, services } from '../../core/cases/case-lifecycle.ts'
import { claimKinds, type ClaimKind } from '../../core/limitation/limitation.ts'
import { inTransaction, violatedUniqueness, type Db } from '../platform/database/transaction.ts'
import { changesBetween } from '../platform/events/record.ts'
import type { Caller } from '../platform/http/caller.ts'
import { ApiError, FieldErrors, notFound } from '../platform/http/errors.ts'
import { findBookedCase } from '../ledger/booked-case.ts'
import { readChoice } from '../claims/case-inputs.rules.ts'
import {
  lockCase,
  updateCase,
  type CaseChangeNote,
  type CaseContext,
  type CaseRow,
} from '../claims/case-lock.ts'
import { isVisibleDebtor } from '../claims/case-parties.store.ts'
import type { CaseChange } from './case-status.ts'
import { limitationColumns } from '../claims/limitation.rules.ts'
import { caseSearchKeys } from '../claims/search-keys.ts'

/**
 * Adds a debtor to a case with a role. Returns the case's version. Throws a 409 for a debtor already on the
 * case and for a second main debtor.
 */
export async function addCaseDebtor(
  db: Db,
  caller: Caller,
  { caseGuid, input }: CaseChange<CaseDebtorInput>,
  context: CaseContext,
): Promise<number> {
  const checks = new FieldErrors()
  const debtorGuid = input.debtorGuid?.toLowerCase() ?? null
  const debtorRole = readChoice(input.debtorRole, 'debtorRole', debtorRoles, checks) ?? 'CO_DEBTOR'
  if (!debtorGuid) checks.add('debtorGuid', 'is required: choose a debtor.')
  checks.throwIfAny()
  return inTransaction(db, async (tx) => {
    const row = await lockCase(tx, caller, caseGuid, context)
    if (!(await isVisibleDebtor(tx, caller, debtorGuid!))) {
      checks.add('debtorGuid', 'is not a debtor that you may see. Check the debtor.')
      checks.throwIfAny()
    }
    try {
      await tx`
        insert into case_debtor (case_id, debtor_id, client_id, debtor_role, added_date)
        values (${caseGuid}, ${debtorGuid}, ${row.clientGuid}, ${debtorRole}, ${context.origin.businessDate})`
    } catch (error) {
      throw duplicateError(violatedUniqueness(error)) ?? error
    }
    const data = { debtorGuid, debtorRole }
    const changes = changesBetween({}, data)
    const note: CaseChangeNote = { type: 'case.debtor_added', entityId: caseGuid, data, changes }
    return updateCase(tx, row, { notes: [note] }, context.origin)
  })
}

function duplicateError(index: string | null): ApiError | null {
  if (index === 'case_debtor_pkey')
    return new ApiError('conflict', 'The debtor is already on this case.', {
      errors: { debtorGuid: ['is already on this case.'] },
    })
  if (index === 'case_debtor_main')
    return new ApiError('conflict', 'The case already has a main debtor. Choose the role CO_DEBTOR.', {
      errors: { debtorRole: ['belongs to another debtor of the case. Choose CO_DEBTOR.'] },
    })
  return null
}

/** Removes a debtor from a case, except the one it was registered for. Returns the case's version. */
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
        'The case was registered for this debtor, who cannot be removed. Close the case instead.',
        {
          errors: { debtorGuid: ['is the debtor for whom the case was registered.'] },
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

/**
 * Changes the descriptive fields of a case. Null keeps a field, empty text clears it. Returns the version.
 */
export async function changeCase(
  db: Db,
  caller: Caller,
  { caseGuid, input }: CaseChange<ChangeCaseInput>,
  context: CaseContext,
): Promise<number> {
  const checks = new FieldErrors()
  const service = readChoice(input.service, 'service', services, checks)
  const claimKind = readChoice(input.claimKind, 'claimKind', claimKinds, checks)
  if (input.service === '') checks.add('service', 'cannot be cleared. Choose a service.')
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
          search_keys = ${caseSearchKeys({ ...row, clientReferenceNumber: after.clientReferenceNumber })}
        from party p where item.guid = ${caseGuid} and p.id = ${row.clientGuid}`
    const limited =
      after.claimKind === row.claimKind ? null : await claimKindColumns(tx, row, after.claimKind)
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

/** The columns that change with the kind of claim, which decides the limitation date. */
async function claimKindColumns(tx: Db, row: CaseRow, claim: ClaimKind) {
  const { limitation, input } = await findBookedCase(tx, row)
  return { claim_kind: claim, ...limitationColumns({ ...limitation, claim }, input) }
}

const changed = (given: string | null | undefined, before: string | null): string | null =>
  given === null || given === undefined ? before : given.trim() || null
