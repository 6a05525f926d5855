/** Stores whole plans; lists and reads them within the caller's restriction. */
import { PaymentPlanListItem } from '../../contract/plans/payment-plans.ts'
import type { PlanDeviation, PlanPeriod } from '../../core/plans/plan-terms.ts'
import { countDecimals } from '../../core/money/money.ts'
import { memberColumns, selectList } from '../platform/database/columns.ts'
import {
  rowParameterCount,
  rowParameters,
  rowsFrom,
  rowsIn,
  updateFrom,
  type ColumnTypes,
} from '../platform/database/row-text.ts'
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
import { filterableProperties } from '../platform/odata/properties.ts'
import { countRemaining, findLevelType, type PlanRecord, type RecordedPayment } from './plan-record.ts'

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

/** The plans of all debtors, for an export. */
export const planRows: ListSource<'paymentplan'> = {
  ...listSource,
  select: `pp.debtor_id as "debtorGuid", ${listSource.select}`,
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
export const planSelect = `
  pp.id as "planGuid", pp.debtor_id as "debtorGuid", pp.active, pp.end_reason as "endReason", pp.end_date as "endDate",
  pp.plan_type as "planType", pp.registration_date as "registrationDate", pp.start_date as "startDate",
  pp.currency_code as "currencyCode", pp.asked_number as "askedNumber", pp.asked_amount as "askedAmount",
  pp.registration_fee as "registrationFee", pp.invoice_fee as "invoiceFee", pp.reminder_fee as "reminderFee",
  pp.first_due_days as "firstDueDays", pp.interval_type as "intervalType", pp.interval_count as "intervalCount",
  pp.free_months as "freeMonths", pp.grace_days as "graceDays", pp.misses_to_breach as "missesToBreach", pp.deviations,
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

export const toPlanRecord = (row: PlanRow): PlanRecord => ({
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
  await tx`select from payment_plan where id = any(${[...planGuids]}::uuid[]) order by id for update`
  const rows = await runStatement<PlanRow>(
    tx,
    `select ${planSelect} from payment_plan pp where pp.id = any($1::uuid[]) order by pp.id`,
    [planGuids],
    { prepare: true },
  )
  return rows.map(toPlanRecord)
}

const bigintToNumber = (_name: string, value: unknown) => (typeof value === 'bigint' ? Number(value) : value)
const json = (value: unknown) => JSON.stringify(value, bigintToNumber)

const planTypes = {
  id: 'uuid',
  debtor_id: 'uuid',
  active: 'int',
  end_reason: 'text',
  end_date: 'date',
  plan_type: 'int',
  registration_date: 'date',
  start_date: 'date',
  currency_code: 'text',
  minor_per_unit: 'int',
  asked_number: 'int',
  asked_amount: 'bigint',
  registration_fee: 'bigint',
  invoice_fee: 'bigint',
  reminder_fee: 'bigint',
  first_due_days: 'int',
  interval_type: 'int',
  interval_count: 'int',
  free_months: 'int[]',
  grace_days: 'int',
  misses_to_breach: 'int',
  deviations: 'text::jsonb',
  number_of_payments: 'int',
  level_amount: 'bigint',
  payment_type: 'int',
  claim: 'bigint',
  left_amount: 'bigint',
  annual_percentage: 'float8',
  periods: 'text::jsonb',
  remaining_number: 'int',
  invoiced_through: 'int',
  next_check: 'date',
  version: 'int',
  event_sequence: 'bigint',
} as const
const paymentTypes = {
  plan_id: 'uuid',
  payment_no: 'int',
  invoice_date: 'date',
  due_date: 'date',
  instalment: 'bigint',
  interest: 'bigint',
  fee: 'bigint',
  amount: 'bigint',
  payment_type: 'int',
  paid: 'bigint',
  paid_date: 'date',
  missed_date: 'date',
} as const
const caseTypes = {
  plan_id: 'uuid',
  case_id: 'uuid',
  client_id: 'uuid',
  number: 'int',
  active: 'boolean',
  claim: 'bigint',
}

const insertInto = (table: string, types: ColumnTypes, nth: number) =>
  `insert into ${table} (${Object.keys(types).join(', ')}) select * from ${rowsFrom(types, 1 + nth * rowParameterCount)} n`
const insertText = `
  with made as (${insertInto('payment_plan', planTypes, 0)}),
    payments as (${insertInto('payment_plan_payment', paymentTypes, 1)})
  ${insertInto('payment_plan_case', caseTypes, 2)}`

/** The columns of a plan record. */
const planColumns = (
  record: PlanRecord,
  nextCheck: string | null,
): Record<keyof typeof planTypes, unknown> => ({
  id: record.planGuid,
  debtor_id: record.debtorGuid,
  active: record.active,
  end_reason: record.endReason,
  end_date: record.endDate,
  plan_type: record.planType,
  registration_date: record.registrationDate,
  start_date: record.startDate,
  currency_code: record.currencyCode,
  minor_per_unit: 10 ** countDecimals(record.currencyCode),
  asked_number: record.askedNumber,
  asked_amount: record.askedAmount,
  registration_fee: record.registrationFee,
  invoice_fee: record.invoiceFee,
  reminder_fee: record.reminderFee,
  first_due_days: record.firstDueDays,
  interval_type: record.intervalType,
  interval_count: record.intervalCount,
  free_months: record.freeMonths,
  grace_days: record.graceDays,
  misses_to_breach: record.missesToBreach,
  deviations: json(record.deviations),
  number_of_payments: record.numberOfPayments,
  level_amount: record.levelAmount,
  payment_type: findLevelType(record.planType),
  claim: record.claim,
  left_amount: record.leftAmount,
  annual_percentage: record.annualPercentage,
  periods: json(record.periods),
  remaining_number: countRemaining(record),
  invoiced_through: record.invoicedThrough,
  next_check: nextCheck,
  version: record.version,
  event_sequence: record.eventSequence,
})

const paymentColumns = (
  planGuid: string | null,
  row: RecordedPayment,
): Record<keyof typeof paymentTypes, unknown> => ({
  plan_id: planGuid,
  payment_no: row.paymentNo,
  invoice_date: row.invoiceDate,
  due_date: row.dueDate,
  instalment: row.instalment,
  interest: row.interest,
  fee: row.fee,
  amount: row.amount,
  payment_type: row.paymentType,
  paid: row.paid,
  paid_date: row.paidDate,
  missed_date: row.missedDate,
})

/** Inserts a new proposal. */
export async function insertPlan(tx: Db, record: PlanRecord): Promise<void> {
  const cases = record.cases.map(({ caseGuid, clientGuid, claim }, index) => ({
    plan_id: record.planGuid,
    case_id: caseGuid,
    client_id: clientGuid,
    number: index + 1,
    active: false,
    claim,
  }))
  const payments = record.rows.map((row) => paymentColumns(record.planGuid, row))
  const parameters = [
    ...rowParameters(planTypes, [planColumns(record, null)]),
    ...rowParameters(paymentTypes, payments),
    ...rowParameters(caseTypes, cases),
  ]
  await runStatement(tx, insertText, parameters, { prepare: true })
}

const fixedColumns = new Set([
  'debtor_id',
  'registration_date',
  'currency_code',
  'minor_per_unit',
  'plan_type',
])
const changedTypes = Object.fromEntries(Object.entries(planTypes).filter(([name]) => !fixedColumns.has(name)))
const parts = Object.keys(paymentTypes).slice(2)
const updateText = `
  with changed as (${updateFrom('payment_plan', changedTypes, 1)}),
  given as (select * from ${rowsFrom(paymentTypes, 1 + rowParameterCount)} n),
  gone as (
    delete from payment_plan_payment o where o.plan_id = any($${1 + 2 * rowParameterCount}::uuid[])
      and not exists (select from given g where g.plan_id = o.plan_id and g.payment_no = o.payment_no)
  )
  insert into payment_plan_payment (${Object.keys(paymentTypes).join(', ')}) select * from given
  on conflict (plan_id, payment_no) do update set ${parts.map((name) => `${name} = excluded.${name}`).join(', ')}
  where (${parts.map((name) => `payment_plan_payment.${name}`).join(', ')})
    is distinct from (${parts.map((name) => `excluded.${name}`).join(', ')})`

/** Writes locked plans with all their payments. */
export async function updatePlans(
  tx: Db,
  plans: readonly { record: PlanRecord; nextCheck: string | null }[],
): Promise<void> {
  if (plans.length === 0) return
  const columns = plans.map(({ record, nextCheck }) => planColumns(record, nextCheck))
  const payments = plans.flatMap(({ record }) =>
    record.rows.map((row) => paymentColumns(record.planGuid, row)),
  )
  const parameters = [
    ...rowParameters(changedTypes, columns),
    ...rowParameters(paymentTypes, payments),
    plans.map(({ record }) => record.planGuid),
  ]
  await runStatement(tx, updateText, parameters, { prepare: true })
}

/** Puts the cases into their plan with their claims. Only later movements pay the plan. */
export async function startPlanCases(tx: Db, record: PlanRecord): Promise<void> {
  const claims = record.cases.map(({ caseGuid, claim }) => ({ case_id: caseGuid, claim }))
  await tx`
    update payment_plan_case pc set active = true, claim = n.claim, movements_before = c.movement_count, movements_through = null
    from ${rowsIn(tx, { case_id: 'uuid', claim: 'bigint' }, claims)} n, debt_case c
    where pc.plan_id = ${record.planGuid} and pc.case_id = n.case_id and c.id = n.case_id`
}

/** Puts cases back into their plan as if they had never left. */
export async function revivePlanCases(tx: Db, planGuid: string): Promise<void> {
  await tx`update payment_plan_case set active = true, movements_through = null where plan_id = ${planGuid}`
}

/** Removes the cases of ended plans. Later payments do not count for the plan. */
export async function endPlanCases(tx: Db, planGuids: readonly string[]): Promise<void> {
  await tx`
    update payment_plan_case pc set active = false, movements_through = c.movement_count
    from debt_case c where pc.plan_id = any(${[...planGuids]}::uuid[]) and pc.active and c.id = pc.case_id`
}

/** The active plan of each case that has one. */
export const findActivePlans = (
  db: Db,
  caseGuids: readonly string[],
): Promise<{ caseGuid: string; planGuid: string }[]> =>
  db`select case_id as "caseGuid", plan_id as "planGuid" from payment_plan_case
     where case_id = any(${[...caseGuids]}::uuid[]) and active`
