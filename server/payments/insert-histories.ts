/** Writes the movements of many cases at once, for cases that are created with a history. */
import type { CaseLife } from '../../core/cases/case-life.ts'
import { makeId } from '../platform/database/make-id.ts'
import type { Db } from '../platform/database/transaction.ts'
import { changesOfNew } from '../platform/events/record.ts'
import type { Caller } from '../platform/http/caller.ts'
import { bookedCaseOf } from '../ledger/booked-case.ts'
import { bookMovements, type BookedCase, type NewMovement } from '../ledger/booking.ts'
import { noteOfLife, type CaseChangeNote, type CaseContext, type CaseRow } from '../claims/case-lock.ts'
import { holdDate, loadHistories } from '../ledger/ledger.store.ts'
import { insertMoney, noRows, type MoneyRows } from '../claims/money-rows.store.ts'
import { lockCases } from './payments.store.ts'
import { paymentNote, paymentRow } from './payments.ts'

export interface CaseStory {
  caseGuid: string
  movements: {
    kind: 'payment' | 'thirdPartyPayment' | 'fee' | 'writeOff'
    amount: bigint
    valueDate: string
  }[]
  /** The final status of the case, unless payments close it. */
  place: CaseLife['place']
}

/**
 * Books each story's movements in order. Amounts must be above zero and dates not in the future; the caller
 * checks this.
 */
export async function insertStories(
  tx: Db,
  caller: Caller,
  stories: readonly CaseStory[],
  { origin }: CaseContext,
): Promise<void> {
  await holdDate(tx)
  const storyOf = new Map(stories.map((story) => [story.caseGuid, story]))
  const held = await lockCases(tx, caller, [...storyOf.keys()])
  const histories = await loadHistories(
    tx,
    held.map(({ caseGuid }) => caseGuid),
  )
  const rows = noRows()
  held.forEach((row, index) => {
    const story = storyOf.get(row.caseGuid)!
    addStory(rows, row, bookedCaseOf(row, histories[index]!), story)
  })
  await insertMoney(tx, rows, origin)
}

function addStory(rows: MoneyRows, row: CaseRow, found: BookedCase, { movements, place }: CaseStory): void {
  const notes: CaseChangeNote[] = []
  const booked = movements.map((moved) => {
    const { movement, note } = movementOf(rows, row, found, moved)
    notes.push(note)
    return movement
  })
  const life: CaseLife = { ...found.life, place }
  const placed = noteOfLife(row.caseGuid, found.life, life, 'status_changed')
  if (Object.keys(placed.changes).length > 0) notes.push(placed)
  rows.caseUpdates.push(bookMovements(rows, { ...found, life }, { movements: booked, notes }).columns)
}

function movementOf(
  rows: MoneyRows,
  row: CaseRow,
  found: BookedCase,
  { kind, amount, valueDate }: CaseStory['movements'][number],
): { movement: NewMovement; note: CaseChangeNote } {
  const movement = { id: makeId(), valueDate }
  const changes = changesOfNew({ minorAmount: Number(amount), valueDate })
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
