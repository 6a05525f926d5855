/** Credits a claim that an objection was right about: credit notes on the invoices, then a write-off of the rest. */
import { components } from '../../../core/ledger/allocation.ts'
import { onCase, requireSecondPerson } from '../../access/approvals/second-person.ts'
import { emptyRows, insertMoney } from '../../claims/money-rows.store.ts'
import type { CaseChangeNote, CaseRow } from '../../claims/case-lock.ts'
import { makeNote, newMovement, refuseRangeErrors } from '../../ledger/book-on-case.ts'
import { findBookedCase } from '../../ledger/booked-case.ts'
import { bookMovements, deriveWith, findBookingDate, type NewMovement } from '../../ledger/booking.ts'
import type { Db } from '../../platform/database/transaction.ts'
import type { Caller, Origin } from '../../platform/http/caller.ts'
import { findReader } from '../../platform/dictionary/reader.ts'
import { ApiError } from '../../platform/http/errors.ts'

/**
 * Credits an amount in minor units, or everything (null). Call `holdDate` before the case is locked. Returns what was
 * credited and the version of the case.
 * Throws a 409 for a closed case, a 422 when less than the amount remains, and `ApprovalNeeded`.
 */
export async function bookCredit(
  tx: Db,
  caller: Pick<Caller, 'role' | 'language'>,
  { row, amount }: { row: CaseRow; amount: bigint | null },
  origin: Origin,
): Promise<{ minor: bigint; version: number }> {
  if (row.closureCode !== null) throw new ApiError('conflict', 'The case is closed. Reopen it first.')
  const found = await findBookedCase(tx, row)
  const valueDate = findBookingDate(found)
  const movements: NewMovement[] = []
  const notes: CaseChangeNote[] = []
  const absorbed = (movement: NewMovement, wanted: bigint): bigint => {
    const { unapplied } = refuseRangeErrors(() => deriveWith(found, [...movements, movement])).whole
    return wanted - (unapplied.find(({ movementId }) => movementId === movement.id)?.amount ?? 0n)
  }
  let left = amount
  const claims = [
    ...found.input.opening.claims,
    ...found.input.movements.flatMap((one) => (one.kind === 'claim' ? [one.claim] : [])),
  ]
  for (const { id: claim, principal } of claims) {
    if (left === 0n) break
    const wanted = left === null || left > principal ? principal : left
    const part = absorbed(newMovement({ kind: 'creditNote', amount: wanted, claim }, valueDate), wanted)
    if (part <= 0n) continue
    movements.push(newMovement({ kind: 'creditNote', amount: part, claim }, valueDate))
    notes.push(
      makeNote('invoice.credited', claim, { minorAmount: Number(part), valueDate }, { invoiceGuid: claim }),
    )
    if (left !== null) left -= part
  }
  const { remaining } = deriveWith(found, movements).ledger.balances
  const rest = components.reduce((sum, component) => sum + remaining[component], 0n)
  const writtenOff = left === null ? rest : left
  if (writtenOff > rest) {
    const most = (amount ?? 0n) - writtenOff + rest
    throw tooMuchError(findReader(caller.language).formats.money(most, row.currencyCode))
  }
  if (writtenOff > 0n) {
    movements.push(newMovement({ kind: 'writeOff', amount: writtenOff, component: null }, valueDate))
    notes.push(
      makeNote('case.written_off', row.caseGuid, {
        minorAmount: Number(writtenOff),
        component: null,
        valueDate,
      }),
    )
  }
  const minor = movements.reduce(
    (sum, { effect }) => sum + ('amount' in effect ? (effect.amount ?? 0n) : 0n),
    0n,
  )
  await requireSecondPerson(tx, caller, origin, onCase('OBJECTION_CREDIT', row, minor))
  const rows = emptyRows()
  const { columns } = refuseRangeErrors(() => bookMovements(rows, found, { movements, notes }))
  rows.caseUpdates.push(columns)
  await insertMoney(tx, rows, origin)
  return { minor, version: columns.version }
}

function tooMuchError(most: string): ApiError {
  const message = `is more than what remains. At most ${most} can be credited.`
  return new ApiError('unprocessable', `amount ${message}`, { errors: { amount: [message] } })
}
