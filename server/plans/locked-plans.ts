/** Locks plans together with their cases, collects what to book on them, and writes all of it. */
import type { EventAction } from '../../contract/platform/event-types.ts'
import type { AllocationOrderCode } from '../../core/ledger/allocation.ts'
import type { CaseLifecycle } from '../../core/cases/case-lifecycle.ts'
import type { MovementEffect } from '../../core/ledger/case-movement.ts'
import { termsInForce } from '../../core/plans/plan-balances.ts'
import { nextStepDate, type PlanCourse } from '../../core/plans/plan-progress.ts'
import { toBookedCase } from '../ledger/booked-case.ts'
import { bookMovements, type BookedCase, type NewMovement } from '../ledger/booking.ts'
import { caseRowSelect, readLifecycle, noteLifecycle, type CaseRow } from '../claims/case-lock.ts'
import { loadHistories } from '../ledger/ledger.store.ts'
import { insertMoney, emptyRows } from '../claims/money-rows.store.ts'
import { makeId } from '../platform/database/make-id.ts'
import { runStatement } from '../platform/database/statement.ts'
import type { Db } from '../platform/database/transaction.ts'
import type { Change } from '../platform/events/record.ts'
import type { Origin } from '../platform/http/caller.ts'
import { lockPlans } from './plans.store.ts'
import { endPlanCases, revivePlanCases, startPlanCases, updatePlans } from './write-plans.store.ts'
import type { PlanRecord } from './plan-record.ts'

export interface LockedPlanCase {
  row: CaseRow
  found: BookedCase
  movements: NewMovement[]
  /** The new lifecycle. Null leaves it to the booking. */
  life: CaseLifecycle | null
}

export interface LockedPlan {
  record: PlanRecord
  /** In the order of the plan. */
  cases: LockedPlanCase[]
  /** Payments on the plan, in order of value date. */
  payments: { amount: bigint; valueDate: string }[]
  changes: Change[]
  businessDate: string
  /** Whether the cases enter the plan, return to it, or leave it. */
  turns: 'starts' | 'revives' | 'ends' | null
}

/**
 * Locks cases for a plan that is about to be inserted and activated. The plan's rows refer to the cases, which locks them
 * for sharing; without this lock, two such transactions would each wait for the other's shared lock.
 */
export async function lockCases(tx: Db, caseGuids: readonly string[]): Promise<void> {
  await tx`select from debt_case where id = any(${[...caseGuids]}::uuid[]) order by id for no key update`
}

/** Locks the plans' cases in the order of their identifiers, then the plans. Call `holdDate` first. */
export async function holdPlans(tx: Db, planGuids: readonly string[]): Promise<LockedPlan[]> {
  if (planGuids.length === 0) return []
  const held = await runStatement<CaseRow>(
    tx,
    `select ${caseRowSelect} from debt_case c
     where c.id in (select case_id from payment_plan_case where plan_id = any($1::uuid[])) order by c.id for no key update`,
    [planGuids],
    { prepare: true },
  )
  const records = await lockPlans(tx, planGuids)
  const caseGuids = held.map(({ caseGuid }) => caseGuid)
  const [histories, payments] = await Promise.all([loadHistories(tx, caseGuids), findPayments(tx, planGuids)])
  const cases = new Map(
    held.map((row, index) => [row.caseGuid, { row, found: toBookedCase(row, histories[index]!) }]),
  )
  return records.map((record) => ({
    record,
    cases: record.cases.map(({ caseGuid }) => ({ ...cases.get(caseGuid)!, movements: [], life: null })),
    payments: payments.get(record.planGuid!) ?? [],
    changes: [],
    businessDate: histories[0]!.businessDate,
    turns: null,
  }))
}

/** The unreversed payments on each plan's cases while they were in the plan. */
async function findPayments(
  tx: Db,
  planGuids: readonly string[],
): Promise<Map<string, { amount: bigint; valueDate: string }[]>> {
  const rows = await tx<{ planGuid: string; amount: number; valueDate: string }[]>`
    select pc.plan_id as "planGuid", m.amount, m.value_date as "valueDate"
    from payment_plan_case pc join movement m on m.case_id = pc.case_id and m.number > pc.movements_before
      and m.number <= coalesce(pc.movements_through, 2147483647)
    where pc.plan_id = any(${[...planGuids]}::uuid[]) and m.kind in ('payment', 'thirdPartyPayment', 'creditUse')
      and not exists (select from movement r where r.reverses_id = m.id)
    order by m.value_date, m.id`
  const payments = new Map<string, { amount: bigint; valueDate: string }[]>()
  for (const { planGuid, amount, valueDate } of rows) {
    const list = payments.get(planGuid) ?? []
    payments.set(planGuid, list)
    list.push({ amount: BigInt(amount), valueDate })
  }
  return payments
}

/** Adds a movement to a locked case. */
export function addMovement(
  one: LockedPlanCase,
  effect: MovementEffect,
  valueDate: string,
  more: { details?: Record<string, unknown>; order?: AllocationOrderCode } = {},
): void {
  one.movements.push({ id: makeId(), effect, valueDate, ...more })
}

/** The fees of a plan, by their names in the books. */
export type PlanFeeType = 'planRegistration' | 'planInvoice' | 'planReminder'

/** The oldest case with a balance. */
export const findFeeCase = (cases: readonly LockedPlanCase[]): LockedPlanCase | undefined =>
  cases.find(({ row }) => row.closureCode === null && row.remainingMinor > 0)

/** Adds a fee to the oldest case with a balance. Adds nothing when no case owes anything. */
export function addPlanFee(
  { cases, record }: LockedPlan,
  fee: { feeType: PlanFeeType; amount: bigint; valueDate: string; rule?: string },
): void {
  const one = findFeeCase(cases)
  if (!one || fee.amount === 0n) return
  const { amount, valueDate, ...kind } = fee
  addMovement(one, { kind: 'fee', amount }, valueDate, { details: { ...kind, planGuid: record.planGuid } })
}

/**
 * Posts interest up to the business date, so that plan and ledger round the interest of each row alike. It
 * does so by giving the cases their current terms again. With `stops`, for debt relief, interest stops on
 * that day.
 */
export function bookPlanInterest({ record, cases, businessDate }: LockedPlan, stops: boolean): void {
  const { planGuid } = record
  for (const one of cases) {
    if (one.row.closureCode !== null) continue
    const { terms, claims } = termsInForce(one.found.input, businessDate)
    const own = stops ? claims.flatMap((claim) => (claim.terms ? [claim.id] : [])) : []
    for (const claim of [null, ...own]) {
      const given = stops ? ({ kind: 'none' } as const) : terms
      addMovement(one, { kind: 'terms', terms: given, claim }, businessDate, { details: { planGuid } })
    }
  }
}

/** Adds an event and audit entry of the plan. */
export function notePlan(
  held: Pick<LockedPlan, 'record' | 'changes'>,
  action: EventAction<'paymentplan'>,
  { data = {}, changes = {} }: { data?: Record<string, unknown>; changes?: Change['changes'] } = {},
): void {
  const { record } = held
  const planGuid = record.planGuid!
  record.eventSequence += 1
  held.changes.push({
    type: `paymentplan.${action}`,
    entityId: planGuid,
    subject: planGuid,
    sequence: record.eventSequence,
    data: { debtorGuid: record.debtorGuid, paymentPlanGuid: planGuid, ...data },
    changes,
  })
}

export const planCourse = (record: PlanRecord): PlanCourse => ({
  rows: record.rows,
  invoicedThrough: record.invoicedThrough,
  graceDays: record.graceDays,
  missesToBreach: record.missesToBreach,
})

/** Books the collected movements on the cases and writes the plans. */
export async function writeHeldPlans(tx: Db, plans: readonly LockedPlan[], origin: Origin): Promise<void> {
  const rows = emptyRows()
  for (const { row, found, movements, life } of plans.flatMap(({ cases }) => cases)) {
    if (movements.length === 0 && life === null) continue
    const note =
      life &&
      noteLifecycle(row.caseGuid, readLifecycle(row), life, life.closureCode ? 'closed' : 'status_changed')
    const notes = note && Object.keys(note.changes).length > 0 ? [note] : []
    const booking = bookMovements(rows, found, { movements, notes, ...(life && { life }) })
    rows.caseUpdates.push(booking.columns)
  }
  rows.changes.push(...plans.flatMap(({ changes }) => changes))
  await insertMoney(tx, rows, origin)
  await updatePlans(
    tx,
    plans.map(({ record }) => ({
      record,
      nextCheck: record.active === 1 ? nextStepDate(planCourse(record)) : null,
    })),
  )
  for (const { record, turns } of plans) {
    if (turns === 'starts') await startPlanCases(tx, record)
    if (turns === 'revives') await revivePlanCases(tx, record.planGuid!)
  }
  const ended = plans.flatMap(({ record, turns }) => (turns === 'ends' ? [record.planGuid!] : []))
  if (ended.length > 0) await endPlanCases(tx, ended)
}
