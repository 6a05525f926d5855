/** Input and results of payment plan computations: the types shared by the files about plans. */
import type { RateSteps } from '../interest/interest.ts'

/** The day count convention for interest. */
export type DayCount = 'actual/365' | '30/360' | 'actual/actual'

/** 1 annuity, 2 annuity limited, 3 linear, 4 linear limited, 5 debt relief. */
export type PlanType = 1 | 2 | 3 | 4 | 5

/** 1 day, 2 week, 3 month, 4 year; `count` of them between due dates. */
export interface PlanInterval {
  type: 1 | 2 | 3 | 4
  count: number
}

/** Principal with its own interest terms. */
export interface PlanInvoice {
  principal: bigint
  /** The result of `buildRateSteps` for the interest terms. */
  rates: RateSteps
  /** Interest runs from the day after, if that is later than the plan's start. */
  interestFrom?: string
}

/** The amounts owed on a case on the plan's start date, in minor units of the plan's currency. */
export interface PlanCase {
  /** Oldest first. */
  invoices: readonly PlanInvoice[]
  /** Interest up to and including the start date. */
  interest: bigint
  costs: bigint
}

/** A payment with its own due date or its own total amount. */
export interface PlanDeviation {
  paymentNo: number
  dueDate?: string | null
  amount?: bigint | null
}

/** The state of an active plan whose unpaid payments are recomputed. Cases are as owed on `startDate`. */
export interface PlanTail {
  /** Payments up to this number are paid and stay unchanged. */
  paidThrough: number
  /** The due date of the last paid payment, if any. */
  lastDueDate?: string
  /** The part already paid of the next payment. */
  partlyPaid?: { fee: bigint; interest: bigint; instalment: bigint }
  /** For payments up to this number the cases' costs already include the invoice fee. */
  invoicedThrough?: number
  /**
   * For debt relief: the claims when it was granted, in the order of the cases. Payments are shared by them.
   */
  claims?: readonly bigint[]
}

export interface PlanTerms {
  type: PlanType
  /** The reference date of the amounts owed. Interest runs from the day after. */
  startDate: string
  /** The oldest first. Principal is paid in this order. */
  cases: readonly PlanCase[]
  /**
   * Number of payments. Types 1 and 3 take this or `amount`, the others take both. Debt relief does not count
   * free months.
   */
  numberOfPayments?: number | null
  /** The amount per period (types 1, 2 and 5), or the principal per period (types 3 and 4). Minor units. */
  amount?: bigint | null
  registrationFee?: bigint
  invoiceFee?: bigint
  deviations?: readonly PlanDeviation[]
  /** Default: one month. */
  interval?: PlanInterval
  /**
   * Days from the start to payment 1 (default 30), unless that has a deviating date or `firstDueDate` is
   * given.
   */
  firstDueDays?: number
  /**
   * The date from which all due dates are counted. Required with `tail`: the due date of the plan's payment
   * 1.
   */
  firstDueDate?: string
  /**
   * The day of the month (1 to 31, or the last) of the due dates after the first; and of the first, unless a date is
   * given for it: then the first pay day on or after `firstDueDays`. Only with an interval of months or years.
   */
  payDay?: number | null
  /** Country (alpha-2) on whose business days payments fall due. A deviating date stays. Null: dates stay. */
  dueCountry?: string | null
  /**
   * Spreads the rounding of the level amount, so that payments differ by one unit at most. Only for a plan with a
   * given number of payments (types 1 and 3).
   */
  evenPayments?: boolean
  /** The months (1 to 12) without payments in debt relief. */
  freeMonths?: readonly number[]
  /** Days from the invoice date to the due date (default 14). The invoice date is not before the start. */
  invoiceDaysBefore?: number
  /** Default: actual/365, or by the calendar year where the rates say so. */
  dayCount?: DayCount
  /**
   * Rounding of the level amount, and of interest per case and period. Default: half up. `none` computes in a
   * finer unit without loss, and rounds only the results.
   */
  rounding?: 'half-up' | 'half-even' | 'none'
  tail?: PlanTail
}

export interface PlanRow {
  paymentNo: number
  invoiceDate: string
  dueDate: string
  /** Days of interest, the first excluded, the due date included. */
  days: number
  instalment: bigint
  interest: bigint
  fee: bigint
  /** The sum of instalment, interest and fee. */
  amount: bigint
  /** The unpaid part of the amount. Less than the amount only for a partly paid payment. */
  unpaid: bigint
  /** The principal left afterwards; for debt relief the claim. */
  balance: bigint
  /** 1 total amount, 2 principal amount, 3 specified. */
  paymentType: 1 | 2 | 3
  /** For debt relief: the share of each case, in the order of the cases. */
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
  /** The date from which the due dates are counted, before it moves to a business day. */
  countedFrom: string
  /**
   * The amount (types 3 and 4: principal) of a payment that neither deviates nor clears the remainder. Minor
   * units.
   */
  levelAmount: bigint
  rows: PlanRow[]
  periods: PlanPeriod[]
  totals: { amount: bigint; principal: bigint; interest: bigint; fee: bigint }
  /** The total owed on the start date. */
  claim: bigint
  /** The remainder after the last payment: outstanding (types 2 and 4), or to be written off (type 5). */
  left: { total: bigint; principal: bigint; interest: bigint; fee: bigint; byCase: bigint[] }
  /**
   * Percent, rounded half up to two decimals. Null for debt relief, with a tail, without a solution, and
   * above 10^13.
   */
  annualPercentage: number | null
}

/** Why there is no plan. `index` is a position in `deviations`. */
export type PlanError =
  | { code: 'wrong-combination'; needs: 'one' | 'both' }
  | { code: 'out-of-range'; member: 'numberOfPayments'; least: number; most: number }
  | { code: 'out-of-range'; member: 'interval' | 'payDay'; least: number; most: number }
  | { code: 'out-of-range'; member: 'amount' | 'registrationFee' | 'invoiceFee'; least: bigint }
  | { code: 'out-of-range'; member: 'deviation-amount'; index: number; least: bigint }
  | { code: 'nothing-owed' }
  /** Amounts or sums of 2^53 minor units or more. */
  | { code: 'too-large' }
  /**
   * The debt is not repaid within 600 payments, or never decreases under a limited plan. `leastAmount` would
   * suffice.
   */
  | { code: 'never-repays'; leastAmount: bigint }
  /** The plan starts after the date given for its first payment, or that is more than ten years later. */
  | { code: 'first-due-date'; from: string; through: string }
  /** A day of the month needs an interval of months or years. */
  | { code: 'pay-day-interval' }
  | { code: 'deviation-unknown'; index: number; paymentNo: number; lastPaymentNo: number }
  | { code: 'deviation-paid'; index: number; paymentNo: number; paidThrough: number }
  | { code: 'deviation-twice'; index: number; paymentNo: number }
  /** The date must be after `after` (or on it when `orOn`), and before `before` unless that is null. */
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

/** The longest interval of each type: about a year. */
export const longestInterval: Record<PlanInterval['type'], number> = { 1: 366, 2: 53, 3: 12, 4: 1 }

/** The maximum number of payments of a plan. */
export const mostPayments = 600
