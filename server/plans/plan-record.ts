/** A payment plan as stored, and its conversion to the API shape. Amounts are bigint minor units. */
import type { PaymentPlan } from '../../contract/plans/payment-plans.ts'
import { toMidnight } from '../../core/calendar/date-time.ts'
import { countDecimals } from '../../core/money/money.ts'
import type {
  PaymentPlan as ComputedPlan,
  PlanCase as OwedCase,
  PlanDeviation,
  PlanInterval,
  PlanPeriod,
  PlanTail,
  PlanTerms,
  PlanType,
} from '../../core/plans/plan-terms.ts'

export interface PlanFees {
  registrationFee: bigint
  invoiceFee: bigint
  reminderFee: bigint
}

/** The terms from which a plan is computed, without the balances of its cases. */
export interface RequestedPlan extends PlanFees {
  planType: PlanType
  askedNumber: number | null
  askedAmount: bigint | null
  firstDueDays: number
  intervalType: PlanInterval['type']
  intervalCount: number
  askedFirstDue: string | null
  payDay: number | null
  /** The country on whose business days payments fall due. Null: due dates stay where they are. */
  dueCountry: string | null
  evenPayments: boolean
  closingPayment: boolean
  freeMonths: number[]
  graceDays: number
  missesToBreach: number
  deviations: PlanDeviation[]
}

export interface RecordedPayment {
  paymentNo: number
  invoiceDate: string
  dueDate: string
  instalment: bigint
  interest: bigint
  fee: bigint
  amount: bigint
  paymentType: 1 | 2 | 3
  paid: bigint
  paidDate: string | null
  missedDate: string | null
}

export interface RecordedCase {
  caseGuid: string
  caseNumber: string
  clientReference: string | null
  clientGuid: string
  claim: bigint
  /** Movements with a higher number pay the plan. Null until the plan is active. */
  movementsBefore: number | null
}

/** The computed part of a plan. */
export interface Schedule {
  startDate: string
  numberOfPayments: number
  /** The date from which due dates are counted. Null for a plan made before this was stored. */
  countedFrom: string | null
  levelAmount: bigint
  claim: bigint
  leftAmount: bigint
  annualPercentage: number | null
  periods: PlanPeriod[]
  rows: RecordedPayment[]
}

export interface PlanRecord extends RequestedPlan, Schedule {
  planGuid: string | null
  debtorGuid: string
  active: 0 | 1 | 2
  endReason: EndReason | null
  endDate: string | null
  registrationDate: string
  currencyCode: string
  invoicedThrough: number
  /** The oldest first. */
  cases: RecordedCase[]
  version: number
  eventSequence: number
}

export type EndReason = 'COMPLETED' | 'BREACHED' | 'CANCELLED'

/** The terms for core's calculation; `owed` is in the order of the plan's cases. */
export const buildPlanTerms = (
  asked: RequestedPlan,
  owed: readonly OwedCase[],
  startDate: string,
  tail?: { tail: PlanTail; firstDueDate: string; deviations: PlanDeviation[] },
): PlanTerms => ({
  type: asked.planType,
  startDate,
  cases: owed,
  numberOfPayments: asked.askedNumber,
  amount: asked.askedAmount,
  registrationFee: tail ? 0n : asked.registrationFee,
  invoiceFee: asked.invoiceFee,
  deviations: asked.deviations,
  interval: { type: asked.intervalType, count: asked.intervalCount },
  firstDueDays: asked.firstDueDays,
  freeMonths: asked.freeMonths,
  ...(asked.askedFirstDue !== null && { firstDueDate: asked.askedFirstDue }),
  payDay: asked.payDay,
  dueCountry: asked.dueCountry,
  evenPayments: asked.evenPayments,
  ...tail,
})

export const buildSchedule = (plan: ComputedPlan): Schedule => ({
  startDate: plan.startDate,
  numberOfPayments: plan.numberOfPayments,
  countedFrom: plan.countedFrom,
  levelAmount: plan.levelAmount,
  claim: plan.claim,
  leftAmount: plan.left.total,
  annualPercentage: plan.annualPercentage,
  periods: plan.periods,
  rows: plan.rows.map((row) => ({
    paymentNo: row.paymentNo,
    invoiceDate: row.invoiceDate,
    dueDate: row.dueDate,
    instalment: row.instalment,
    interest: row.interest,
    fee: row.fee,
    amount: row.amount,
    paymentType: row.paymentType,
    paid: row.amount - row.unpaid,
    paidDate: null,
    missedDate: null,
  })),
})

/** What the level amount covers: 1 for the whole payment, 2 for the instalment of principal. */
export const findLevelType = (planType: PlanType): 1 | 2 => (planType === 3 || planType === 4 ? 2 : 1)

/** The number of unpaid payments. Zero for an ended plan. */
export const countRemaining = ({ active, rows }: Pick<PlanRecord, 'active' | 'rows'>): number =>
  active === 0 ? 0 : rows.filter(({ amount, paid }) => paid < amount).length

/** What was asked of the plan, without what is off or was not given. */
function shapeSettings(record: PlanRecord) {
  return {
    ...(record.askedFirstDue !== null && { firstDueDate: toMidnight(record.askedFirstDue) }),
    ...(record.payDay !== null && { payDay: record.payDay }),
    ...(record.dueCountry !== null && { businessDays: true }),
    ...(record.evenPayments && { evenPayments: true }),
    ...(record.closingPayment && { closingPayment: true }),
  }
}

/** The API shape of a plan (D14, D15 and D18). */
export function shapePlan(record: PlanRecord): PaymentPlan {
  const { currencyCode: currency, rows } = record
  // Dividing two exact doubles gives the double nearest to the decimal amount.
  const unit = 10 ** countDecimals(currency)
  const money = (minor: bigint) => Number(minor) / unit
  const total = (part: 'amount' | 'instalment' | 'interest' | 'fee') =>
    money(rows.reduce((sum, row) => sum + row[part], 0n))
  return {
    paymentPlanGuid: record.planGuid,
    registrationDate: toMidnight(record.registrationDate),
    active: record.active,
    paymentPlanType: record.planType,
    numberOfPayments: record.numberOfPayments,
    remainingNumberOfPayments: countRemaining(record),
    currencyCode: currency,
    feeCurrencyCode: currency,
    registrationFee: money(record.registrationFee),
    invoiceFee: money(record.invoiceFee),
    reminderFee: money(record.reminderFee),
    totalAmount: total('amount'),
    totalPrincipal: total('instalment'),
    totalInterest: total('interest'),
    totalFee: total('fee'),
    annualPercentage: record.annualPercentage,
    ...shapeSettings(record),
    payments: rows.map((row) => ({
      paymentNo: row.paymentNo,
      invoiceDate: toMidnight(row.invoiceDate),
      dueDate: toMidnight(row.dueDate),
      paidDate: row.paidDate && toMidnight(row.paidDate),
      instalment: money(row.instalment),
      interest: money(row.interest),
      fee: money(row.fee),
      amount: money(row.amount),
      unpaid: money(row.amount - row.paid),
    })),
    cases: record.cases.map(({ caseGuid, caseNumber, clientReference, clientGuid }) => ({
      caseGuid,
      caseNumber,
      clientReference,
      clientGuid,
    })),
    periods: record.periods.map(({ amount, startDate, endDate, ...period }) => ({
      ...period,
      startDate: toMidnight(startDate),
      endDate: toMidnight(endDate),
      amount: money(amount),
    })),
    ...(record.deviations.length > 0 && {
      deviations: record.deviations.map(({ paymentNo, dueDate, amount }) => ({
        paymentNo,
        ...(dueDate && { specifiedDueDate: toMidnight(dueDate) }),
        ...(amount !== null && amount !== undefined && { specifiedAmount: money(amount) }),
      })),
    }),
    ...(record.endReason !== null && {
      endReason: record.endReason,
      endDate: toMidnight(record.endDate!),
    }),
  }
}
