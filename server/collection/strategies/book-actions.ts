/** Books the fees and status changes of steps on cases, with their events, in one statement. */
import { changeStatus, type CaseLifecycle } from '../../../core/cases/case-lifecycle.ts'
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
import { loadHistories, type CaseHistory } from '../../ledger/ledger.store.ts'
import { insertMoney, emptyRows } from '../../claims/money-rows.store.ts'
import { prepareFee } from '../../cases/movements.ts'
import type { Db } from '../../platform/database/transaction.ts'
import { agencyItself, type Origin } from '../../platform/http/caller.ts'
import { ApiError } from '../../platform/http/errors.ts'
import type { FeeLaw } from '../../ledger/lawful-fees.ts'
import type { StepLaw } from './step-law.ts'
import type { DueStep } from './due-steps.store.ts'
import { stepOperation, strategyCaller } from './strategy-caller.ts'

export interface HeldStep {
  due: DueStep
  row: CaseRow
  law: StepLaw
  /** Null for a case that is demanded by itself. */
  joint: JointStep | null
}

/** What the cases of a demand group share in a step. */
export interface JointStep {
  groupGuid: string
  reference: string
  /** All cases of the letter, the oldest first. */
  caseGuids: readonly string[]
  /** True for the case that bears the fee and names the letter. */
  isBearing: boolean
  /** Minor units. Null unless the law judges a fee by it. */
  jointPrincipal: bigint | null
}
export type BookedAction = Extract<StepAction, { kind: 'fee' | 'status' }>

export interface ChargedFee {
  caseGuid: string
  movementGuid: string
  feeType: string
}

interface Context {
  origin: Origin
  /** True if the events of the cases record the step. */
  tells: boolean
  /** True if nothing has been booked since the rows were read. */
  isFresh: boolean
}

/** Returns the fees. Throws an ApiError when any action is refused; the caller must then roll back. */
export async function bookActions(
  tx: Db,
  steps: readonly (HeldStep & { actions: readonly BookedAction[] })[],
  { origin, tells, isFresh }: Context,
): Promise<ChargedFee[]> {
  const wanted = steps.filter(({ actions }) => tells || actions.length > 0)
  if (wanted.length === 0) return []
  const caseGuids = wanted.map(({ due }) => due.caseGuid)
  const rows = isFresh ? wanted.map(({ row }) => row) : await lockCases(tx, strategyCaller, caseGuids)
  const byCase = new Map(rows.map((row) => [row.caseGuid, row]))
  const held = wanted.map((one) => ({ ...one, row: byCase.get(one.due.caseGuid)! }))
  const charged = await findCharged(tx, held)
  const fees: ChargedFee[] = []
  for (const [operation, group] of Map.groupBy(held, ({ due }) => stepOperation(due))) {
    const money = emptyRows()
    const updates: LifecycleUpdate[] = []
    for (const { due, actions, row, law, joint } of group) {
      const history = charged.get(due.caseGuid)
      const booking = prepare(due, actions, { row, law, joint, date: history?.businessDate, tells })
      for (const { id, details } of booking.movements)
        fees.push({ caseGuid: due.caseGuid, movementGuid: id, feeType: String(details!['feeType']) })
      if (!history) updates.push({ row, life: booking.life, notes: booking.notes })
      else {
        const found = toBookedCase(row, history)
        money.caseUpdates.push(refuseRangeErrors(() => bookMovements(money, found, booking)).columns)
      }
    }
    const named = { ...origin, operation }
    await updateLifecycles(tx, updates, named)
    if (money.caseUpdates.length > 0) await insertMoney(tx, money, named)
  }
  return fees
}

/** The histories of the cases that get a fee, by case guid. */
async function findCharged(
  tx: Db,
  held: readonly (HeldStep & { actions: readonly BookedAction[] })[],
): Promise<Map<string, CaseHistory>> {
  const charged = held.filter(({ actions, law }) =>
    actions.some((action) => action.kind === 'fee' && law.fees.has(action.feeType)),
  )
  if (charged.length === 0) return new Map()
  const histories = await loadHistories(
    tx,
    charged.map(({ row }) => row.caseGuid),
  )
  return new Map(histories.map((history) => [history.caseGuid, history]))
}

function prepare(
  due: DueStep,
  actions: readonly BookedAction[],
  {
    row,
    law,
    joint,
    date,
    tells,
  }: Pick<HeldStep, 'row' | 'law' | 'joint'> & { date: string | undefined; tells: boolean },
) {
  const notes: CaseChangeNote[] = []
  const movements: NewMovement[] = []
  let life: CaseLifecycle = readLifecycle(row)
  for (const action of actions) {
    if (action.kind === 'fee') {
      const charge = law.fees.get(action.feeType)
      if (charge === undefined) continue
      const valueDate = date!
      requireNotBefore(row, valueDate, agencyItself)
      const { amount, rule } = charge
      const fee = prepareFee(
        row.caseGuid,
        { feeType: action.feeType, amount, valueDate },
        { ...(rule !== null && { rule }), ...(joint && jointFee(joint)) },
      )
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
  if (tells) notes.push(stepNote(due, law, joint))
  return { movements, life, notes }
}

const jointFee = ({ groupGuid, jointPrincipal }: JointStep): FeeLaw => ({
  demandGroup: groupGuid,
  ...(jointPrincipal !== null && { jointPrincipal: Number(jointPrincipal) }),
})

/** The event that records a step on a case. */
const stepNote = (
  { caseGuid, strategy, step }: DueStep,
  { leftOut }: StepLaw,
  joint: JointStep | null,
): CaseChangeNote => ({
  type: 'case.step_taken',
  entityId: caseGuid,
  data: {
    strategy,
    step,
    ...(leftOut.length > 0 && { law: leftOut }),
    ...(joint && { demandGroupGuid: joint.groupGuid }),
  },
  changes: { strategyStep: [null, `${strategy}/${step}`] },
})
