/** Changes the terms of a case: interest, allocation order and tolerance. */
import { latest, addDays } from '../../core/calendar/calendar.ts'
import { onCase, requireSecondPerson } from '../access/approvals/second-person.ts'
import type { TermsInput } from '../../contract/cases/case-inputs.ts'
import { allocationOrderCodes } from '../../core/ledger/allocation.ts'
import { fromMinor } from '../../core/money/money.ts'
import { inTransaction, type Db } from '../platform/database/transaction.ts'
import { changesBetween } from '../platform/events/record.ts'
import type { Caller } from '../platform/http/caller.ts'
import { FieldErrors } from '../platform/http/errors.ts'
import { bookOnCase, newMovement, makeNote, requireNotBefore } from '../ledger/book-on-case.ts'
import {
  checkRatesKnown,
  readChoice,
  readMoney,
  readTerms,
  readValueDate,
} from '../claims/case-inputs.rules.ts'
import { lockCase, updateCase, type CaseChangeNote, type CaseContext } from '../claims/case-lock.ts'
import type { CaseChange } from './case-status.ts'
import { holdDateForFew } from '../ledger/ledger.store.ts'
import { findLoweredDebt } from '../ledger/lowered-debt.ts'

/**
 * Changes a case's terms. New interest terms apply from the value date on, which may be in the past. The day of the
 * registration keeps the terms that the case was registered with. The
 * allocation order and the tolerance apply to later bookings. Interest that is taken back and a higher tolerance may need
 * a second person.
 */
export async function changeTerms(
  db: Db,
  caller: Caller,
  { caseGuid, input }: CaseChange<TermsInput>,
  context: CaseContext,
): Promise<void> {
  const checks = new FieldErrors(caller.language)
  const terms = readTerms(input, checks)
  const order = readChoice(input.allocationOrder, 'allocationOrder', allocationOrderCodes, checks)
  if (terms === null && order === null && typeof input.tolerance !== 'number')
    checks.add('interestRate', 'is required, or another of interestSeries, allocationOrder and tolerance.')
  checks.throwIfAny()
  await inTransaction(db, async (tx) => {
    await holdDateForFew(tx)
    const seen = await changeAllocation(tx, caller, { caseGuid, input }, context)
    if (terms === null) return
    await bookOnCase(tx, caller, { caseGuid }, seen, async (own, { row, found }) => {
      const firstDay = readValueDate(input.valueDate, found.businessDate, checks)
      checkRatesKnown(terms, firstDay, found.input.rates, 'interestSeries', checks)
      checks.throwIfAny()
      requireNotBefore(row, firstDay, caller)
      const movement = newMovement({ kind: 'terms', terms, claim: null }, findDayBefore(firstDay, row))
      // What today bears is not taken back: terms of today are not dated back.
      const lowered = firstDay < found.businessDate ? findLoweredDebt(found, [movement]) : 0n
      if (lowered > 0n)
        await requireSecondPerson(own, caller, context.origin, {
          ...onCase('BACKDATED_TERMS', row, lowered),
          grows: {},
        })
      return {
        movement,
        note: makeNote('case.terms_changed', caseGuid, { interestTerms: terms, valueDate: firstDay }),
      }
    })
  })
}

/** The books count new terms after a value date, which is not before the registration. */
const findDayBefore = (firstDay: string, { registrationDate }: { registrationDate: string }): string =>
  latest(addDays(firstDay, -1), registrationDate)

/** Changes the allocation order and tolerance. Returns the context for the rest of the transaction. */
async function changeAllocation(
  tx: Db,
  caller: Caller,
  { caseGuid, input }: CaseChange<TermsInput>,
  context: CaseContext,
): Promise<CaseContext> {
  if (!input.allocationOrder && typeof input.tolerance !== 'number') return context
  const row = await lockCase(tx, caller, caseGuid, context)
  const checks = new FieldErrors(caller.language)
  const order = readChoice(input.allocationOrder, 'allocationOrder', allocationOrderCodes, checks)
  const expected = { currency: row.currencyCode, least: 'zero', required: false } as const
  const tolerance = readMoney(input.tolerance, 'tolerance', expected, checks)
  checks.throwIfAny()
  const before = { allocationOrder: row.allocationOrder, toleranceMinor: row.toleranceMinor }
  const after = {
    allocationOrder: order ?? row.allocationOrder,
    toleranceMinor: tolerance === null ? row.toleranceMinor : Number(tolerance),
  }
  const changes = changesBetween(before, after)
  if (Object.keys(changes).length === 0) return { origin: context.origin }
  const columns = { allocation_order: after.allocationOrder, tolerance_minor: after.toleranceMinor }
  const raised = BigInt(after.toleranceMinor - before.toleranceMinor)
  if (raised > 0n) await requireSecondPerson(tx, caller, context.origin, onCase('TOLERANCE', row, raised))
  const data = { tolerance: fromMinor(BigInt(after.toleranceMinor), row.currencyCode) }
  const note: CaseChangeNote = { type: 'case.terms_changed', entityId: caseGuid, data, changes }
  await updateCase(tx, row, { columns, notes: [note] }, context.origin)
  return { origin: context.origin }
}
