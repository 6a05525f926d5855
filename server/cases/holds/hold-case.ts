/**
 * Puts cases on hold and lifts holds. A hold can be dated back, have a last day, and pause interest in its days.
 * docs/domain/cases.md has the rules.
 */
import type { Language } from '../../../contract/platform/languages.ts'
import { onCase, requireSecondPerson } from '../../access/approvals/second-person.ts'
import type { HoldCaseInput } from '../../../contract/cases/case-inputs.ts'
import { addDays, latest } from '../../../core/calendar/calendar.ts'
import * as life from '../../../core/cases/case-lifecycle.ts'
import { readChoice, readDate } from '../../claims/case-inputs.rules.ts'
import {
  lifecycleColumns,
  lockCase,
  noteLifecycle,
  readLifecycle,
  updateCase,
  type CaseChangeNote,
  type CaseContext,
  type CaseRow,
} from '../../claims/case-lock.ts'
import { emptyRows, insertMoney } from '../../claims/money-rows.store.ts'
import { newMovement, refuseRangeErrors } from '../../ledger/book-on-case.ts'
import { findBookedCase } from '../../ledger/booked-case.ts'
import { bookMovements, deriveWith, type NewMovement } from '../../ledger/booking.ts'
import { holdDateForFew } from '../../ledger/ledger.store.ts'
import { findLoweredDebt } from '../../ledger/lowered-debt.ts'
import { makeId } from '../../platform/database/make-id.ts'
import { inTransaction, type Db } from '../../platform/database/transaction.ts'
import type { Caller, Origin } from '../../platform/http/caller.ts'
import { FieldErrors } from '../../platform/http/errors.ts'
import { transitionError, type CaseChange } from '../case-status.ts'
import * as store from './holds.store.ts'

/** The days of a hold. `until` is its last day, null while nobody has set one. */
interface HoldDays {
  from: string
  until: string | null
  paused: boolean
}

/**
 * Puts an open case on hold, or changes its hold. A hold that ended before today only pauses interest. Members
 * that are left out stay. Interest that a pause takes back may need a second person. Returns the version. Throws a
 * 400, 403, 404, 409 or 412.
 */
export async function holdCase(
  db: Db,
  caller: Caller,
  { caseGuid, input }: CaseChange<HoldCaseInput>,
  context: CaseContext,
): Promise<number> {
  const checks = new FieldErrors(caller.language)
  const reason = readChoice(input.reason, 'reason', life.holds, checks)
  if (!input.reason?.trim()) checks.add('reason', `is required: choose one of ${life.holds.join(', ')}.`)
  checks.throwIfAny()
  const today = context.origin.businessDate
  return inTransaction(db, async (tx) => {
    await holdDateForFew(tx)
    const row = await lockCase(tx, caller, caseGuid, context)
    const before = readLifecycle(row)
    const result = life.holdCase(before, reason!)
    if (!result.ok) throw transitionError('reason', result)
    const old = await store.findHold(tx, caseGuid)
    const days = readDays(input, {
      row,
      old: before.hold === null ? null : old,
      today,
      language: caller.language,
    })
    const isOver = days.until !== null && days.until < today
    const after = isOver ? before : result.life
    const holdId = before.hold === null ? makeId() : (old.holdId ?? makeId())
    const isPauseChanged =
      days.paused !== old.paused || (days.paused && (days.from !== old.from || days.until !== old.until))
    const movements = isPauseChanged
      ? [...reverseAll(before.hold === null ? [] : old.movements), ...makePause(holdId, days)]
      : []
    const changes = dayChanges(old, days)
    if (movements.length === 0 && Object.keys(changes).length === 0 && before.hold === after.hold)
      return row.version
    const note = noteLifecycle(caseGuid, before, after, 'held')
    const notes = [{ ...note, changes: { ...note.changes, ...changes } }]
    if (movements.length > 0) await requireTwoForPause(tx, caller, { row, movements }, context)
    const version = await writeHold(tx, row, { after, movements, notes }, context.origin)
    if (!isOver) await store.updateHold(tx, caseGuid, { holdId, ...days })
    return version
  })
}

/** A pause that is dated back takes interest back that the debtor owes. */
async function requireTwoForPause(
  tx: Db,
  caller: Caller,
  { row, movements }: { row: CaseRow; movements: readonly NewMovement[] },
  { origin }: CaseContext,
): Promise<void> {
  const lowered = findLoweredDebt(await findBookedCase(tx, row), movements)
  if (lowered === 0n) return
  await requireSecondPerson(tx, caller, origin, { ...onCase('BACKDATED_HOLD', row, lowered), grows: {} })
}

/** Lifts the hold. Its interest pause ends with the day before, if it has not ended yet. */
export async function resumeCase(
  db: Db,
  caller: Caller,
  { caseGuid }: { caseGuid: string },
  context: CaseContext,
): Promise<number> {
  return inTransaction(db, async (tx) => {
    await holdDateForFew(tx)
    const row = await lockCase(tx, caller, caseGuid, context)
    return liftHold(tx, row, context.origin)
  })
}

/** Lifts the hold of a locked case. Throws a 409 when it has none. */
export async function liftHold(tx: Db, row: CaseRow, origin: Origin): Promise<number> {
  const { caseGuid } = row
  const before = readLifecycle(row)
  const result = life.resumeCase(before)
  if (!result.ok) throw transitionError('status', result)
  const old = await store.findHold(tx, caseGuid)
  const lastDay = addDays(origin.businessDate, -1)
  const [pause] = old.movements.filter(({ kind }) => kind === 'pause')
  const end = old.movements.find(({ kind }) => kind === 'resume')
  const movements: NewMovement[] = []
  if (pause && (end === undefined || end.valueDate > lastDay)) {
    if (end) movements.push(...reverseAll([end]))
    movements.push(makeMovement('resume', old.holdId!, latest(lastDay, pause.valueDate)))
  }
  const note = noteLifecycle(caseGuid, before, result.life, 'resumed')
  const changes = dayChanges(old, { from: null, until: null, paused: false })
  const notes = [{ ...note, changes: { ...note.changes, ...changes } }]
  const version = await writeHold(tx, row, { after: result.life, movements, notes }, origin)
  await store.updateHold(tx, caseGuid, { holdId: null, from: null, until: null })
  return version
}

/** Books the movements of a pause with the lifecycle, or writes the lifecycle alone. */
async function writeHold(
  tx: Db,
  row: CaseRow,
  one: { after: life.CaseLifecycle; movements: readonly NewMovement[]; notes: readonly CaseChangeNote[] },
  origin: Origin,
): Promise<number> {
  const { after, movements, notes } = one
  if (movements.length === 0)
    return updateCase(tx, row, { columns: lifecycleColumns(after, row.closureDate), notes }, origin)
  const found = await findBookedCase(tx, row)
  const rows = emptyRows()
  const { columns } = refuseRangeErrors(() => {
    // Without the interest of the pause, earlier payments may cover the case: then the booking closes it.
    const isCovered = deriveWith(found, movements).ledger.closure !== null
    return bookMovements(rows, found, { movements, notes, ...(!isCovered && { life: after }) })
  })
  rows.caseUpdates.push(columns)
  await insertMoney(tx, rows, origin)
  return columns.version
}

function readDays(
  input: HoldCaseInput,
  {
    row,
    old,
    today,
    language,
  }: { row: CaseRow; old: store.StoredHold | null; today: string; language: Language },
): HoldDays {
  const checks = new FieldErrors(language)
  const read = (member: 'holdFrom' | 'holdUntil', kept: string | null) =>
    input[member] === undefined || input[member] === null ? kept : readDate(input[member], member, checks)
  const from = read('holdFrom', old?.from ?? null) ?? today
  const until = read('holdUntil', old?.until ?? null)
  const paused = input.interestPaused ?? old?.paused ?? false
  if (from > today) checks.add('holdFrom', `must not be after the business date, ${checks.day(today)}.`)
  const first = row.registrationDate
  if (from < first)
    checks.add('holdFrom', `must not be before the case was registered, ${checks.day(first)}.`)
  else if (paused && from === first)
    checks.add(
      'holdFrom',
      `must be after the case was registered, ${checks.day(first)}, for interest to pause.`,
    )
  if (until !== null && until < from) checks.add('holdUntil', 'must not be before the first day of the hold.')
  else if (until !== null && until < today && !paused)
    checks.add(
      'holdUntil',
      `must not be before the business date, ${checks.day(today)}, unless interest is paused.`,
    )
  checks.throwIfAny()
  return { from, until, paused }
}

const makeMovement = (kind: 'pause' | 'resume', hold: string, valueDate: string): NewMovement =>
  newMovement({ kind }, valueDate, { hold })

/** Interest of a day is owed with its end, so the pause is booked on the day before its first day. */
const makePause = (hold: string, { from, until, paused }: HoldDays): NewMovement[] =>
  paused
    ? [
        makeMovement('pause', hold, addDays(from, -1)),
        ...(until === null ? [] : [makeMovement('resume', hold, until)]),
      ]
    : []

const reverseAll = (movements: readonly store.HoldMovement[]): NewMovement[] =>
  movements.map(({ movementGuid, valueDate }) =>
    newMovement({ kind: 'reversal', of: movementGuid }, valueDate),
  )

function dayChanges(
  old: { from: string | null; until: string | null; paused: boolean },
  now: { from: string | null; until: string | null; paused: boolean },
): CaseChangeNote['changes'] {
  const changes: CaseChangeNote['changes'] = {}
  if (old.from !== now.from) changes['holdFrom'] = [old.from, now.from]
  if (old.until !== now.until) changes['holdUntil'] = [old.until, now.until]
  if (old.paused !== now.paused) changes['interestPaused'] = [old.paused, now.paused]
  return changes
}
