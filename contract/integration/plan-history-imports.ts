/** The columns of files of payment plans as they stand. */
import { Type, type Static } from 'typebox'
import { date, flag, integer, money, text } from '../metadata/fields.ts'
import { all, closed, count, list } from './carried-fields.ts'

const CarriedPlanPayment = Type.Object(
  all({
    paymentNo: count('Payment', 600),
    invoiceDate: date('Invoiced'),
    dueDate: date('Due'),
    instalment: money('Instalment'),
    interest: money('Interest'),
    fee: money('Fee'),
    paymentType: count('Type of payment', 3),
    paid: money('Paid'),
    paidDate: date('Paid on'),
    missedDate: date('Missed on'),
  }),
  closed,
)
const CarriedPlanCase = Type.Object(
  all({
    caseReference: text(200, "Case: the source's own reference, or our case number"),
    active: flag('In the plan now'),
    claim: money('Claim'),
    movementsBefore: count('Movements of the case before the plan'),
    movementsThrough: count('Movements of the case until the plan ended'),
  }),
  closed,
)
const CarriedDeviation = Type.Object(
  all({
    paymentNo: count('Payment', 600),
    dueDate: date('Due on'),
    amount: money('The whole of what is paid'),
  }),
  closed,
)
const CarriedPeriod = Type.Object(
  all({
    periodNo: count('Period', 600),
    intervalType: count('Unit of the interval', 4),
    interval: count('Units', 366),
    paymentType: count('Type of payment', 3),
    startDate: date('From'),
    endDate: date('To'),
    amount: money('Amount'),
  }),
  closed,
)

export const PlanHistoryRow = Type.Object(
  all({
    paymentPlanGuid: text(36, 'Payment plan'),
    debtorReference: text(200, "Debtor: the source's own reference, or our reference number"),
    active: integer('State: 0 ended, 1 active, 2 a proposal', { minimum: 0, maximum: 2 }),
    endReason: text(20, 'Why it ended'),
    endDate: date('Ended'),
    paymentPlanType: integer('Type of plan', { minimum: 1, maximum: 5 }),
    registrationDate: date('Registered'),
    startDate: date('Start'),
    currencyCode: text(3, 'Currency'),
    askedNumber: count('Number of payments asked for', 600),
    askedAmount: money('Amount asked for'),
    registrationFee: money('Registration fee'),
    invoiceFee: money('Fee per payment'),
    reminderFee: money('Fee for a late payment'),
    firstDueDays: count('Days to the first payment', 366),
    intervalType: count('Unit of the interval', 4),
    interval: count('Units from one payment to the next', 366),
    freeMonths: Type.Unsafe<number[] | null>({
      type: ['array', 'null'],
      items: { type: 'integer', minimum: 1, maximum: 12 },
      maxItems: 11,
      title: 'Months without payment',
    }),
    askedFirstDue: date('First payment asked for'),
    countedFrom: date('Due dates are counted from'),
    payDay: count('Pay day of the month', 31),
    dueCountry: text(2, 'Country whose business days count'),
    evenPayments: flag('Spread the rounding over the payments'),
    closingPayment: flag('Add a last payment for what late payment left'),
    graceDays: count('Days of grace', 366),
    missesToBreach: count('Missed payments that end it', 100),
    numberOfPayments: count('Number of payments', 600),
    levelAmount: money('What is paid each time'),
    claim: money('Claim'),
    leftAmount: money('Left over'),
    annualPercentage: Type.Unsafe<number | null>({
      type: ['number', 'null'],
      title: 'Annual percentage rate',
    }),
    invoicedThrough: count('Payments invoiced so far', 600),
    nextCheck: date('Checked next'),
    deviations: list(CarriedDeviation, 600, 'Deviating payments'),
    periods: list(CarriedPeriod, 600, 'Periods'),
    payments: list(CarriedPlanPayment, 600, 'Payments'),
    cases: list(CarriedPlanCase, 1000, 'Cases, the oldest first'),
  }),
  closed,
)
export type PlanHistoryRow = Static<typeof PlanHistoryRow>
