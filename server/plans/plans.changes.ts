/** Creates, activates, changes and cancels plans, for the API, the form and the demo. */
import type { PaymentPlanInput, PlanPaymentsInput } from '../../contract/plans/payment-plan-inputs.ts'
import * as lives from '../../core/cases/case-lifecycle.ts'
import { planSteps } from '../../core/plans/plan-progress.ts'
import { computeOwed } from '../../core/plans/plan-balances.ts'
import { readLifecycle } from '../claims/case-lock.ts'
import { holdDateForFew } from '../ledger/ledger.store.ts'
import { insertMoney, emptyRows } from '../claims/money-rows.store.ts'
import { makeId } from '../platform/database/make-id.ts'
import { inTransaction, type Db } from '../platform/database/transaction.ts'
import { initialChanges } from '../platform/events/record.ts'
import { requireDebtor } from '../parties/debtors/debtor-lock.ts'
import type { Caller, Origin } from '../platform/http/caller.ts'
import { ApiError, FieldErrors, notFound } from '../platform/http/errors.ts'
import { requireMatch, type IfMatch } from '../platform/http/version.ts'
import type { Environment } from '../metadata/system/system-settings.changes.ts'
import {
  addPlanFee,
  bookPlanInterest,
  planCourse,
  holdPlans,
  lockCases,
  notePlan,
  writeHeldPlans,
  type LockedPlan,
} from './locked-plans.ts'
import { ruleError, planConflict, readDeviations, registeredLaterError } from './plan-input.rules.ts'
import type { PlanRecord } from './plan-record.ts'
import { findActivePlans, findPlan } from './plans.store.ts'
import { insertPlan } from './write-plans.store.ts'
import { totalClaim, computeSchedule, preparePlan } from './prepare-plan.ts'
import { hasFees, openPlanLaw, requireLawfulFees, wasToldOfCosts } from './law/lawful-plan-fees.ts'
import { requireTwoForRelief } from './relief/relief-limit.ts'
import { addInvoiceFee, endHeldPlan, runPlan } from './run-plans.ts'
import { deviateTail } from './plan-tail.ts'

export interface PlanContext {
  origin: Origin
  environment: Environment
}
export interface PlanPath {
  debtorGuid: string
  paymentplanGuid: string
}

/** Stores a proposal, or an active plan when `active` is 1. Throws a 400, 404, 409 or 422. */
export async function createPlan(
  db: Db,
  caller: Caller,
  asked: { debtorGuid: string; input: PaymentPlanInput },
  { origin, environment }: PlanContext,
): Promise<PlanRecord> {
  return inTransaction(db, async (tx) => {
    await holdDateForFew(tx)
    const record = { ...(await preparePlan(tx, caller, asked, environment)), planGuid: makeId() }
    const proposed = { record, changes: [] }
    notePlan(proposed, 'proposed', { changes: initialChanges(auditValues(record)) })
    const isActivated = asked.input.active === 1
    if (isActivated)
      await lockCases(
        tx,
        record.cases.map(({ caseGuid }) => caseGuid),
      )
    await insertPlan(tx, record)
    await insertMoney(tx, { ...emptyRows(), changes: proposed.changes }, origin)
    if (!isActivated) {
      await judgeFees(tx, caller, record, { date: record.startDate, isToldOfCosts: true })
      return record
    }
    const held = (await holdPlans(tx, [record.planGuid]))[0]!
    return activateHeld(tx, caller, { held, input: asked.input }, origin)
  })
}

/** Throws a 422 for a fee above the law. Returns the rule of the registration fee, or null. */
async function judgeFees(
  tx: Db,
  caller: Caller,
  record: PlanRecord,
  { date, isToldOfCosts }: { date: string; isToldOfCosts: boolean },
): Promise<string | null> {
  if (!hasFees(record)) return null
  const law = await openPlanLaw(tx, record.cases[0]!.caseGuid, date, isToldOfCosts)
  return requireLawfulFees(law, caller, record)
}

/** The values of a plan for the audit trail. Amounts in minor units. */
const auditValues = (record: PlanRecord) => ({
  paymentPlanType: record.planType,
  numberOfPayments: record.numberOfPayments,
  minorAmount: Number(record.levelAmount),
  currencyCode: record.currencyCode,
  minorRegistrationFee: Number(record.registrationFee),
  minorInvoiceFee: Number(record.invoiceFee),
  minorReminderFee: Number(record.reminderFee),
  minorTotal: record.rows.reduce((sum, { amount }) => sum + Number(amount), 0),
  cases: record.cases.map(({ caseNumber }) => caseNumber),
})

/** Locks a plan that the caller may see, with its cases. Throws a 404. */
async function holdPlan(
  tx: Db,
  caller: Caller,
  { debtorGuid, paymentplanGuid }: PlanPath,
): Promise<LockedPlan> {
  await holdDateForFew(tx)
  const debtor = await requireDebtor(tx, caller, debtorGuid)
  if (!(await findPlan(tx, caller, debtor, paymentplanGuid))) throw notFound('payment plan')
  return (await holdPlans(tx, [paymentplanGuid]))[0]!
}

/**
 * Activates a proposal. Throws a 404, a 409 for a plan that is no proposal or shares a case with an active
 * plan, or a 422.
 */
export async function activatePlan(
  db: Db,
  caller: Caller,
  path: PlanPath,
  origin: Origin,
): Promise<PlanRecord> {
  return inTransaction(db, async (tx) =>
    activateHeld(tx, caller, { held: await holdPlan(tx, caller, path) }, origin),
  )
}

async function activateHeld(
  tx: Db,
  caller: Caller,
  { held, input }: { held: LockedPlan; input?: PaymentPlanInput },
  origin: Origin,
): Promise<PlanRecord> {
  const { record, cases, businessDate } = held
  if (record.active !== 2)
    throw new ApiError(
      'conflict',
      record.active === 1
        ? 'The payment plan is already active.'
        : 'The payment plan has ended and cannot be activated. Create a new plan.',
    )
  requireRegistered(held, caller)
  await requireFree(tx, held)
  const owed = cases.map(({ found }) => computeOwed(found.input, businessDate))
  const { currencyCode } = record
  Object.assign(record, computeSchedule(record, owed, { businessDate, currencyCode, caller }))
  record.cases.forEach((one, index) => (one.claim = totalClaim(owed[index]!)))
  await requireTwoForRelief(tx, caller, { held, before: 0n, ...(input && { input }) }, origin)
  const isToldOfCosts = record.registrationFee > 0n && (await wasToldOfCosts(tx, record.planGuid!))
  const rule = await judgeFees(tx, caller, record, { date: businessDate, isToldOfCosts })
  record.active = 1
  record.version += 1
  held.turns = 'starts'
  for (const one of cases) {
    const started = lives.startPlan(readLifecycle(one.row))
    if (!started.ok) throw new ApiError('conflict', started.message)
    one.life = started.life
  }
  bookPlanInterest(held, record.planType === 5)
  addPlanFee(held, {
    feeType: 'planRegistration',
    amount: record.registrationFee,
    valueDate: businessDate,
    ...(rule !== null && { rule }),
  })
  for (const step of planSteps(planCourse(record), businessDate)) {
    if (step.kind !== 'invoice') break
    record.invoicedThrough = step.paymentNo
    await addInvoiceFee(tx, held, businessDate)
  }
  notePlan(held, 'activated', { changes: { active: [2, 1], startDate: [null, businessDate] } })
  await writeHeldPlans(tx, [held], origin)
  return record
}

/** Throws a 422 when the business date was moved back to before the registration of a case. */
function requireRegistered({ cases, businessDate }: LockedPlan, caller: Caller): void {
  const later = cases.find(({ row }) => row.registrationDate > businessDate)
  if (later) throw registeredLaterError(later.row, businessDate, caller)
}

/** Throws a 422 for a closed case, and a 409 for a case in another active plan. */
async function requireFree(tx: Db, { cases }: LockedPlan): Promise<void> {
  const planned = await findActivePlans(
    tx,
    cases.map(({ row }) => row.caseGuid),
  )
  for (const [index, { row }] of cases.entries()) {
    const member = `cases[${index}]`
    const other = planned.find(({ caseGuid }) => caseGuid === row.caseGuid)
    if (other) throw planConflict(member, row.caseNumber, other.planGuid)
    if (row.closureCode !== null)
      throw ruleError(member, `Case ${row.caseNumber} is closed. Create a new plan without it.`)
  }
}

/**
 * Replaces the deviations of the unpaid payments. Returns the version. Throws a 400, 404, 409, 412 or 422.
 */
export async function changePlanPayments(
  db: Db,
  caller: Caller,
  { input, ifMatch, ...path }: PlanPath & { input: PlanPaymentsInput; ifMatch: IfMatch },
  origin: Origin,
): Promise<number> {
  return inTransaction(db, async (tx) => {
    const held = await holdPlan(tx, caller, path)
    const { record, businessDate } = held
    requireMatch(ifMatch, record.version)
    if (record.active === 0)
      throw new ApiError('conflict', 'The payment plan has ended. Its payments can no longer be changed.')
    if (!input.payments) return record.version
    requireRegistered(held, caller)
    const checks = new FieldErrors(caller.language)
    const deviations = readDeviations(input.payments, record.currencyCode, checks)
    checks.throwIfAny()
    const before = record.deviations
    if (record.active === 1) {
      const left = record.leftAmount
      deviateTail(held, deviations, caller)
      await requireTwoForRelief(tx, caller, { held, before: left }, origin)
      if (record.planType !== 5) bookPlanInterest(held, false)
    } else {
      const owed = held.cases.map(({ found }) => computeOwed(found.input, businessDate))
      record.deviations = deviations
      Object.assign(
        record,
        computeSchedule(record, owed, { businessDate, currencyCode: record.currencyCode, caller }),
      )
    }
    const version = record.version + 1
    const shown = (list: typeof deviations) =>
      list.map(({ amount, ...one }) => ({ ...one, minorAmount: amount === null ? null : Number(amount) }))
    notePlan(held, 'updated', {
      data: { changed: ['payments'] },
      changes: { payments: [shown(before), shown(record.deviations)] },
    })
    if (record.active === 1) await runPlan(tx, held, { steps: false })
    record.version = version
    await writeHeldPlans(tx, [held], origin)
    return version
  })
}

/** Discards a proposal, or ends an active plan. Throws a 404, or a 409 when it has already ended. */
export async function cancelPlan(db: Db, caller: Caller, path: PlanPath, origin: Origin): Promise<void> {
  await inTransaction(db, async (tx) => {
    const held = await holdPlan(tx, caller, path)
    const { record, businessDate } = held
    if (record.active === 0)
      throw new ApiError('conflict', 'The payment plan has already ended and cannot be cancelled.')
    if (record.active === 1) await endHeldPlan(tx, held, 'CANCELLED')
    else {
      Object.assign(record, { active: 0, endReason: 'CANCELLED', endDate: businessDate })
      const changes = {
        active: [2, 0],
        endReason: [null, 'CANCELLED'],
        endDate: [null, businessDate],
      } as const
      notePlan(held, 'cancelled', { data: { endReason: 'CANCELLED' }, changes })
    }
    record.version += 1
    await writeHeldPlans(tx, [held], origin)
  })
}
