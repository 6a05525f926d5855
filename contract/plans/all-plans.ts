/** Payment plans of all debtors and their payments: lists that the specification does not have. */
import { Type, type Static } from 'typebox'
import { date, guid, key, nullable, outputSchema, text } from '../metadata/fields.ts'
import { operation } from '../platform/operation.ts'
import { pageQuery } from '../platform/page.ts'
import { pageWithSums, withSums } from '../platform/sums.ts'
import { PaymentPlanListItem, PlanPayment } from './payment-plans.ts'

const money = (title: string) => Type.Number({ title, 'x-field': { kind: 'money' } })
const endReasons = ['COMPLETED', 'BREACHED', 'CANCELLED', null]
const whose = {
  debtorGuid: guid('Debtor'),
  debtorName: key(200, 'Debtor', { personalData: 'name' }),
  clientGuid: nullable<string>({
    type: ['string', 'null'],
    format: 'uuid',
    title: 'Client',
    description: 'Null for a plan with cases of several clients.',
  }),
}

export const AllPlansItem = Type.Object(
  {
    ...PaymentPlanListItem.properties,
    amount: money('Amount per period; of linear plans the principal'),
    ...whose,
    unpaid: money('What is still to be paid'),
    latePayments: Type.Integer({ title: 'Payments overdue' }),
    nextDueDate: date('Next due'),
    lastDueDate: date('Last due'),
    endReason: Type.Unsafe<string | null>({
      ...text(10, 'Why it ended', { lookup: 'paymentplanendreason' }),
      enum: endReasons,
    }),
    endDate: date('Ended'),
  },
  { $id: 'AllPlansItem' },
)
export type AllPlansItem = Static<typeof AllPlansItem>

const { paymentPlanGuid, active, currencyCode } = PaymentPlanListItem.properties
const { paymentNo, dueDate, paidDate } = PlanPayment.properties

export const AllPlanPaymentsItem = outputSchema(
  {
    paymentPlanGuid,
    ...whose,
    active,
    paymentNo,
    dueDate,
    paidDate,
    amount: money('Sum'),
    unpaid: money('What of the sum is not yet paid'),
    currencyCode,
  },
  [
    'paymentPlanGuid',
    'debtorGuid',
    'debtorName',
    'clientGuid',
    'active',
    'paymentNo',
    'dueDate',
    'paidDate',
    'amount',
    'unpaid',
    'currencyCode',
  ],
  { $id: 'AllPlanPaymentsItem' },
)
export type AllPlanPaymentsItem = Static<typeof AllPlanPaymentsItem>

const read = { area: 'Debtors', method: 'GET', access: ['paymentplan.read'], status: 200 } as const

export const listAllPlans = operation({
  ...read,
  id: 'listAllPlans',
  name: 'listAllPlans',
  path: '/paymentplans',
  summary: 'List payment plans of all debtors',
  description:
    'The plans whose clients the caller may all see. `latePayments` counts the payments due before the business date that are not paid in full.',
  query: withSums(pageQuery, ['unpaid']),
  response: pageWithSums(AllPlansItem, ['unpaid']),
  example: { query: { $filter: 'active eq 1 and latePayments gt 0', $orderby: 'nextDueDate' } },
})
export const listAllPlanPayments = operation({
  ...read,
  id: 'listAllPlanPayments',
  name: 'listAllPlanPayments',
  path: '/paymentplans/payments',
  summary: 'List payments of payment plans',
  description:
    'For active plans every payment; for ended ones the payments due before the end. Proposals are not included.',
  query: withSums(pageQuery, ['amount', 'unpaid']),
  response: pageWithSums(AllPlanPaymentsItem, ['amount', 'unpaid']),
  example: {
    query: { $filter: 'active eq 1 and unpaid gt 0 and dueDate lt 2027-01-01', $orderby: 'dueDate' },
  },
})
