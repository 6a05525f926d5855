/** Lists of the plans and planned payments of all debtors. */
import { AllPlanPaymentsItem, AllPlansItem } from '../../contract/plans/all-plans.ts'
import { selectList } from '../platform/database/columns.ts'
import {
  listRows,
  type ListContext,
  type ListSource,
  type Page,
  type PageQuery,
} from '../platform/database/list.ts'
import type { Db } from '../platform/database/transaction.ts'
import type { Caller } from '../platform/http/caller.ts'
import { visiblePlans, visiblePlanPayments } from './plans.scope.ts'
import { filterableProperties } from '../platform/odata/properties.ts'
import { listColumns, listedAmount } from './plans.store.ts'

/** Sums of each plan's payments in one scan. The planner drops the join when no column of it is used. */
const sums = `(
    select n.plan_id, max(n.due_date) as last_due, min(n.due_date) filter (where n.paid < n.amount) as next_due,
      sum(n.amount - n.paid)::bigint as unpaid,
      count(*) filter (where n.paid < n.amount and n.due_date < (select business_date from business_clock))::int as late
    from payment_plan_payment n group by n.plan_id
  )`
/** The unpaid amount in minor units. Zero for an ended plan. */
const unpaid = '(case when pp.active = 0 then 0 else coalesce(s.unpaid, 0) end)'

/** The client of a plan whose cases are all of one client. */
const onlyClient = `(select min(pc.client_id::text)::uuid from payment_plan_case pc where pc.plan_id = pp.id
    having count(distinct pc.client_id) = 1)`

const columns = {
  ...listColumns,
  debtorGuid: 'pp.debtor_id',
  debtorName: 'd.full_name',
  clientGuid: onlyClient,
  latePayments: '(case when pp.active = 1 then coalesce(s.late, 0) else 0 end)',
  nextDueDate: '(case when pp.active <> 0 then s.next_due end)::timestamptz',
  lastDueDate: 's.last_due::timestamptz',
  endReason: 'pp.end_reason',
  endDate: 'pp.end_date::timestamptz',
}
const planSource: ListSource<'paymentplan'> = {
  entity: 'paymentplan',
  // PostgreSQL drops unused left joins, which makes counting cheap.
  from: `payment_plan pp left join debtor d on d.id = pp.debtor_id left join ${sums} s on s.plan_id = pp.id`,
  key: 'pp.id',
  select: selectList({
    ...columns,
    amount: listedAmount.out,
    unpaid: `(${unpaid} / pp.minor_per_unit::float8)::float8`,
  }),
  properties: filterableProperties(AllPlansItem, {
    ...columns,
    amount: listedAmount.exact,
    unpaid: `(${unpaid}::numeric / pp.minor_per_unit)`,
  }),
  amounts: { currency: 'pp.currency_code', perUnit: 'pp.minor_per_unit', minor: { unpaid } },
}

export const listAllPlans = (
  db: Db,
  caller: Caller,
  query: PageQuery,
  context: ListContext,
): Promise<Page<AllPlansItem>> =>
  listRows<AllPlansItem, 'paymentplan'>(db, planSource, visiblePlans(caller), query, context)

const paymentColumns = {
  paymentPlanGuid: 'pp.id',
  debtorGuid: 'pp.debtor_id',
  debtorName: 'd.full_name',
  clientGuid: onlyClient,
  active: 'pp.active',
  paymentNo: 'n.payment_no',
  dueDate: 'n.due_date::timestamptz',
  paidDate: 'n.paid_date::timestamptz',
  currencyCode: 'pp.currency_code',
}
const paymentSource: ListSource<'planpayment'> = {
  entity: 'planpayment',
  from: 'payment_plan_payment n join payment_plan pp on pp.id = n.plan_id left join debtor d on d.id = pp.debtor_id',
  // Planned payments have no key column; the row's position is unique within one statement.
  key: 'n.ctid',
  select: selectList({
    ...paymentColumns,
    amount: 'n.amount / pp.minor_per_unit::float8',
    unpaid: '(n.amount - n.paid) / pp.minor_per_unit::float8',
  }),
  properties: filterableProperties(AllPlanPaymentsItem, {
    ...paymentColumns,
    amount: 'n.amount::numeric / pp.minor_per_unit',
    unpaid: '(n.amount - n.paid)::numeric / pp.minor_per_unit',
  }),
  amounts: {
    currency: 'pp.currency_code',
    perUnit: 'pp.minor_per_unit',
    minor: { amount: 'n.amount', unpaid: 'n.amount - n.paid' },
  },
}

export const listAllPlanPayments = (
  db: Db,
  caller: Caller,
  query: PageQuery,
  context: ListContext,
): Promise<Page<AllPlanPaymentsItem>> =>
  listRows<AllPlanPaymentsItem, 'planpayment'>(db, paymentSource, visiblePlanPayments(caller), query, context)
