/** Runs active plans: matches payments, takes the steps of a day, and ends plans. */
import * as lives from '../../core/cases/case-lifecycle.ts'
import { sumComponents } from '../../core/ledger/case-transaction.ts'
import { matchPayments, planSteps } from '../../core/plans/plan-progress.ts'
import { deriveWith } from '../ledger/booking.ts'
import { readLifecycle } from '../claims/case-lock.ts'
import type { Db } from '../platform/database/transaction.ts'
import {
  addMovement,
  addPlanFee,
  findFeeCase,
  planCourse,
  notePlan,
  type LockedPlanCase,
  type LockedPlan,
  type PlanFeeType,
} from './locked-plans.ts'
import { findLawfulFee } from './law/lawful-plan-fees.ts'
import { addClosingPayment } from './closing-payment.ts'
import type { EndReason } from './plan-record.ts'

/**
 * Matches the payments of a locked plan and, with `steps`, takes the steps due on the business date. Returns
 * whether the plan changed. A completed plan becomes active again when a reversed payment leaves it
 * incomplete.
 */
export async function runPlan(tx: Db, held: LockedPlan, { steps }: { steps: boolean }): Promise<boolean> {
  const { record } = held
  const rematched = matchRows(held)
  if (record.active === 0) {
    if (record.endReason === 'COMPLETED' && !isComplete(held) && record.planType !== 5) revive(held)
  } else if (isComplete(held)) {
    if (!addClosingPayment(held)) await endHeldPlan(tx, held, 'COMPLETED')
  } else if (steps) {
    await takeSteps(tx, held)
  }
  const changed = rematched || held.changes.length > 0
  if (changed) record.version += 1
  return changed
}

/** Matches payments to the plan's rows. Returns whether any row changed. */
function matchRows({ record, payments }: LockedPlan): boolean {
  const { rows } = matchPayments(record.rows, payments)
  let changed = false
  record.rows.forEach((row, index) => {
    const { paid, paidDate } = rows[index]!
    if (row.paid === paid && row.paidDate === paidDate) return
    changed = true
    Object.assign(row, { paid, paidDate })
  })
  return changed
}

/** True when every payment is paid or no case has a balance. */
const isComplete = ({ record, cases }: LockedPlan): boolean =>
  record.rows.every(({ paid, amount }) => paid >= amount) ||
  cases.every(({ row }) => row.closureCode !== null || row.remainingMinor <= 0)

async function takeSteps(tx: Db, held: LockedPlan): Promise<void> {
  const { record, businessDate } = held
  for (const step of planSteps(planCourse(record), businessDate)) {
    if (step.kind === 'breach') return endHeldPlan(tx, held, 'BREACHED')
    if (step.kind === 'invoice') {
      record.invoicedThrough = step.paymentNo
      await addInvoiceFee(tx, held, stepDate(held, step.date))
    } else {
      const row = record.rows[step.paymentNo - 1]!
      row.missedDate = step.date
      await addReminderFee(tx, held, stepDate(held, step.date))
      const data = { paymentNo: step.paymentNo, dueDate: row.dueDate }
      notePlan(held, 'instalment_missed', {
        data,
        changes: { [`payments[${step.paymentNo}].missedDate`]: [null, step.date] },
      })
    }
  }
}

/** Charges the agreed fee for the notice of a payment, as far as the law allows it then. */
export async function addInvoiceFee(tx: Db, held: LockedPlan, valueDate: string): Promise<void> {
  const { invoiceFee } = held.record
  const one = findFeeCase(held.cases)
  if (invoiceFee === 0n || !one) return
  const lawful = await findLawfulFee(tx, {
    name: 'invoiceFee',
    caseGuid: one.row.caseGuid,
    amount: invoiceFee,
    date: valueDate,
    today: held.businessDate,
    uncharged: one.movements.flatMap(({ effect, details }) =>
      effect.kind === 'fee' ? { type: details!['feeType'] as PlanFeeType, amount: effect.amount } : [],
    ),
  })
  addPlanFee(held, { feeType: 'planInvoice', valueDate, ...lawful })
}

/** Charges the agreed fee, as far as the law allows it then. Where it has a rule, one reminder at a time is charged. */
async function addReminderFee(tx: Db, held: LockedPlan, valueDate: string): Promise<void> {
  const { reminderFee } = held.record
  const one = findFeeCase(held.cases)
  if (reminderFee === 0n || !one) return
  const { caseGuid } = one.row
  const lawful = await findLawfulFee(tx, {
    name: 'reminderFee',
    caseGuid,
    amount: reminderFee,
    date: valueDate,
    today: held.businessDate,
  })
  const isReminded = one.movements.some(({ details }) => details?.['feeType'] === 'planReminder')
  if (lawful.rule === undefined || !isReminded)
    addPlanFee(held, { feeType: 'planReminder', valueDate, ...lawful })
}

/** The date of a step, at the earliest the start of the plan. */
const stepDate = ({ record }: LockedPlan, date: string) => (date < record.startDate ? record.startDate : date)

const actions = { COMPLETED: 'completed', BREACHED: 'breached', CANCELLED: 'cancelled' } as const

/**
 * Ends an active plan. Cases return to their status before the plan, unless a user has changed it since.
 * Completed debt relief writes off the remainder and closes the cases. Failed debt relief restores the claims
 * as if interest had never stopped.
 */
export async function endHeldPlan(tx: Db, held: LockedPlan, reason: EndReason): Promise<void> {
  const { record, cases, businessDate } = held
  if (record.planType === 5 && reason !== 'COMPLETED') await reviveClaims(tx, held)
  for (const one of cases) {
    const ended = lives.endPlan(readLifecycle(one.row))
    if (!ended.ok) continue
    one.life = ended.life
    if (record.planType === 5 && reason === 'COMPLETED') writeOffRest(one, held)
  }
  const changes = { active: [1, 0], endReason: [null, reason], endDate: [null, businessDate] } as const
  Object.assign(record, { active: 0, endReason: reason, endDate: businessDate })
  held.turns = 'ends'
  notePlan(held, actions[reason], { data: { endReason: reason }, changes })
}

function writeOffRest(one: LockedPlanCase, { record, businessDate }: LockedPlan): void {
  const { remaining } = deriveWith(one.found, one.movements).ledger.balances
  const amount = sumComponents(remaining)
  if (amount > 0n) {
    const details = { planGuid: record.planGuid }
    addMovement(one, { kind: 'writeOff', amount, component: null }, businessDate, { details })
  }
  if (one.life!.closureCode !== null) return
  one.life = { ...one.life!, closureCode: amount > 0n ? 'DEBT_RELIEF' : 'PAID_IN_FULL' }
}

/** Reverses the movements that stopped the interest. */
async function reviveClaims(tx: Db, { record, cases }: LockedPlan): Promise<void> {
  const stopped = await tx<{ id: string; caseGuid: string; valueDate: string }[]>`
    select m.id, m.case_id as "caseGuid", m.value_date as "valueDate"
    from payment_plan_case pc join movement m on m.case_id = pc.case_id
    where pc.plan_id = ${record.planGuid} and m.kind = 'terms' and m.details ->> 'planGuid' = ${record.planGuid}
      and not exists (select from movement r where r.reverses_id = m.id) order by m.number`
  for (const { id, caseGuid, valueDate } of stopped) {
    const one = cases.find(({ row }) => row.caseGuid === caseGuid)
    if (one) addMovement(one, { kind: 'reversal', of: id }, valueDate)
  }
}

/**
 * Reactivates a completed plan with all its cases, including closed ones, unless a case has joined another
 * plan.
 */
function revive(held: LockedPlan): void {
  const { record, cases } = held
  if (cases.every(({ row }) => row.closureCode !== null)) return
  if (cases.some(({ row }) => row.beforePlanStatus !== null)) return
  for (const one of cases) {
    const life = readLifecycle(one.row)
    const started = lives.startPlan({ ...life, closureCode: null })
    if (started.ok) one.life = { ...started.life, closureCode: life.closureCode }
  }
  const changes = { active: [0, 1], endReason: ['COMPLETED', null], endDate: [record.endDate, null] } as const
  Object.assign(record, { active: 1, endReason: null, endDate: null })
  held.turns = 'revives'
  notePlan(held, 'activated', { data: { again: true }, changes })
}
