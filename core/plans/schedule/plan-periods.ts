/** The periods of a plan: the longest runs of payments with the same type, interval and amount. */
import type { PlanInterval, PlanPeriod, PlanRow } from '../plan-terms.ts'

type PeriodRow = Pick<PlanRow, 'paymentType' | 'instalment' | 'amount' | 'dueDate'>

/**
 * The amount of a period is the payment, or for payment type 2 the principal, which is then the constant
 * part.
 */
export function findPeriods(rows: readonly PeriodRow[], interval: PlanInterval): PlanPeriod[] {
  const periods: PlanPeriod[] = []
  for (const { paymentType, instalment, amount: total, dueDate } of rows) {
    const amount = paymentType === 2 ? instalment : total
    const current = periods.at(-1)
    if (current && current.paymentType === paymentType && current.amount === amount) {
      current.endDate = dueDate
      continue
    }
    periods.push({
      periodNo: periods.length + 1,
      intervalType: interval.type,
      interval: interval.count,
      paymentType,
      startDate: dueDate,
      endDate: dueDate,
      amount,
    })
  }
  return periods
}
