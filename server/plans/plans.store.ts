/** Lists and reads plans within the caller's restriction, and locks them. */
import { PaymentPlanListItem } from '../../contract/plans/payment-plans.ts'
import type { PlanDeviation, PlanPeriod } from '../../core/plans/plan-terms.ts'
import { memberColumns, selectList } from '../platform/database/columns.ts'
import { runStatement } from '../platform/database/statement.ts'
import {
  listRows,
  type ListContext,
  type ListSource,
  type Page,
  type PageQuery,
} from '../platform/database/list.ts'
import type { Db } from '../platform/database/transaction.ts'
import type { Caller } from '../platform/http/caller.ts'
import { visibleDebtorPlans } from './plans.scope.ts'
import type { VisibleGuid } from '../platform/database/row-scope.ts'
import { filterableProperties, type Properties } from '../platform/odata/properties.ts'
import type { PlanRecord, RecordedPayment } from './plan-record.ts'

export const listColumns = {
  ...memberColumns(Object.keys(PaymentPlanListItem.properties), 'pp', {
    paymentPlanGuid: 'id',
    paymentPlanType: 'plan_type',
    remainingNumberOfPayments: 'remaining_number',
    interval: 'interval_count',
  }),
  registrationDate: 'pp.registration_date::timestamptz',
  startDate: 'pp.start_date::timestamptz',
}
/** The amount per period: a double for the API, exact for filters and sorting. */
export const listedAmount = {
  out: 'pp.level_amount / pp.minor_per_unit::float8',
  exact: 'pp.level_amount::numeric / pp.minor_per_unit',
}
const listSource: ListSource<'paymentplan'> = {
  entity: 'paymentplan',
  from: 'payment_plan pp',
  key: 'pp.id',
  select: selectList({ ...listColumns, amount: listedAmount.out }),
  properties: filterableProperties(PaymentPlanListItem, { ...listColumns, amount: listedAmount.exact }),
}

const ofDebtor: Properties = new Map([
  ['debtorguid', { name: 'debtorGuid', type: 'guid', nullable: false, column: 'pp.debtor_id' }],
])

/** The plans of all debtors, for an export. */
export const planRows: ListSource<'paymentplan'> = {
  ...listSource,
  select: `pp.debtor_id as "debtorGuid", ${listSource.select}`,
  properties: new Map([...ofDebtor, ...listSource.properties]),
}

export const listPlans = (
  db: Db,
  caller: Caller,
  debtor: VisibleGuid<'debtor'>,
  query: PageQuery,
  context: ListContext,
): Promise<Page<PaymentPlanListItem>> =>
  listRows<PaymentPlanListItem, 'paymentplan'>(
    db,
    listSource,
    visibleDebtorPlans(caller, debtor),
    query,
    context,
  )

type JsonPayment = Omit<RecordedPayment, 'instalment' | 'interest' | 'fee' | 'amount' | 'paid'> & {
  instalment: number
  interest: number
  fee: number
  amount: number
  paid: number
}
type Json<T> = {
  [K in keyof T]: T[K] extends bigint ? number : T[K] extends bigint | null ? number | null : T[K]
}
interface PlanRow extends Omit<Json<PlanRecord>, 'rows' | 'cases' | 'deviations' | 'periods'> {
  rows: JsonPayment[]
  cases: (Omit<PlanRecord['cases'][number], 'claim'> & { claim: number })[]
  deviations: { paymentNo: number; dueDate?: string | null; amount?: number | null }[]
  periods: (Omit<PlanPeriod, 'amount'> & { amount: number })[]
}

/** All columns of a plan `pp`, with its payments and cases. */
const planSelect = `
  pp.id as "planGuid", pp.debtor_id as "debtorGuid", pp.active, pp.end_reason as "endReason", pp.end_date as "endDate",
  pp.plan_type as "planType", pp.registration_date as "registrationDate", pp.start_date as "startDate",
  pp.currency_code as "currencyCode", pp.asked_number as "askedNumber", pp.asked_amount as "askedAmount",
  pp.registration_fee as "registrationFee", pp.invoice_fee as "invoiceFee", pp.reminder_fee as "reminderFee",
  pp.first_due_days as "firstDueDays", pp.interval_type as "intervalType", pp.interval_count as "intervalCount",
  pp.free_months as "freeMonths", pp.asked_first_due as "askedFirstDue", pp.counted_from as "countedFrom",
  pp.pay_day as "payDay", pp.due_country as "dueCountry", pp.even_payments as "evenPayments",
  pp.closing_payment as "closingPayment", pp.grace_days as "graceDays", pp.misses_to_breach as "missesToBreach", pp.deviations,
  pp.number_of_payments as "numberOfPayments", pp.level_amount as "levelAmount", pp.claim, pp.left_amount as "leftAmount",
  pp.annual_percentage as "annualPercentage", pp.periods, pp.invoiced_through as "invoicedThrough", pp.version,
  pp.event_sequence as "eventSequence",
  (select jsonb_agg(jsonb_build_object('paymentNo', n.payment_no, 'invoiceDate', n.invoice_date, 'dueDate', n.due_date,
      'instalment', n.instalment, 'interest', n.interest, 'fee', n.fee, 'amount', n.amount, 'paymentType', n.payment_type,
      'paid', n.paid, 'paidDate', n.paid_date, 'missedDate', n.missed_date) order by n.payment_no)
    from payment_plan_payment n where n.plan_id = pp.id) as rows,
  (select jsonb_agg(jsonb_build_object('caseGuid', c.id, 'caseNumber', c.case_number,
      'clientReference', c.client_reference_number, 'clientGuid', c.client_id, 'claim', pc.claim,
      'movementsBefore', pc.movements_before) order by pc.number)
    from payment_plan_case pc join debt_case c on c.id = pc.case_id where pc.plan_id = pp.id) as cases`

const amountNames = [
  'registrationFee',
  'invoiceFee',
  'reminderFee',
  'levelAmount',
  'claim',
  'leftAmount',
] as const
const partNames = ['instalment', 'interest', 'fee', 'amount', 'paid'] as const

const bigints = <T extends object, N extends keyof T & string>(record: T, names: readonly N[]) =>
  Object.fromEntries(names.map((name) => [name, BigInt(record[name] as number)])) as Record<N, bigint>

const toPlanRecord = (row: PlanRow): PlanRecord => ({
  ...row,
  ...bigints(row, amountNames),
  askedAmount: row.askedAmount === null ? null : BigInt(row.askedAmount),
  deviations: row.deviations.map(({ amount, ...deviation }): PlanDeviation => ({
    ...deviation,
    amount: amount === null || amount === undefined ? null : BigInt(amount),
  })),
  periods: row.periods.map((period) => ({ ...period, amount: BigInt(period.amount) })),
  rows: row.rows.map((payment) => ({ ...payment, ...bigints(payment, partNames) })),
  cases: row.cases.map((one) => ({ ...one, claim: BigInt(one.claim) })),
})

/** A plan of a debtor that the caller may see. */
export async function findPlan(
  db: Db,
  caller: Caller,
  debtor: VisibleGuid<'debtor'>,
  planGuid: string,
): Promise<PlanRecord | undefined> {
  const scope = visibleDebtorPlans(caller, debtor).at(2)
  const [row] = await runStatement<PlanRow>(
    db,
    `select ${planSelect} from payment_plan pp where pp.id = $1 and ${scope.text}`,
    [planGuid, ...scope.parameters],
    { prepare: true },
  )
  return row && toPlanRecord(row)
}

/** Locks plans in the order of their identifiers. Lock their cases first. */
export async function lockPlans(tx: Db, planGuids: readonly string[]): Promise<PlanRecord[]> {
  await tx`select from payment_plan where id = any(${[...planGuids]}::uuid[]) order by id for no key update`
  const rows = await runStatement<PlanRow>(
    tx,
    `select ${planSelect} from payment_plan pp where pp.id = any($1::uuid[]) order by pp.id`,
    [planGuids],
    { prepare: true },
  )
  return rows.map(toPlanRecord)
}

/** The active plan of each case that has one. */
export const findActivePlans = (
  db: Db,
  caseGuids: readonly string[],
): Promise<{ caseGuid: string; planGuid: string }[]> =>
  db`select case_id as "caseGuid", plan_id as "planGuid" from payment_plan_case
     where case_id = any(${[...caseGuids]}::uuid[]) and active`
