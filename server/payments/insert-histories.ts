/** Writes the movements of many cases at once, for cases that are created with a history. */
import type { CaseLifecycle } from '../../core/cases/case-lifecycle.ts'
import { makeId } from '../platform/database/make-id.ts'
import type { Db } from '../platform/database/transaction.ts'
import { initialChanges } from '../platform/events/record.ts'
import type { Caller } from '../platform/http/caller.ts'
import { toBookedCase } from '../ledger/booked-case.ts'
import { bookMovements, type BookedCase, type NewMovement } from '../ledger/booking.ts'
import { noteLifecycle, type CaseChangeNote, type CaseContext, type CaseRow } from '../claims/case-lock.ts'
import { holdDate, loadHistories } from '../ledger/ledger.store.ts'
import { insertMoney, emptyRows, type MoneyRows } from '../claims/money-rows.store.ts'
import { lockCases } from './payments.store.ts'
import { paymentNote, paymentRow } from './payments.ts'

export interface PreparedHistory {
  caseGuid: string
  movements: {
    kind: 'payment' | 'thirdPartyPayment' | 'fee' | 'writeOff'
    amount: bigint
    valueDate: string
  }[]
  /** The final status of the case, unless payments close it. */
  place: CaseLifecycle['place']
}

/**
 * Books each story's movements in order. Amounts must be above zero and dates not in the future; the caller
 * checks this.
 */
export async function insertHistories(
  tx: Db,
  caller: Caller,
  stories: readonly PreparedHistory[],
  { origin }: CaseContext,
): Promise<void> {
  await holdDate(tx)
  const storiesByCase = new Map(stories.map((story) => [story.caseGuid, story]))
  const held = await lockCases(tx, caller, [...storiesByCase.keys()])
  const histories = await loadHistories(
    tx,
    held.map(({ caseGuid }) => caseGuid),
  )
  const rows = emptyRows()
  held.forEach((row, index) => {
    const story = storiesByCase.get(row.caseGuid)!
    addHistory(rows, row, toBookedCase(row, histories[index]!), story)
  })
  await insertMoney(tx, rows, origin)
}

function addHistory(
  rows: MoneyRows,
  row: CaseRow,
  found: BookedCase,
  { movements, place }: PreparedHistory,
): void {
  const notes: CaseChangeNote[] = []
  const booked = movements.map((moved) => {
    const { movement, note } = toNewMovement(rows, row, found, moved)
    notes.push(note)
    return movement
  })
  const life: CaseLifecycle = { ...found.life, place }
  const placed = noteLifecycle(row.caseGuid, found.life, life, 'status_changed')
  if (Object.keys(placed.changes).length > 0) notes.push(placed)
  rows.caseUpdates.push(bookMovements(rows, { ...found, life }, { movements: booked, notes }).columns)
}

function toNewMovement(
  rows: MoneyRows,
  row: CaseRow,
  found: BookedCase,
  { kind, amount, valueDate }: PreparedHistory['movements'][number],
): { movement: NewMovement; note: CaseChangeNote } {
  const movement = { id: makeId(), valueDate }
  const changes = initialChanges({ minorAmount: Number(amount), valueDate })
  if (kind === 'fee') {
    const note: CaseChangeNote = { type: 'case.fee_added', entityId: row.caseGuid, changes }
    return { movement: { ...movement, effect: { kind, amount }, details: { feeType: 'reminder' } }, note }
  }
  if (kind === 'writeOff') {
    const note: CaseChangeNote = { type: 'case.written_off', entityId: row.caseGuid, changes }
    return { movement: { ...movement, effect: { kind, amount, component: null } }, note }
  }
  const paymentId = makeId()
  const toThirdParty = kind === 'thirdPartyPayment'
  const payment = { amount, valueDate, currencyCode: row.currencyCode, payerReference: null, toThirdParty }
  const target = { debtorGuid: row.mainDebtorGuid, caseGuid: row.caseGuid }
  rows.payments.push(paymentRow(paymentId, payment, target, found.businessDate))
  const note = paymentNote(paymentId, payment, amount)
  return { movement: { ...movement, effect: { kind, amount }, paymentId }, note }
}
