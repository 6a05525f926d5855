/** Writes whole plans, and the membership of cases in them. */
import { countDecimals } from '../../core/money/money.ts'
import {
  rowParameterCount,
  rowParameters,
  rowsFrom,
  rowsIn,
  updateFrom,
  type ColumnTypes,
} from '../platform/database/row-text.ts'
import { runStatement } from '../platform/database/statement.ts'
import type { Db } from '../platform/database/transaction.ts'
import { countRemaining, findLevelType, type PlanRecord, type RecordedPayment } from './plan-record.ts'

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
  asked_first_due: 'date',
  counted_from: 'date',
  pay_day: 'int',
  due_country: 'text',
  even_payments: 'boolean',
  closing_payment: 'boolean',
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
  asked_first_due: record.askedFirstDue,
  counted_from: record.countedFrom,
  pay_day: record.payDay,
  due_country: record.dueCountry,
  even_payments: record.evenPayments,
  closing_payment: record.closingPayment,
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
