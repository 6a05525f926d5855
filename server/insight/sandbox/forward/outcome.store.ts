/** What the nights of a sandbox brought, by period and currency. Read from the books themselves. */
import { runStatement } from '../../../platform/database/statement.ts'
import type { Db } from '../../../platform/database/transaction.ts'
import { debtorsStepName } from './debtors-step.ts'
import { refusalsStepName } from './refusals-step.ts'

export type Grouping = 'week' | 'month'

export interface Span {
  /** The first and the last night. */
  from: string
  to: string
  nights: number
}

/** All nights since the sandbox was made, or after a date. Undefined before the first. */
export async function findSpan(db: Db, after: string | null): Promise<Span | undefined> {
  const [row] = await runStatement<{ from: string | null; to: string; nights: number }>(
    db,
    `select to_char(min(business_date), 'YYYY-MM-DD') as from, to_char(max(business_date), 'YYYY-MM-DD') as to,
       count(*)::int as nights
     from day_end_step where step = $1 and ($2::date is null or business_date > $2::date)`,
    [debtorsStepName, after],
  )
  const { from, to, nights } = row!
  return from === null ? undefined : { from, to, nights }
}

export interface PeriodRow {
  /** The first day of the week or month. */
  period: string
  currencyCode: string
  /** Minor units, as text. */
  collected: string
  fees: string
  letters: number
  refusedSteps: number
  closedCases: number
}

/** Payments that were reversed do not count, nor do fees. */
const notReversed = 'not exists (select from movement r where r.reverses_id = m.id)'

/** A row for each period in which something happened. `$1` and `$2`: the first and last day, `$3` week or month. */
export const listPeriods = (db: Db, { from, to }: Span, by: Grouping): Promise<PeriodRow[]> =>
  runStatement<PeriodRow>(
    db,
    `with happened as (
       select m.value_date as day, c.currency_code, m.amount as collected, 0 as fees, 0 as letters, 0 as refused, 0 as closed
       from movement m join debt_case c on c.id = m.case_id
       where m.kind in ('payment', 'thirdPartyPayment') and m.value_date between $1::date and $2::date and ${notReversed}
       union all
       select m.value_date, c.currency_code, 0, m.amount, 0, 0, 0 from movement m join debt_case c on c.id = m.case_id
       where m.kind = 'fee' and m.value_date between $1::date and $2::date and ${notReversed}
       union all
       select o.business_date, c.currency_code, 0, 0, 1, 0, 0 from document o join debt_case c on c.id = o.case_id
       where o.kind <> 'statement' and o.business_date between $1::date and $2::date
       union all
       select d.business_date, r ->> 'currencyCode', 0, 0, 0, 1, 0
       from day_end_step d cross join jsonb_array_elements(d.result -> 'first') r
       where d.step = '${refusalsStepName}' and d.business_date between $1::date and $2::date and r ->> 'rule' is not null
       union all
       select c.closure_date, c.currency_code, 0, 0, 0, 0, 1 from debt_case c
       where c.closure_date between $1::date and $2::date
     )
     select to_char(date_trunc($3, day::timestamp), 'YYYY-MM-DD') as period, currency_code as "currencyCode",
       sum(collected)::text as collected, sum(fees)::text as fees, sum(letters)::int as letters,
       sum(refused)::int as "refusedSteps", sum(closed)::int as "closedCases"
     from happened group by 1, 2 order by 1, 2`,
    [from, to, by],
  )

/** What the law refused: steps, each once for a rule, and fees that it left out of a step. */
export interface RuleRow {
  rule: string
  steps: number
  fees: number
}

export const listRules = (db: Db, { from, to }: Span): Promise<RuleRow[]> =>
  runStatement<RuleRow>(
    db,
    `with refused as (
       select r ->> 'rule' as rule, 1 as steps, 0 as fees
       from day_end_step d cross join jsonb_array_elements(d.result -> 'first') r
       where d.step = '${refusalsStepName}' and d.business_date between $1::date and $2::date
       union all
       select l ->> 'rule', 0, 1 from audit_entry a cross join jsonb_array_elements(a.data -> 'law') l
       where a.type = 'case.step_taken' and a.business_date between $1::date and $2::date
     )
     select rule, sum(steps)::int as steps, sum(fees)::int as fees from refused where rule is not null
     group by rule order by rule`,
    [from, to],
  )

/** Steps that something other than a rule of the law refused, such as the life-cycle of the case. */
export async function countOtherRefusals(db: Db, { from, to }: Span): Promise<number> {
  const [row] = await runStatement<{ steps: number }>(
    db,
    `select count(*)::int as steps from day_end_step d cross join jsonb_array_elements(d.result -> 'first') r
     where d.step = '${refusalsStepName}' and d.business_date between $1::date and $2::date and r ->> 'rule' is null`,
    [from, to],
  )
  return row!.steps
}
