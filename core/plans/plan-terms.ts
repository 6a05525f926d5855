/** What a payment plan is computed from, and the outcomes: the words that the files about plans share. */
import type { RateSteps } from '../interest/interest.ts'

/** How many days a year has for interest. */
export type DayCount = 'actual/365' | '30/360' | 'actual/actual'

/** 1 annuity, 2 annuity limited, 3 linear, 4 linear limited, 5 debt relief. */
export type PlanType = 1 | 2 | 3 | 4 | 5

/** 1 day, 2 week, 3 month, 4 year; `count` of them from one due date to the next. */
export interface PlanInterval {
  type: 1 | 2 | 3 | 4
  count: number
}

/** Principal with interest terms of its own. */
export interface PlanInvoice {
  principal: bigint
  /** What `rateStepsOf` makes of the interest terms. */
  rates: RateSteps
  /** Interest runs from the day after, if that is later than the plan's start. */
  interestFrom?: string
}

/** What is owed on a case on the plan's start date, in minor units of the plan's currency. */
export interface PlanCase {
  /** Oldest first. */
  invoices: readonly PlanInvoice[]
  /** Interest up to and including the start date. */
  interest: bigint
  costs: bigint
}

/** A payment that deviates in its date or in the whole of what is paid. */
export interface PlanDeviation {
  paymentNo: number
  dueDate?: string | null
  amount?: bigint | null
}

/** Where an active plan stands, so that only its unpaid payments are computed. The cases are as owed on `startDate`. */
export interface PlanTail {
  /** Payments up to this number are paid and stay as they are. */
  paidThrough: number
  /** The due date of the last of them, if any. */
  lastDueDate?: string
  /** What has been paid already of the payment after it. */
  partlyPaid?: { fee: bigint; interest: bigint; instalment: bigint }
  /** Payments up to this number have their invoice fee among the cases' costs already. */
  invoicedThrough?: number
  /** Of debt relief: the claims at the decision, by which payments are shared, in the order of the cases. */
  claims?: readonly bigint[]
}

export interface PlanTerms {
  type: PlanType
  /** The day of the decision: what is owed is counted to it, interest runs from the day after. */
  startDate: string
  /** Oldest first: principal is paid in this order. */
  cases: readonly PlanCase[]
  /** Number of payments; of types 1 and 3 this or `amount`, of the others both. Of debt relief without free months. */
  numberOfPayments?: number | null
  /** What is paid per period (types 1, 2, 5) or of principal per period (3, 4). */
  amount?: bigint | null
  registrationFee?: bigint
  invoiceFee?: bigint
  deviations?: readonly PlanDeviation[]
  /** Every month unless said otherwise. */
  interval?: PlanInterval
  /** Payment 1 is due so many days after the start (30), unless it has a deviating date or `firstDueDate` is given. */
  firstDueDays?: number
  /** The date from which all others are counted. With `tail` it is needed: when the plan's payment 1 was due. */
  firstDueDate?: string
  /** The months (1 to 12) in which debt relief asks for no payment. */
  freeMonths?: readonly number[]
  /** An invoice is dated so many days before its due date (14), not before the start. */
  invoiceDaysBefore?: number
  /** Actual/365 unless said otherwise. */
  dayCount?: DayCount
  /**
   * How interest is rounded per case and period, and the level amount: half up unless said otherwise. `none` computes in
   * a unit so much finer that nothing is lost, and rounds what is shown.
   */
  rounding?: 'half-up' | 'half-even' | 'none'
  tail?: PlanTail
}

export interface PlanRow {
  paymentNo: number
  invoiceDate: string
  dueDate: string
  /** Days of interest: the first excluded, the due date included. */
  days: number
  instalment: bigint
  interest: bigint
  fee: bigint
  /** The three together. */
  amount: bigint
  /** What of the amount is not yet paid: all of it, except of a payment that was partly paid before. */
  unpaid: bigint
  /** Principal (of debt relief: claim) that is left afterwards. */
  balance: bigint
  /** 1 total amount, 2 principal amount, 3 specified. */
  paymentType: 1 | 2 | 3
  /** Of debt relief: what each case gets, in the order of the cases. */
  shares?: bigint[]
}

export interface PlanPeriod {
  periodNo: number
  intervalType: 1 | 2 | 3 | 4
  interval: number
  paymentType: 1 | 2 | 3
  startDate: string
  endDate: string
  amount: bigint
}

export interface PaymentPlan {
  type: PlanType
  startDate: string
  numberOfPayments: number
  /** What is paid (of principal in types 3 and 4) in a payment that neither deviates nor clears the rest. */
  levelAmount: bigint
  rows: PlanRow[]
  periods: PlanPeriod[]
  totals: { amount: bigint; principal: bigint; interest: bigint; fee: bigint }
  /** All that was owed on the start date. */
  claim: bigint
  /** What is left after the last payment: outstanding (types 2 and 4) or to be written off (5). */
  left: { total: bigint; principal: bigint; interest: bigint; fee: bigint; byCase: bigint[] }
  /** Per cent, half up to two decimals; null for debt relief, for a tail, and where no rate exists or it is above 10^13. */
  annualPercentage: number | null
}

/** Why there is no plan. `index` counts in `deviations`. */
export type PlanError =
  | { code: 'wrong-combination'; needs: 'one' | 'both' }
  | { code: 'out-of-range'; member: 'numberOfPayments'; least: number; most: number }
  | { code: 'out-of-range'; member: 'amount' | 'registrationFee' | 'invoiceFee'; least: bigint }
  | { code: 'out-of-range'; member: 'deviation-amount'; index: number; least: bigint }
  | { code: 'nothing-owed' }
  /** Amounts or sums of 2^53 minor units or more. */
  | { code: 'too-large' }
  /** The debt is not repaid within 600 payments, or of a limited plan does not shrink. `leastAmount` would do. */
  | { code: 'never-repays'; leastAmount: bigint }
  | { code: 'deviation-unknown'; index: number; paymentNo: number; lastPaymentNo: number }
  | { code: 'deviation-paid'; index: number; paymentNo: number; paidThrough: number }
  | { code: 'deviation-twice'; index: number; paymentNo: number }
  /** The date has to be after `after` (or on it when `orOn`), and before `before` if there is one. */
  | {
      code: 'dates-out-of-order'
      index: number
      paymentNo: number
      dueDate: string
      after: string
      orOn: boolean
      before: string | null
    }

export type PlanOutcome = { ok: true; plan: PaymentPlan } | { ok: false; error: PlanError }

/** No plan has more payments. */
export const mostPayments = 600
