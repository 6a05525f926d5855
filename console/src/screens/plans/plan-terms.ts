/**
 * The input of the plan calculation in the browser: debts from the explanations of cases, and the typed terms. Pure.
 */
import type { CaseByGuid } from '../../../../contract/cases/all-cases.ts'
import type { CaseExplanation, Standstill } from '../../../../contract/cases/case-explanation.ts'
import type { PaymentPlanInput, PlanDeviation } from '../../../../contract/plans/payment-plan-inputs.ts'
import type { PaymentPlan, PlanPayment } from '../../../../contract/plans/payment-plans.ts'
import { toDayNumber } from '../../../../core/calendar/calendar.ts'
import { readDayCounts } from '../../../../core/interest/day-count.ts'
import { buildRateSteps } from '../../../../core/interest/interest.ts'
import { pauseRates, type InterestPause } from '../../../../core/interest/paused-rates.ts'
import type {
  PlanCase,
  PlanInterval,
  PlanOutcome,
  PlanTerms,
  PlanType,
} from '../../../../core/plans/plan-terms.ts'
import { computePlan } from '../../../../core/plans/plan.ts'
import { countDecimals } from '../../format/decimals.ts'
import type { Deviations, ScheduleRow } from './plan-table.tsx'

/** A plan's complete input: the service only adds the fee for a late payment. */
export interface PlanInput extends PaymentPlanInput {
  paymentPlanType: number
  numberOfPayments: number | null
  amount: number | null
  currencyCode: string
  registrationFee: number
  invoiceFee: number
  intervalType: number
  interval: number
  payments: { paymentNo: number; specifiedDueDate?: string; specifiedAmount?: number }[]
  cases: string[]
}

export interface OwedCase {
  record: CaseByGuid
  explanation: CaseExplanation
}

const toMinor = (amount: number, currency: string): bigint =>
  BigInt(Math.round(amount * 10 ** countDecimals(currency)))
export const toMajor = (minor: bigint, currency: string): number =>
  Number(minor) / 10 ** countDecimals(currency)

/** The remaining principal by claim, oldest due date first; each at its current rate. */
export function toPlanCase({ record, explanation }: OwedCase): PlanCase {
  const currency = explanation.currencyCode
  const find = (name: string) => explanation.figures.find(({ figure }) => figure === name)
  const principal = new Map<string | null, number>()
  for (const { invoiceGuid, amount } of find('remainingPrincipal')?.lines ?? [])
    principal.set(invoiceGuid, (principal.get(invoiceGuid) ?? 0) + amount)
  const rates = new Map(
    (find('accruedInterest')?.lines ?? [])
      .filter(({ ratePercent, toDate }) => ratePercent !== undefined && toDate === explanation.asOf)
      .map((line) => [line.invoiceGuid, String(line.ratePercent)]),
  )
  const dayCounts = readDayCounts([{ from: null, basis: explanation.dayCount }], null)
  const pauses = explanation.standstills.filter(({ kind }) => kind === 'INTEREST_PAUSE').map(toPause)
  const invoices = record.invoices
    .toSorted((a, b) => (a.dueDate ?? '').localeCompare(b.dueDate ?? ''))
    .flatMap(({ invoiceGuid }) => {
      const owed = toMinor(principal.get(invoiceGuid) ?? 0, currency)
      if (owed <= 0n) return []
      const rate = rates.get(invoiceGuid)
      const terms = rate === undefined ? ({ kind: 'none' } as const) : ({ kind: 'fixed', rate } as const)
      return [{ principal: owed, rates: pauseRates(buildRateSteps(terms, new Map(), dayCounts), pauses) }]
    })
  return {
    invoices,
    interest: toMinor(find('remainingInterest')?.amount ?? 0, currency),
    costs: toMinor(find('remainingFee')?.amount ?? 0, currency),
  }
}

/** The days of a pause, from the first to the last of them. */
const toPause = ({ fromDate, toDate }: Standstill): InterestPause => ({
  after: toDayNumber(fromDate.slice(0, 10)) - 1,
  through: toDate === null ? null : toDayNumber(toDate.slice(0, 10)),
})

/** The country counts where the plan is due on business days only. */
export function computeInput(
  owed: readonly OwedCase[],
  input: PlanInput,
  { firstDueDays, country }: { firstDueDays: number | undefined; country: string | null },
): PlanOutcome {
  const { currencyCode } = input
  const terms: PlanTerms = {
    type: input.paymentPlanType as PlanType,
    startDate: owed[0]!.explanation.asOf.slice(0, 10),
    cases: owed.map(toPlanCase),
    numberOfPayments: input.numberOfPayments,
    amount: input.amount === null ? null : toMinor(input.amount, currencyCode),
    registrationFee: toMinor(input.registrationFee, currencyCode),
    invoiceFee: toMinor(input.invoiceFee, currencyCode),
    deviations: input.payments.map(({ paymentNo, specifiedDueDate, specifiedAmount }) => ({
      paymentNo,
      dueDate: specifiedDueDate?.slice(0, 10) ?? null,
      amount: specifiedAmount === undefined ? null : toMinor(specifiedAmount, currencyCode),
    })),
    interval: { type: input.intervalType as PlanInterval['type'], count: input.interval },
    payDay: input.payDay ?? null,
    evenPayments: input.evenPayments === true,
    dueCountry: input.businessDays ? country : null,
    ...(input.firstDueDate && { firstDueDate: input.firstDueDate.slice(0, 10) }),
    ...(firstDueDays !== undefined && { firstDueDays }),
  }
  return computePlan(terms)
}

/** A plan's payments as a schedule: the balance after each is the principal of those that follow. */
export function toSchedule({ payments }: Pick<PaymentPlan, 'payments'>): ScheduleRow[] {
  let balance = 0
  return payments
    .toReversed()
    .map(({ paymentNo, dueDate, instalment, interest, fee, amount }) => {
      const row = { paymentNo, dueDate, instalment, interest, fee, amount, balance }
      balance = Math.round((balance + instalment) * 10_000) / 10_000
      return row
    })
    .toReversed()
}

/** True if a payment can still be changed. An omitted payment is neither paid nor owed. */
export const isOpenPayment = ({ unpaid, amount, paidDate }: PlanPayment): boolean =>
  unpaid > 0 || (amount === 0 && !paidDate)

/** The deviations of unpaid payments, as the editor needs them. */
export function readDeviations({ payments, deviations = [] }: PaymentPlan): Deviations {
  const open = new Set(payments.filter(isOpenPayment).map(({ paymentNo }) => paymentNo))
  return Object.fromEntries(
    deviations
      .filter(({ paymentNo }) => open.has(paymentNo))
      .map(({ paymentNo, specifiedDueDate, specifiedAmount }) => [
        paymentNo,
        {
          ...(specifiedDueDate && { dueDate: specifiedDueDate.slice(0, 10) }),
          ...(specifiedAmount !== null && specifiedAmount !== undefined && { amount: specifiedAmount }),
        },
      ]),
  )
}

/** The same as the service needs them. A payment made meanwhile is omitted: it stays as it is. */
export const toPlanPayments = (
  deviations: Deviations,
  isOpen: (paymentNo: number) => boolean,
): PlanDeviation[] =>
  Object.entries(deviations)
    .map(([paymentNo, { dueDate, amount }]) => ({
      paymentNo: Number(paymentNo),
      ...(dueDate !== undefined && { specifiedDueDate: `${dueDate}T00:00:00Z` }),
      ...(amount !== undefined && { specifiedAmount: amount }),
    }))
    .filter(({ paymentNo }) => isOpen(paymentNo))
