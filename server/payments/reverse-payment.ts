import type { ReversalInput } from '../../contract/cases/case-inputs.ts'
import { makeId } from '../platform/database/make-id.ts'
import { inTransaction, type Db } from '../platform/database/transaction.ts'
import { initialChanges } from '../platform/events/record.ts'
import type { Caller } from '../platform/http/caller.ts'
import { ApiError, invalid, notFound } from '../platform/http/errors.ts'
import { returnToSuspense } from './return-to-suspense.ts'
import { findPaidPlans, settlePlans } from '../plans/plan-payments.ts'
import { toBookedCase } from '../ledger/booked-case.ts'
import { bookMovements } from '../ledger/booking.ts'
import type { CaseChangeNote, CaseContext } from '../claims/case-lock.ts'
import { holdDateForFew, loadHistories } from '../ledger/ledger.store.ts'
import { insertMoney, emptyRows } from '../claims/money-rows.store.ts'
import * as store from './payments.store.ts'

/**
 * Reverses a payment on every case it was allocated to; the ledgers are then as if it had never been made.
 * Money from suspense returns there, unless the payment bounced.
 */
export async function reversePayment(
  db: Db,
  caller: Caller,
  { paymentGuid, input }: { paymentGuid: string; input: ReversalInput },
  context: CaseContext,
): Promise<void> {
  const reason = input.reason?.trim()
  const bounced = input.bounced === true
  if (!reason) throw invalid({ reason: ['is required: enter why the payment is reversed.'] })
  await inTransaction(db, async (tx) => {
    await holdDateForFew(tx)
    const payment = await store.findPayment(tx, paymentGuid)
    if (!payment) throw notFound('payment')
    const caseGuids = payment.movements.map(({ caseGuid }) => caseGuid)
    const locked = await store.lockCases(tx, caller, caseGuids, { ended: true })
    const held = locked.filter(({ caseGuid }) => caseGuids.includes(caseGuid))
    if (held.length < new Set(caseGuids).size) throw notFound('payment')
    const histories = await loadHistories(
      tx,
      held.map(({ caseGuid }) => caseGuid),
    )
    const date = histories[0]!.businessDate
    if (!(await store.updateReversed(tx, paymentGuid, { reason, date, bounced })))
      throw new ApiError('conflict', 'The payment is already reversed.')
    const rows = emptyRows()
    held.forEach((row, index) => {
      const { movementGuid } = payment.movements.find(({ caseGuid }) => caseGuid === row.caseGuid)!
      const note: CaseChangeNote = {
        type: 'payment.reversed',
        entityId: paymentGuid,
        data: { paymentGuid, bounced },
        changes: initialChanges({ reversedDate: date, reason, bounced }),
      }
      const movement = {
        id: makeId(),
        effect: { kind: 'reversal', of: movementGuid } as const,
        valueDate: payment.valueDate,
      }
      const found = toBookedCase(row, histories[index]!)
      rows.caseUpdates.push(bookMovements(rows, found, { movements: [movement], notes: [note] }).columns)
    })
    await insertMoney(tx, rows, context.origin)
    if (!bounced) await returnToSuspense(tx, paymentGuid, context.origin)
    await settlePlans(tx, await findPaidPlans(tx, payment.movements), context.origin)
  })
}
