/** Books one movement on one case: the steps that all manual movements share. */
import type { EventType } from '../../contract/platform/event-types.ts'
import type { MovementEffect } from '../../core/ledger/case-movement.ts'
import { DayRangeError } from '../../core/calendar/day-range-error.ts'
import { findReader } from '../platform/dictionary/reader.ts'
import { makeId } from '../platform/database/make-id.ts'
import { inTransaction, type Db } from '../platform/database/transaction.ts'
import { initialChanges } from '../platform/events/record.ts'
import type { Caller } from '../platform/http/caller.ts'
import { ApiError, FieldErrors, writeDay } from '../platform/http/errors.ts'
import { findBookedCase } from './booked-case.ts'
import { bookMovements, deriveWith, type BookedCase, type Booking, type NewMovement } from './booking.ts'
import { readMoney, readValueDate } from '../claims/case-inputs.rules.ts'
import { lockCase, type CaseChangeNote, type CaseContext, type CaseRow } from '../claims/case-lock.ts'
import { holdDateForFew } from './ledger.store.ts'
import { insertMoney, emptyRows, type MoneyRows } from '../claims/money-rows.store.ts'

/** A locked case that is open, with its history. */
export interface OpenCase {
  row: CaseRow
  found: BookedCase
}

export interface Prepared {
  movement: NewMovement
  note: CaseChangeNote
}

/** Locks a case, lets `prepare` create a movement for it, and books that movement. */
export async function bookOnCase<T extends Prepared>(
  db: Db,
  caller: Caller,
  { caseGuid, open = true }: { caseGuid: string; open?: boolean },
  context: CaseContext,
  prepare: (tx: Db, held: OpenCase, rows: MoneyRows) => Promise<T> | T,
): Promise<T & { booking: Booking }> {
  return inTransaction(db, async (tx) => {
    await holdDateForFew(tx)
    const row = await lockCase(tx, caller, caseGuid, context)
    if (open && row.closureCode !== null)
      throw new ApiError('conflict', 'The case is closed. Reopen it first.', {
        members: { allowedTransitions: [row.placeStatus] },
      })
    const found = await findBookedCase(tx, row)
    const rows = emptyRows()
    const prepared = await prepare(tx, { row, found }, rows)
    const request = { movements: [prepared.movement], notes: [prepared.note] }
    const booking = refuseRangeErrors(() => bookMovements(rows, found, request), caller)
    rows.caseUpdates.push(booking.columns)
    await insertMoney(tx, rows, context.origin)
    return { ...prepared, booking }
  })
}

/**
 * Runs a computation. A `RangeError`, such as a missing interest rate, becomes a 422, which names days as the caller's
 * language does. Without a caller it names them as ISO 8601 does.
 */
export function refuseRangeErrors<T>(work: () => T, caller?: Pick<Caller, 'language'>): T {
  try {
    return work()
  } catch (error) {
    if (!(error instanceof RangeError)) throw error
    const told =
      error instanceof DayRangeError && caller
        ? error.write((day) => writeDay(day, caller.language))
        : error.message
    throw new ApiError('unprocessable', told)
  }
}

/** Throws a 422 when the value date is before the registration of the case. */
export function requireNotBefore(
  row: CaseRow,
  valueDate: string,
  { language }: Pick<Caller, 'language'>,
): void {
  if (valueDate >= row.registrationDate) return
  const message = `must not be before the case was registered, ${writeDay(row.registrationDate, language)}.`
  throw new ApiError('unprocessable', `valueDate ${message}`, { errors: { valueDate: [message] } })
}

const memberError = (member: string, what: string) =>
  new ApiError('unprocessable', `${member} ${what}`, { errors: { [member]: [what] } })

/**
 * Throws a 422 when the movement exceeds what remains on its date, or leaves too little for a later movement.
 */
export function requireApplied(
  { row, found }: OpenCase,
  movement: NewMovement,
  { language }: Pick<Caller, 'language'>,
): void {
  const before = new Map(deriveWith(found, []).whole.unapplied.map((one) => [one.movementId, one.amount]))
  const unapplied = deriveWith(found, [movement]).whole.unapplied.filter(
    ({ movementId, amount }) => amount > (before.get(movementId) ?? 0n),
  )
  if (unapplied.length === 0) return
  const own = unapplied.find(({ movementId }) => movementId === movement.id)
  if (!own)
    throw memberError(
      'valueDate',
      'leaves a later movement without enough to apply to. Reverse the later movement first.',
    )
  const left = BigInt('amount' in movement.effect ? (movement.effect.amount ?? 0n) : 0n) - own.amount
  throw memberError(
    'amount',
    `is more than what remains. Enter at most ${findReader(language).formats.money(left, row.currencyCode)}.`,
  )
}

export const makeNote = (
  type: EventType,
  entityId: string,
  changes: object,
  data: Record<string, unknown> = {},
): CaseChangeNote => ({
  type,
  entityId,
  data,
  changes: initialChanges(changes),
})

export const movementAnswer = ({ movement }: Prepared) => ({ movementGuid: movement.id })

export const newMovement = (
  effect: MovementEffect,
  valueDate: string,
  details?: Record<string, unknown>,
): NewMovement => ({ id: makeId(), effect, valueDate, ...(details && { details }) })

/** Reads the amount and value date of a movement on a locked case. */
export function readMovement(
  input: { amount?: number | null; valueDate?: string | null },
  { row, found }: OpenCase,
  caller: Pick<Caller, 'language'>,
): { amount: bigint; valueDate: string } {
  const checks = new FieldErrors(caller.language)
  const expected = { currency: row.currencyCode, least: 'above zero', required: true } as const
  const amount = readMoney(input.amount, 'amount', expected, checks)
  const valueDate = readValueDate(input.valueDate, found.businessDate, checks)
  checks.throwIfAny()
  requireNotBefore(row, valueDate, caller)
  return { amount: amount!, valueDate }
}
