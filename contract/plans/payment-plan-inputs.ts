/** The input for creating and changing a payment plan. */
import { Type, type Static } from 'typebox'
import {
  code,
  date,
  dateTime,
  flag,
  guid,
  inputSchema,
  integer,
  money,
  text,
  type Demands,
} from '../metadata/fields.ts'

export const planTypes = {
  1: 'annuity',
  2: 'annuity limited',
  3: 'linear',
  4: 'linear limited',
  5: 'debt relief',
}
export const activeCodes = { 0: 'ended', 1: 'active', 2: 'proposal' }
export const intervalTypes = { 1: 'day', 2: 'week', 3: 'month', 4: 'year' }
export const paymentTypes = { 1: 'total amount', 2: 'principal amount', 3: 'specified' }

const shape = {
  paymentPlanType: code('Type of plan', planTypes, { lookup: 'paymentplantype' }),
  numberOfPayments: integer('Number of payments', { minimum: 1, maximum: 600 }),
  amount: money('Amount per period; of linear plans the principal'),
  currencyCode: text(3, 'Currency', { lookup: 'currency' }),
  feeCurrencyCode: text(3, 'Currency of the fees', { lookup: 'currency' }),
  registrationFee: money('Registration fee'),
  invoiceFee: money('Fee per payment'),
  reminderFee: money('Fee for a late payment'),
}

export const PlanDeviation = Type.Object(
  {
    paymentNo: Type.Integer({ minimum: 1, title: 'Payment' }),
    specifiedDueDate: Type.Optional(dateTime('Due on', { kind: 'date' })),
    specifiedAmount: Type.Optional(money('The whole of what is paid')),
  },
  { $id: 'PlanDeviation', additionalProperties: false },
)
export type PlanDeviation = Static<typeof PlanDeviation>

const deviations = Type.Unsafe<PlanDeviation[] | null>({
  type: ['array', 'null'],
  items: PlanDeviation,
  maxItems: 600,
  title: 'Deviating payments',
})
const caseGuids = Type.Unsafe<string[] | null>({
  type: ['array', 'null'],
  items: { type: 'string', format: 'uuid' },
  maxItems: 1000,
  title: 'Cases',
  description: 'None: every open case of the debtor without an active plan.',
})

/** When payments fall due, and how their rounding and late payment are settled. None is required. */
export const planRhythm = {
  intervalType: code('Unit of the interval', intervalTypes, { lookup: 'intervaltype' }),
  interval: integer('Units from one payment to the next', { minimum: 1, maximum: 366 }),
  payDay: integer('Pay day of the month', { minimum: 1, maximum: 31 }),
}
export const planSettings = {
  businessDays: flag('Due on business days only'),
  evenPayments: flag('Spread the rounding over the payments'),
  closingPayment: flag('Add a last payment for what late payment left'),
}

/** The dictionary of a plan's input. */
export const planInputFields = {
  active: code(
    'State: active at once, or a proposal',
    { 1: 'active', 2: 'proposal' },
    { lookup: 'paymentplanactive' },
  ),
  ...shape,
  firstDueDate: date('First due'),
  ...planRhythm,
  ...planSettings,
  payments: deviations,
  cases: caseGuids,
}
const rhythmNames = [
  'intervalType',
  'interval',
  'payDay',
  'businessDays',
  'evenPayments',
  'closingPayment',
] as const

export const PaymentPlanInput = inputSchema(
  planInputFields,
  [
    'active',
    'paymentPlanType',
    'numberOfPayments',
    'amount',
    'currencyCode',
    'registrationFee',
    'invoiceFee',
    'reminderFee',
    'feeCurrencyCode',
    'firstDueDate',
    ...rhythmNames,
    'payments',
    'cases',
  ],
  {
    $id: 'PaymentPlanInput',
    required: ['paymentPlanType'],
    'x-demands': {
      required: ['paymentPlanType'],
      members: {
        registrationFee: { minimum: 0 },
        invoiceFee: { minimum: 0 },
        reminderFee: { minimum: 0 },
        cases: { minItems: 1 },
      },
    } satisfies Demands,
  },
)
export type PaymentPlanInput = Static<typeof PaymentPlanInput>

const outcome = { readOnly: true }
/** The dictionary of the form: a plan's input without deviations, and the calculated result. */
export const planFormFields = {
  paymentPlanGuid: guid('Payment plan', outcome),
  active: planInputFields.active,
  ...shape,
  ...planRhythm,
  ...planSettings,
  cases: caseGuids,
  levelAmount: money('What is paid each time', outcome),
  paymentCount: integer('Payments in all', { minimum: 1, maximum: 600 }, outcome),
  firstDueDate: date('First due', outcome),
  lastDueDate: date('Last due', outcome),
  totalAmount: money('Sum of the payments', outcome),
  totalPrincipal: money('Principal', outcome),
  totalInterest: money('Interest', outcome),
  totalFee: money('Costs and fees', outcome),
  annualPercentage: Type.Unsafe<number | null>({
    type: ['number', 'null'],
    title: 'Annual percentage rate',
    'x-field': outcome,
  }),
}

export const PaymentPlanFormInput = inputSchema(
  planFormFields,
  [
    'active',
    'paymentPlanType',
    'numberOfPayments',
    'amount',
    'currencyCode',
    'registrationFee',
    'invoiceFee',
    'reminderFee',
    'feeCurrencyCode',
    ...rhythmNames,
    'cases',
  ],
  { $id: 'PaymentPlanFormInput' },
)

export const PlanPaymentsInput = Type.Object(
  { payments: Type.Optional(deviations) },
  { $id: 'PlanPaymentsInput', additionalProperties: false },
)
export type PlanPaymentsInput = Static<typeof PlanPaymentsInput>
