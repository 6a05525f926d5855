/**
 * No law allows a fee for a letter that did not leave (docs/domain/fees.md). The fee of a letter is reversed while the letter
 * is held without an end. Before the letter leaves after all, the fee is checked against the law again.
 */
import type { HeldReason } from '../../../core/law/contact.ts'
import { requireLawfulFee } from '../../ledger/lawful-fees.ts'
import { lockCase } from '../../claims/case-lock.ts'
import { emptyRows, insertMoney } from '../../claims/money-rows.store.ts'
import { makeNote, newMovement, refuseRangeErrors } from '../../ledger/book-on-case.ts'
import { findBookedCase } from '../../ledger/booked-case.ts'
import { bookMovements, deriveWith, type BookedCase, type NewMovement } from '../../ledger/booking.ts'
import { holdDateForFew } from '../../ledger/ledger.store.ts'
import { prepareFee } from '../../cases/movements.ts'
import { inSavepoint, type Db } from '../../platform/database/transaction.ts'
import { agencyItself, type Origin } from '../../platform/http/caller.ts'
import { ApiError } from '../../platform/http/errors.ts'
import { listLetterFees, replaceLetterFee, type BookedFee } from './letter-fees.store.ts'

export const outboxOrigin = (businessDate: string): Origin => ({
  actorId: null,
  requestId: null,
  operation: 'send-messages',
  businessDate,
})

/** Reverses what the letter charged and is not reversed. */
export async function reverseLetterFees(
  tx: Db,
  { documentGuid, reason }: { documentGuid: string; reason: HeldReason | 'withdrawn' },
  origin: Origin,
): Promise<void> {
  const charged = (await listLetterFees(tx, documentGuid)).filter(({ isReversed }) => !isReversed)
  for (const [caseGuid, fees] of Map.groupBy(charged, (fee) => fee.caseGuid)) {
    await holdDateForFew(tx)
    const row = await lockCase(tx, agencyItself, caseGuid, { origin })
    const found = await findBookedCase(tx, row)
    const movements = fees.map((fee) =>
      newMovement({ kind: 'reversal', of: fee.movementGuid }, fee.valueDate, {
        feeType: fee.details.feeType,
        letterHeld: reason,
        documentGuid,
      }),
    )
    if (isSettledOtherwise(found, movements)) continue
    const notes = fees.map((fee) => noteReversal(fee, { documentGuid, reason }))
    const rows = emptyRows()
    rows.caseUpdates.push(refuseRangeErrors(() => bookMovements(rows, found, { movements, notes })).columns)
    await insertMoney(tx, rows, origin)
  }
}

/** A fee that was written off or credited is owed by nobody. Without it a later movement would have too little to apply to. */
function isSettledOtherwise(found: BookedCase, movements: readonly NewMovement[]): boolean {
  const sum = (added: readonly NewMovement[]) =>
    deriveWith(found, added).whole.unapplied.reduce((all, { amount }) => all + amount, 0n)
  return sum(movements) > sum([])
}

const noteReversal = (
  { caseGuid, amount, details }: BookedFee,
  { documentGuid, reason }: { documentGuid: string; reason: string },
) =>
  makeNote(
    'case.fee_reversed',
    caseGuid,
    { feeType: details.feeType, minorAmount: Number(amount), letterHeld: reason },
    { documentGuid, ...(reason !== 'withdrawn' && { heldReason: reason }) },
  )

/**
 * Charges anew what was reversed while the letter was held. False when the law does not allow the same fee now: the letter
 * then demands too much.
 */
export async function restoreLetterFees(tx: Db, documentGuid: string, origin: Origin): Promise<boolean> {
  const reversed = (await listLetterFees(tx, documentGuid)).filter(({ isReversed }) => isReversed)
  if (reversed.length === 0) return true
  await holdDateForFew(tx)
  try {
    await inSavepoint(tx, async () => {
      for (const fee of reversed) await chargeAnew(tx, fee, origin)
    })
    return true
  } catch (error) {
    if (error instanceof ApiError && error.kind === 'unprocessable') return false
    throw error
  }
}

async function chargeAnew(tx: Db, fee: BookedFee, origin: Origin): Promise<void> {
  const row = await lockCase(tx, agencyItself, fee.caseGuid, { origin })
  if (row.closureCode !== null)
    throw new ApiError('unprocessable', 'The case is closed. A closed case is charged no fee.')
  const { feeType, demandGroup, jointPrincipal } = fee.details
  const asked = { feeType, amount: BigInt(fee.amount), valueDate: origin.businessDate }
  const { rule } = await requireLawfulFee(tx, agencyItself, row, {
    ...asked,
    isOwn: true,
    overrideReason: null,
  })
  const { movement, note } = prepareFee(fee.caseGuid, asked, {
    ...(rule !== undefined && { rule }),
    ...(demandGroup !== undefined && { demandGroup }),
    ...(jointPrincipal !== undefined && { jointPrincipal }),
  })
  const rows = emptyRows()
  const found = await findBookedCase(tx, row)
  const request = { movements: [movement], notes: [note] }
  rows.caseUpdates.push(refuseRangeErrors(() => bookMovements(rows, found, request)).columns)
  await insertMoney(tx, rows, origin)
  await replaceLetterFee(tx, { before: fee.movementGuid, after: movement.id })
}
