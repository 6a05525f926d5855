/** How payment plans perform, and the payments expected from active plans. */
import type { LiquidityForecast, PlanPerformance } from '../../../contract/insight/dashboard.ts'
import { fromMinor } from '../../../core/money/money.ts'
import { runStatement } from '../../platform/database/statement.ts'
import type { Db } from '../../platform/database/transaction.ts'
import type { Caller } from '../../platform/http/caller.ts'
import { visiblePlans, visiblePlanPayments } from '../../plans/plans.scope.ts'
import { midnight, startOfMonth } from './months.ts'

interface Span {
  today: string
  months: number
}

type State = PlanPerformance['states'][number]
type Month = PlanPerformance['months'][number]
/** Amounts in minor units, as text: sums can exceed the exact range of a double. */
type Stored<T, N extends keyof T> = Omit<T, N> & { [K in N]: string }

export async function readPlanPerformance(
  db: Db,
  caller: Caller,
  { today, months }: Span,
): Promise<PlanPerformance> {
  const from = startOfMonth(today, 1 - months)
  const [states, due] = await Promise.all([
    readStates(db, caller, { today, from }),
    readMonths(db, caller, { today, from }),
  ])
  return { asOf: midnight(today), from: midnight(from), states, months: due }
}

/** Counts plans by state. Ended plans count only if they ended since `from`. */
async function readStates(
  db: Db,
  caller: Caller,
  { today, from }: { today: string; from: string },
): Promise<State[]> {
  const scope = visiblePlans(caller).at(3)
  const rows = await runStatement<Stored<State, 'unpaid'>>(
    db,
    `select pp.currency_code as "currencyCode",
       case when pp.active = 2 then 'PROPOSED' when pp.active = 0 then pp.end_reason when n.late then 'LATE' else 'ACTIVE' end as state,
       count(*)::int as plans, coalesce(sum(case when pp.active = 0 then 0 else n.unpaid end), 0)::text as unpaid
     from payment_plan pp
     left join (
       select plan_id, sum(amount - paid) as unpaid, bool_or(due_date < $1::date) as late
       from payment_plan_payment where paid < amount group by plan_id
     ) n on n.plan_id = pp.id
     where (pp.active <> 0 or pp.end_date >= $2::date) and ${scope.text} group by 1, 2 order by 1, 2`,
    [today, from, ...scope.parameters],
    { prepare: true },
  )
  return rows.map((row) => ({ ...row, unpaid: fromMinor(BigInt(row.unpaid), row.currencyCode) }))
}

async function readMonths(
  db: Db,
  caller: Caller,
  { today, from }: { today: string; from: string },
): Promise<Month[]> {
  const scope = visiblePlanPayments(caller).at(3)
  const rows = await runStatement<Stored<Month, 'amount' | 'paid'>>(
    db,
    `select pp.currency_code as "currencyCode", date_trunc('month', n.due_date::timestamp)::date::text as month, count(*)::int as payments,
       sum(n.amount)::text as amount, sum(n.paid)::text as paid,
       count(*) filter (where n.paid_date <= n.due_date + pp.grace_days)::int as "inTime",
       count(*) filter (where n.paid_date > n.due_date + pp.grace_days)::int as late,
       count(*) filter (where n.paid_date is null)::int as unpaid
     from payment_plan_payment n join payment_plan pp on pp.id = n.plan_id
     where n.due_date between $1::date and $2::date and ${scope.text} group by 1, 2 order by 1, 2`,
    [from, today, ...scope.parameters],
    { prepare: true },
  )
  return rows.map((row) => ({
    ...row,
    month: midnight(row.month),
    amount: fromMinor(BigInt(row.amount), row.currencyCode),
    paid: fromMinor(BigInt(row.paid), row.currencyCode),
  }))
}

interface ExpectedRow {
  currencyCode: string
  /** The first day of a month. Null for overdue payments. The end of the forecast for all later payments. */
  month: string | null
  payments: number
  amount: string
}

export async function readLiquidityForecast(
  db: Db,
  caller: Caller,
  { today, months }: Span,
): Promise<LiquidityForecast> {
  const before = startOfMonth(today, months)
  const scope = visiblePlans(caller).at(3)
  const rows = await runStatement<ExpectedRow>(
    db,
    `select pp.currency_code as "currencyCode",
       case when n.due_date >= $1::date then least(date_trunc('month', n.due_date::timestamp)::date, $2::date) end::text as month,
       count(*)::int as payments, sum(n.amount - n.paid)::text as amount
     from payment_plan pp join payment_plan_payment n on n.plan_id = pp.id
     where pp.active = 1 and n.paid < n.amount and ${scope.text} group by 1, 2 order by 1, 2`,
    [today, before, ...scope.parameters],
    { prepare: true },
  )
  const sums = rows.map(({ currencyCode, month, payments, amount }) => ({
    month,
    row: { currencyCode, payments, amount: fromMinor(BigInt(amount), currencyCode) },
  }))
  const of = (wanted: string | null) => sums.flatMap(({ month, row }) => (month === wanted ? [row] : []))
  return {
    asOf: midnight(today),
    before: midnight(before),
    overdue: of(null),
    value: sums.flatMap(({ month, row }) =>
      month !== null && month < before ? [{ ...row, month: midnight(month) }] : [],
    ),
    later: of(before),
  }
}
