/** Plans and their payments of all debtors, as lists. */
import { AllPlanPaymentsItem, AllPlansItem } from '../../contract/all-plans.ts'
import { selectOf } from '../database/columns.ts'
import { listRows, type ListContext, type ListSource, type Page, type PageQuery } from '../database/list.ts'
import type { Db } from '../database/transaction.ts'
import type { Caller } from '../http/caller.ts'
import { allPlansOf, planPaymentsOf } from '../http/restriction.ts'
import { propertiesOf } from '../odata/properties.ts'
import { listColumns, listedAmount } from './plans.store.ts'

const ofPayments = (what: string, condition: string) =>
  `(select ${what} from payment_plan_payment n where n.plan_id = pp.id and ${condition})`
const isUnpaid = 'n.paid < n.amount'
const business = '(select business_date from business_clock)'
/** What is still to be paid, in minor units: nothing of a plan that has ended. */
const unpaid = `(case when pp.active = 0 then 0 else coalesce(${ofPayments('sum(n.amount - n.paid)', isUnpaid)}, 0) end)`

const columns = {
  ...listColumns,
  debtorGuid: 'pp.debtor_id',
  debtorName: 'd.full_name',
  latePayments: `(case when pp.active = 1 then ${ofPayments('count(*)::int', `${isUnpaid} and n.due_date < ${business}`)} else 0 end)`,
  nextDueDate: `(case when pp.active <> 0 then ${ofPayments('min(n.due_date)', isUnpaid)} end)::timestamptz`,
  lastDueDate: `${ofPayments('max(n.due_date)', 'true')}::timestamptz`,
  endReason: 'pp.end_reason',
  endDate: 'pp.end_date::timestamptz',
}
const planSource: ListSource<'paymentplan'> = {
  entity: 'paymentplan',
  from: 'payment_plan pp join debtor d on d.id = pp.debtor_id',
  key: 'pp.id',
  select: selectOf({
    ...columns,
    amount: listedAmount.out,
    unpaid: `(${unpaid} / pp.minor_per_unit::float8)::float8`,
  }),
  properties: propertiesOf(AllPlansItem, {
    ...columns,
    amount: listedAmount.exact,
    unpaid: `(${unpaid}::numeric / pp.minor_per_unit)`,
  }),
}

export const listAllPlans = (
  db: Db,
  caller: Caller,
  query: PageQuery,
  context: ListContext,
): Promise<Page<AllPlansItem>> =>
  listRows<AllPlansItem, 'paymentplan'>(db, planSource, allPlansOf(caller), query, context)

const paymentColumns = {
  paymentPlanGuid: 'pp.id',
  debtorGuid: 'pp.debtor_id',
  debtorName: 'd.full_name',
  active: 'pp.active',
  paymentNo: 'n.payment_no',
  dueDate: 'n.due_date::timestamptz',
  paidDate: 'n.paid_date::timestamptz',
  currencyCode: 'pp.currency_code',
}
const paymentSource: ListSource<'planpayment'> = {
  entity: 'planpayment',
  from: 'payment_plan_payment n join payment_plan pp on pp.id = n.plan_id join debtor d on d.id = pp.debtor_id',
  key: '(n.plan_id, n.payment_no)',
  select: selectOf({
    ...paymentColumns,
    amount: 'n.amount / pp.minor_per_unit::float8',
    unpaid: '(n.amount - n.paid) / pp.minor_per_unit::float8',
  }),
  properties: propertiesOf(AllPlanPaymentsItem, {
    ...paymentColumns,
    amount: 'n.amount::numeric / pp.minor_per_unit',
    unpaid: '(n.amount - n.paid)::numeric / pp.minor_per_unit',
  }),
}

export const listAllPlanPayments = (
  db: Db,
  caller: Caller,
  query: PageQuery,
  context: ListContext,
): Promise<Page<AllPlanPaymentsItem>> =>
  listRows<AllPlanPaymentsItem, 'planpayment'>(db, paymentSource, planPaymentsOf(caller), query, context)
