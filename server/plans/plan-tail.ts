/**
 * Changes the deviations of an active plan: recomputes its unpaid payments from the balances of the day.
 * Pure.
 */
import { computeAnnualPercentage, computePlan } from '../../core/plans/plan.ts'
import { splitPaid } from '../../core/plans/plan-progress.ts'
import { computeOwed, computePaid } from '../../core/plans/plan-balances.ts'
import { findPeriods } from '../../core/plans/schedule/plan-periods.ts'
import type { PlanDeviation, PlanTail } from '../../core/plans/plan-terms.ts'
import { findReader } from '../platform/dictionary/reader.ts'
import type { Caller } from '../platform/http/caller.ts'
import type { LockedPlan } from './locked-plans.ts'
import { ruleError, planRefusal } from './plan-input.rules.ts'
import { buildSchedule, buildPlanTerms, type PlanRecord } from './plan-record.ts'

/** The number of the last payment in the paid part. A payment of zero counts as paid from its due date on. */
function findPaidThrough({ rows }: PlanRecord, today: string): number {
  let through = 0
  for (const { paymentNo, amount, paid, dueDate } of rows) {
    if (paid < amount) break
    if (amount > 0n || dueDate < today) through = paymentNo
  }
  return through
}

/**
 * Applies deviations to the unpaid payments of a locked plan. Throws a 409 for a paid payment, and a 400 or
 * 422.
 */
export function deviateTail(
  held: LockedPlan,
  deviations: PlanDeviation[],
  caller: Pick<Caller, 'language'>,
): void {
  const { record, cases, businessDate } = held
  const paidThrough = findPaidThrough(record, businessDate)
  const made = record.rows.slice(0, paidThrough)
  const next = record.rows[paidThrough]
  requireNotBelowPaid(record, deviations, caller)
  const tail: PlanTail = {
    paidThrough,
    ...(made.length > 0 && { lastDueDate: made.at(-1)!.dueDate }),
    ...(next && next.paid > 0n && { partlyPaid: splitPaid(next.paid, sumTaken(held), made) }),
    invoicedThrough: record.invoicedThrough,
    ...(record.planType === 5 && { claims: record.cases.map(({ claim }) => claim) }),
  }
  const owed = cases.map(({ found }) => computeOwed(found.input, businessDate))
  const firstDueDate = record.countedFrom ?? record.rows[0]!.dueDate
  const outcome = computePlan(buildPlanTerms(record, owed, businessDate, { tail, firstDueDate, deviations }))
  if (!outcome.ok) throw planRefusal(outcome.error, record.currencyCode, caller)
  const computed = buildSchedule(outcome.plan)
  const before = new Map(record.rows.map((row) => [row.paymentNo, row]))
  const rows = made.concat(
    computed.rows.map((row) => {
      const missedDate = before.get(row.paymentNo)?.missedDate ?? null
      return { ...row, missedDate: row.dueDate < businessDate ? missedDate : null }
    }),
  )
  Object.assign(record, {
    rows,
    numberOfPayments: rows.length,
    levelAmount: computed.levelAmount,
    leftAmount: computed.leftAmount,
    deviations: [...record.deviations.filter(({ paymentNo }) => paymentNo <= paidThrough), ...deviations],
    periods: findPeriods(rows, { type: record.intervalType, count: record.intervalCount }),
    annualPercentage:
      record.planType === 5
        ? null
        : computeAnnualPercentage({
            startDate: record.startDate,
            claim: record.claim,
            payments: rows,
            left: computed.leftAmount,
            interval: { type: record.intervalType, count: record.intervalCount },
          }),
  })
}

/** What the ledgers took of the plan's payments, by part. Zero for debt relief, which has no parts. */
function sumTaken({ record, cases, businessDate }: LockedPlan) {
  const taken = { fee: 0n, interest: 0n, instalment: 0n }
  if (record.planType === 5) return taken
  for (const [index, { found }] of cases.entries()) {
    const paid = computePaid(found.input, businessDate, record.cases[index]!.movementsBefore ?? 0)
    taken.fee += paid.costs
    taken.interest += paid.interest
    taken.instalment += paid.principal
  }
  return taken
}

/** Throws a 422 when a partly paid payment would become less than what was paid. */
function requireNotBelowPaid(
  { rows, currencyCode }: PlanRecord,
  deviations: readonly PlanDeviation[],
  { language }: Pick<Caller, 'language'>,
): void {
  for (const [index, { paymentNo, amount }] of deviations.entries()) {
    const paid = rows[paymentNo - 1]?.paid ?? 0n
    if (amount === null || amount === undefined || amount >= paid) continue
    const open = paid < rows[paymentNo - 1]!.amount
    if (!open) continue
    throw ruleError(
      `payments[${index}].specifiedAmount`,
      `Payment ${paymentNo} is partly paid. Enter at least ${findReader(language).formats.money(paid, currencyCode)}, the amount already paid.`,
    )
  }
}
