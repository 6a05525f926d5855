/** The last payment of a plan whose payments are all paid, but late: the interest and fees of the delay. */
import { addDays, latest } from '../../core/calendar/calendar.ts'
import { nextBusinessDay } from '../../core/calendar/public-holidays.ts'
import { computeOwed } from '../../core/plans/plan-balances.ts'
import { mostPayments, type PlanCase } from '../../core/plans/plan-terms.ts'
import { computeAnnualPercentage, computePlan } from '../../core/plans/plan.ts'
import { findPeriods } from '../../core/plans/schedule/plan-periods.ts'
import { totalClaim } from '../../core/plans/schedule/plan-schedule.ts'
import { bookPlanInterest, notePlan, type LockedPlan } from './locked-plans.ts'
import { buildSchedule } from './plan-record.ts'

const nothing: PlanCase = { invoices: [], interest: 0n, costs: 0n }

/**
 * Adds the closing payment if the plan has that setting, every payment is paid, and more remains than the tolerance of
 * the cases and the rounding. It has no invoice fee. Returns whether it did.
 */
export function addClosingPayment(held: LockedPlan): boolean {
  const { record, cases, businessDate } = held
  const { rows } = record
  if (!record.closingPayment || rows.length >= mostPayments) return false
  if (rows.some(({ paid, amount }) => paid < amount)) return false
  const owed = cases.map(({ row, found }) => {
    if (row.closureCode !== null) return nothing
    const one = computeOwed(found.input, businessDate)
    return totalClaim(one) > found.input.tolerance ? one : nothing
  })
  const rest = owed.reduce((sum, one) => sum + totalClaim(one), 0n)
  // Plan and ledger may round by one minor unit per case and payment.
  if (rest <= BigInt(cases.length * rows.length)) return false
  const paymentNo = rows.length + 1
  const lastDueDate = rows.at(-1)!.dueDate
  const outcome = computePlan({
    type: 1,
    startDate: businessDate,
    cases: owed,
    numberOfPayments: paymentNo,
    firstDueDate: record.countedFrom ?? rows[0]!.dueDate,
    interval: { type: record.intervalType, count: record.intervalCount },
    tail: { paidThrough: rows.length, lastDueDate, invoicedThrough: paymentNo },
    deviations: [{ paymentNo, dueDate: findDueDate(held, lastDueDate) }],
  })
  if (!outcome.ok) return false
  rows.push(...buildSchedule(outcome.plan).rows)
  const interval = { type: record.intervalType, count: record.intervalCount }
  Object.assign(record, {
    numberOfPayments: paymentNo,
    askedNumber: record.askedNumber === null ? null : paymentNo,
    invoicedThrough: paymentNo,
    periods: findPeriods(rows, interval),
    annualPercentage: computeAnnualPercentage({
      startDate: record.startDate,
      claim: record.claim,
      payments: rows,
      left: 0n,
      interval,
    }),
  })
  bookPlanInterest(held, false)
  const added = rows.at(-1)!
  notePlan(held, 'updated', {
    data: { changed: ['payments'] },
    changes: {
      closingPayment: [null, { paymentNo, dueDate: added.dueDate, minorAmount: Number(added.amount) }],
    },
  })
  return true
}

/** As long after today as a first payment, after the last one, and on a business day where the plan has those. */
function findDueDate({ record, businessDate }: LockedPlan, lastDueDate: string): string {
  const date = latest(addDays(businessDate, record.firstDueDays), addDays(lastDueDate, 1))
  return record.dueCountry === null ? date : nextBusinessDay(date, record.dueCountry)
}
