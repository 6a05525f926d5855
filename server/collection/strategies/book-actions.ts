/** Books the fees and status changes of steps on cases, with their events, in one statement. */
import { changeStatus, type CaseLifecycle } from '../../../core/cases/case-lifecycle.ts'
import { readAmount } from '../../../core/money/money.ts'
import type { StepAction } from '../../../core/cases/strategies.ts'
import { refuseRangeErrors, requireNotBefore } from '../../ledger/book-on-case.ts'
import { toBookedCase } from '../../ledger/booked-case.ts'
import { bookMovements, type NewMovement } from '../../ledger/booking.ts'
import {
  readLifecycle,
  lockCases,
  noteLifecycle,
  updateLifecycles,
  type CaseChangeNote,
  type CaseRow,
  type LifecycleUpdate,
} from '../../claims/case-lock.ts'
import { computeFeeAmount, findFeeFacts } from '../../ledger/fees.store.ts'
import { loadHistories, type CaseHistory } from '../../ledger/ledger.store.ts'
import { insertMoney, emptyRows } from '../../claims/money-rows.store.ts'
import { prepareFee } from '../../cases/movements.ts'
import type { Db } from '../../platform/database/transaction.ts'
import type { Origin } from '../../platform/http/caller.ts'
import { ApiError } from '../../platform/http/errors.ts'
import type { DueStep } from './strategies.store.ts'
import { stepOperation, strategyCaller } from './strategy-caller.ts'

export interface HeldStep {
  due: DueStep
  row: CaseRow
}
export type BookedAction = Extract<StepAction, { kind: 'fee' | 'status' }>

interface Context {
  origin: Origin
  /** True if the events of the cases record the step. */
  tells: boolean
  /** True if nothing has been booked since the rows were read. */
  isFresh: boolean
}

/** Throws an ApiError when any action is refused; the caller must then roll back. */
export async function bookActions(
  tx: Db,
  steps: readonly (HeldStep & { actions: readonly BookedAction[] })[],
  { origin, tells, isFresh }: Context,
): Promise<void> {
  const wanted = steps.filter(({ actions }) => tells || actions.length > 0)
  if (wanted.length === 0) return
  const caseGuids = wanted.map(({ due }) => due.caseGuid)
  const rows = isFresh ? wanted.map(({ row }) => row) : await lockCases(tx, strategyCaller, caseGuids)
  const byCase = new Map(rows.map((row) => [row.caseGuid, row]))
  const held = wanted.map(({ due, actions }) => ({ due, actions, row: byCase.get(due.caseGuid)! }))
  const charged = await findCharges(tx, held, origin.businessDate)
  for (const [operation, group] of Map.groupBy(held, ({ due }) => stepOperation(due))) {
    const money = emptyRows()
    const updates: LifecycleUpdate[] = []
    for (const { due, actions, row } of group) {
      const charge = charged.get(due.caseGuid)
      const booking = prepare(due, actions, { row, charge, tells })
      if (!charge) updates.push({ row, life: booking.life, notes: booking.notes })
      else {
        const found = toBookedCase(row, charge.history)
        money.caseUpdates.push(refuseRangeErrors(() => bookMovements(money, found, booking)).columns)
      }
    }
    const named = { ...origin, operation }
    await updateLifecycles(tx, updates, named)
    if (money.caseUpdates.length > 0) await insertMoney(tx, money, named)
  }
}

/** The fees charged to a case in minor units by type, and the history to book them on. */
interface Charge {
  fees: Map<string, bigint>
  history: CaseHistory
}

/** The charges of the cases that get a fee. */
async function findCharges(
  tx: Db,
  held: readonly (HeldStep & { actions: readonly BookedAction[] })[],
  businessDate: string,
): Promise<Map<string, Charge>> {
  const asking = held.filter(({ actions }) => actions.some(({ kind }) => kind === 'fee'))
  if (asking.length === 0) return new Map()
  const facts = await findFeeFacts(
    tx,
    asking.map(({ row }) => row),
    { from: businessDate, to: businessDate },
  )
  const charged = asking.flatMap(({ row, actions }) => {
    const fees = new Map<string, bigint>()
    for (const action of actions) {
      if (action.kind !== 'fee') continue
      const amount = readFee(row, computeFeeAmount(facts.get(row.caseGuid)!, action.feeType, businessDate))
      if (amount > 0n) fees.set(action.feeType, amount)
    }
    return fees.size > 0 ? [{ caseGuid: row.caseGuid, fees }] : []
  })
  const histories = await loadHistories(
    tx,
    charged.map(({ caseGuid }) => caseGuid),
  )
  const byCase = new Map(histories.map((history) => [history.caseGuid, history]))
  return new Map(charged.map(({ caseGuid, fees }) => [caseGuid, { fees, history: byCase.get(caseGuid)! }]))
}

function prepare(
  due: DueStep,
  actions: readonly BookedAction[],
  { row, charge, tells }: { row: CaseRow; charge: Charge | undefined; tells: boolean },
) {
  const notes: CaseChangeNote[] = []
  const movements: NewMovement[] = []
  let life: CaseLifecycle = readLifecycle(row)
  for (const action of actions) {
    if (action.kind === 'fee') {
      const amount = charge?.fees.get(action.feeType)
      if (amount === undefined) continue
      const valueDate = charge!.history.businessDate
      requireNotBefore(row, valueDate)
      const fee = prepareFee(row.caseGuid, { feeType: action.feeType, amount, valueDate })
      movements.push(fee.movement)
      notes.push(fee.note)
    } else {
      const result = changeStatus(life, action.status, action.subStatus)
      if (!result.ok) throw new ApiError('conflict', result.message)
      if (JSON.stringify(result.life) === JSON.stringify(life)) continue
      notes.push(noteLifecycle(row.caseGuid, life, result.life, 'status_changed'))
      life = result.life
    }
  }
  if (tells) notes.push(stepNote(due))
  return { movements, life, notes }
}

/** The fee in minor units. Zero when neither the client's terms nor a statute sets one. */
function readFee(row: CaseRow, amount: number | null): bigint {
  if (amount === null || amount === 0) return 0n
  const read = readAmount(amount, row.currencyCode)
  if (read.ok && read.minor > 0n) return read.minor
  throw new ApiError('unprocessable', `The fee of ${amount} ${row.currencyCode} cannot be booked.`)
}

/** The event that records a step on a case. */
const stepNote = ({ caseGuid, strategy, step }: DueStep): CaseChangeNote => ({
  type: 'case.step_taken',
  entityId: caseGuid,
  data: { strategy, step },
  changes: { strategyStep: [null, `${strategy}/${step}`] },
})
