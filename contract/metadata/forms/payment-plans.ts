import * as inputs from '../../plans/payment-plan-inputs.ts'
import * as plans from '../../plans/payment-plans.ts'
import { form } from './form.ts'

export const paymentPlanCreate = form({
  entity: 'paymentplan',
  noun: 'payment plan',
  type: 'create',
  fields: inputs.planFormFields,
  groups: [
    {
      code: 'plan',
      columns: 2,
      noTopDivider: true,
      fields: ['paymentPlanType', 'active', 'numberOfPayments', 'amount', 'currencyCode', 'cases'],
    },
    {
      code: 'rhythm',
      columns: 2,
      fields: ['intervalType', 'interval', 'payDay', 'businessDays', 'evenPayments', 'closingPayment'],
    },
    {
      code: 'fees',
      columns: 2,
      fields: ['registrationFee', 'invoiceFee', 'reminderFee', 'feeCurrencyCode'],
    },
    {
      code: 'outcome',
      columns: 2,
      fields: [
        'levelAmount',
        'paymentCount',
        'firstDueDate',
        'lastDueDate',
        'totalAmount',
        'totalPrincipal',
        'totalInterest',
        'totalFee',
        'annualPercentage',
      ],
    },
  ],
  keys: ['paymentPlanGuid'],
  takes: { id: 'debtor' },
  lists: { cases: ',' },
  required: ['paymentPlanType'],
  recalculations: [
    {
      code: 'calculate',
      fields: [
        'paymentPlanType',
        'numberOfPayments',
        'amount',
        'currencyCode',
        'cases',
        'intervalType',
        'interval',
        'payDay',
        'businessDays',
        'evenPayments',
        'registrationFee',
        'invoiceFee',
        'reminderFee',
      ],
    },
  ],
  open: plans.calculatePaymentPlan,
  submit: { access: ['paymentplan.write'], method: 'POST', body: inputs.PaymentPlanFormInput },
  list: plans.listPaymentPlans,
})
