import { Type, type Static } from 'typebox'
import { code, dateTime, guid, text } from '../metadata/fields.ts'
import { ofDebtor } from '../parties/debtors.ts'
import { operation } from '../platform/operation.ts'
import { page, pageQuery } from '../platform/page.ts'
import {
  planTypes,
  activeCodes,
  intervalTypes,
  paymentTypes,
  PaymentPlanInput,
  PlanPaymentsInput,
} from './payment-plan-inputs.ts'
import { Problem } from '../platform/problem.ts'

const amount = (title: string) => Type.Number({ title })
const day = (title: string) => Type.String({ format: 'date-time', title, 'x-field': { kind: 'date' } })
const count = (title: string) => Type.Integer({ title })
/** A code that is always present. */
const coded = (title: string, values: Record<number, string>, lookup: string) =>
  Type.Unsafe<number>({
    ...code(title, values, { lookup }),
    type: 'integer',
    enum: Object.keys(values).map(Number),
  })
const setting = (title: string) => Type.Boolean({ title, description: 'Omitted if it is off.' })
const currency = (title: string) => Type.String({ maxLength: 3, title, 'x-field': { lookup: 'currency' } })

const interval = {
  intervalType: coded('Unit of the interval', intervalTypes, 'intervaltype'),
  interval: count('Units from one payment to the next'),
  paymentType: coded('What the amount is', paymentTypes, 'paymenttype'),
}

export const PaymentPlanListItem = Type.Object(
  {
    paymentPlanGuid: guid('Payment plan'),
    registrationDate: day('Registered'),
    startDate: day('What is owed is counted to this day, interest runs from the day after'),
    active: coded('State', activeCodes, 'paymentplanactive'),
    paymentPlanType: coded('Type of plan', planTypes, 'paymentplantype'),
    numberOfPayments: count('Number of payments'),
    remainingNumberOfPayments: count('Payments that are not yet paid'),
    amount: amount('Amount per period; of linear plans the principal'),
    currencyCode: currency('Currency'),
    paymentType: interval.paymentType,
    intervalType: interval.intervalType,
    interval: interval.interval,
  },
  { $id: 'PaymentPlanListItem' },
)
export type PaymentPlanListItem = Static<typeof PaymentPlanListItem>

export const PlanPayment = Type.Object(
  {
    paymentNo: count('Payment'),
    invoiceDate: day('Invoiced'),
    dueDate: day('Due'),
    paidDate: dateTime('Paid in full', { kind: 'date' }),
    instalment: amount('Principal'),
    interest: amount('Interest'),
    fee: amount('Costs and fees'),
    amount: amount('Sum'),
    unpaid: amount('What of the sum is not yet paid'),
  },
  { $id: 'PlanPayment' },
)
export type PlanPayment = Static<typeof PlanPayment>

export const PlanCase = Type.Object(
  {
    caseGuid: guid('Case'),
    caseNumber: Type.String({ title: 'Case number' }),
    clientReference: text(50, "Client's reference"),
    clientGuid: guid('Client'),
  },
  { $id: 'PlanCase' },
)
export type PlanCase = Static<typeof PlanCase>

/** A deviation as requested. */
const StoredDeviation = Type.Object(
  {
    paymentNo: count('Payment'),
    specifiedDueDate: Type.Optional(day('Due on')),
    specifiedAmount: Type.Optional(amount('The whole of what is paid')),
  },
  { $id: 'StoredDeviation' },
)

export const PlanPeriod = Type.Object(
  {
    periodNo: count('Period'),
    ...interval,
    startDate: day('First due'),
    endDate: day('Last due'),
    amount: amount('What is paid each time; of payment type 2 the principal'),
  },
  { $id: 'PlanPeriod' },
)
export type PlanPeriod = Static<typeof PlanPeriod>

const nullable = (schema: object) => Type.Unsafe<string | null>({ ...schema, type: ['string', 'null'] })

export const PaymentPlan = Type.Object(
  {
    paymentPlanGuid: nullable({
      format: 'uuid',
      title: 'Payment plan',
      description: 'Null for a plan that is only calculated.',
    }),
    registrationDate: day('Registered'),
    active: coded('State', activeCodes, 'paymentplanactive'),
    paymentPlanType: coded('Type of plan', planTypes, 'paymentplantype'),
    numberOfPayments: count('Number of payments'),
    remainingNumberOfPayments: count('Payments that are not yet paid'),
    currencyCode: currency('Currency'),
    feeCurrencyCode: currency('Currency of the fees'),
    registrationFee: amount('Registration fee'),
    invoiceFee: amount('Fee per payment'),
    reminderFee: amount('Fee for a late payment'),
    totalAmount: amount('Sum of the payments'),
    totalPrincipal: amount('Principal in them'),
    totalInterest: amount('Interest in them'),
    totalFee: amount('Costs and fees in them'),
    annualPercentage: Type.Unsafe<number | null>({
      type: ['number', 'null'],
      title: 'Annual percentage rate (Directive 2008/48/EC)',
      description: 'Null for debt relief, and where no rate exists.',
    }),
    firstDueDate: Type.Optional({ ...day('First due'), description: 'As requested. Omitted if it was not.' }),
    payDay: Type.Optional({ ...count('Pay day of the month'), description: 'Omitted if there is none.' }),
    businessDays: Type.Optional(setting('Due on business days only')),
    evenPayments: Type.Optional(setting('The rounding is spread over the payments')),
    closingPayment: Type.Optional(setting('A last payment is added for what late payment left')),
    payments: Type.Array(PlanPayment),
    cases: Type.Array(PlanCase),
    periods: Type.Array(PlanPeriod),
    deviations: Type.Optional(
      Type.Array(StoredDeviation, {
        title: 'Payments that deviate from the plan',
        description: 'As requested: what an update replaces. Omitted if there are none.',
      }),
    ),
    endReason: Type.Optional(
      Type.String({
        enum: ['COMPLETED', 'BREACHED', 'CANCELLED'],
        title: 'Why it ended',
        description: 'Only for an ended plan.',
        'x-field': { lookup: 'paymentplanendreason' },
      }),
    ),
    endDate: Type.Optional(
      Type.String({ format: 'date-time', title: 'Ended', description: 'Only for an ended plan.' }),
    ),
  },
  { $id: 'PaymentPlan' },
)
export type PaymentPlan = Static<typeof PaymentPlan>

const ofPlan = Type.Object({ debtorGuid: guid('Debtor'), paymentplanGuid: guid('Payment plan') })
const path = '/debtors/:debtorGuid/paymentplans'
const area = 'Debtors' as const
const read = { access: ['paymentplan.read'] } as const
const write = { access: ['paymentplan.write'] } as const
const example = {
  paymentPlanType: 1,
  numberOfPayments: 12,
  registrationFee: 170,
  invoiceFee: 0,
  reminderFee: 60,
}

export const listPaymentPlans = operation({
  id: 'D13',
  name: 'listPaymentPlans',
  method: 'GET',
  path,
  area,
  summary: "List a debtor's payment plans",
  description: 'Only plans whose cases the caller may all see.',
  ...read,
  params: ofDebtor,
  query: pageQuery,
  status: 200,
  response: page(PaymentPlanListItem),
  example: { query: { $filter: 'active eq 1', $orderby: 'startDate desc' } },
})
export const createPaymentPlan = operation({
  id: 'D14',
  name: 'createPaymentPlan',
  method: 'POST',
  path,
  area,
  summary: 'Create a payment plan',
  description:
    'A proposal, or an active plan with `active: 1`. Types 1 and 3 need either `numberOfPayments` or `amount`, the others both. The default for `cases` is every open case of the debtor without an active plan; default fees are those of the oldest case’s client. Debt relief has no fees. `intervalType` and `interval` give the rhythm: 2 and 1 weekly, 2 and 2 every two weeks, 3 and 1 monthly, 3 and 3 quarterly. `payDay` is the day of the month of the due dates (31: the last day); only `firstDueDate` and deviating dates may differ. With `businessDays` a due date on a Saturday, Sunday or public holiday of the governing country moves to the next business day; a `specifiedDueDate` never moves. With `evenPayments` the payments differ by at most one minor unit (types 1 and 3 by number). With `closingPayment` a plan whose payments are all paid, but late, gets one more payment for the interest and fees of the delay (types 1 and 3).',
  ...write,
  params: ofDebtor,
  body: PaymentPlanInput,
  status: 201,
  response: PaymentPlan,
  problems: ['needs-approval', 'conflict'],
  versioned: true,
  example: { body: { ...example, active: 2 } },
})
export const getPaymentPlan = operation({
  id: 'D15',
  name: 'getPaymentPlan',
  method: 'GET',
  path: `${path}/:paymentplanGuid`,
  area,
  summary: 'Get a payment plan',
  ...read,
  params: ofPlan,
  status: 200,
  response: PaymentPlan,
  versioned: true,
})
export const updatePaymentPlan = operation({
  id: 'D16',
  name: 'updatePaymentPlan',
  method: 'PATCH',
  path: `${path}/:paymentplanGuid`,
  area,
  summary: "Update a payment plan's deviating payments",
  description:
    'The array replaces the deviations of all unpaid payments, and the plan is recalculated: a proposal as a whole, an active plan from the amount owed on the system date. Without the array nothing changes.',
  ...write,
  params: ofPlan,
  body: PlanPaymentsInput,
  status: 200,
  response: Problem,
  problems: ['needs-approval', 'conflict'],
  versioned: true,
  example: { body: { payments: [{ paymentNo: 3, specifiedDueDate: '2027-01-15', specifiedAmount: 500 }] } },
})
export const activatePaymentPlan = operation({
  id: 'D17',
  name: 'activatePaymentPlan',
  method: 'POST',
  path: `${path}/:paymentplanGuid/activate`,
  area,
  summary: 'Activate a payment plan',
  description:
    'Activates a proposal. The plan is recalculated on the system date, its schedule is fixed and the registration fee is posted. The cases get the sub-status PAYMENT_PLAN, which suspends their collection steps.',
  ...write,
  params: ofPlan,
  status: 200,
  response: Problem,
  problems: ['needs-approval', 'conflict', 'unprocessable'],
})
export const calculatePaymentPlan = operation({
  id: 'D18',
  name: 'calculatePaymentPlan',
  method: 'POST',
  path: `${path}/calculate`,
  area,
  summary: 'Calculate a payment plan',
  description:
    'The plan that creating one (`POST /debtors/{debtorGuid}/paymentplans`) would store today. Nothing is stored.',
  ...read,
  params: ofDebtor,
  body: PaymentPlanInput,
  status: 200,
  response: PaymentPlan,
  problems: ['conflict'],
  example: { body: example },
})
export const cancelPaymentPlan = operation({
  id: 'D19',
  name: 'cancelPaymentPlan',
  method: 'POST',
  path: `${path}/:paymentplanGuid/cancel`,
  area,
  summary: 'Cancel a payment plan',
  description:
    'Discards a proposal. The unpaid payments of an active plan are void, payments made remain, the cases get their earlier status back, and claims under debt relief are owed again.',
  ...write,
  params: ofPlan,
  status: 200,
  response: Problem,
  problems: ['conflict'],
})
