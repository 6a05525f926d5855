/**
 * Outlays, letters and calls by month, and the cases that they are divided by. Each is read from an index on its dates.
 */
import type { CaseCosts, ContactPrices } from '../../../contract/insight/case-costs.ts'
import { visibleCases } from '../../claims/cases.scope.ts'
import { visibleDocuments } from '../../collection/letters/documents.scope.ts'
import { runStatement } from '../../platform/database/statement.ts'
import type { Db } from '../../platform/database/transaction.ts'
import type { Caller } from '../../platform/http/caller.ts'
import { priceMonth, type CountedMonth } from './costs.rules.ts'
import { midnight, startOfMonth } from './months.ts'

interface Span {
  from: string
  today: string
}
type Worked = Omit<CountedMonth, 'closedCases'>
type Closed = Pick<CountedMonth, 'currencyCode' | 'month' | 'closedCases'>

export async function readCaseCosts(
  db: Db,
  caller: Caller,
  { today, months, prices }: { today: string; months: number; prices: ContactPrices },
): Promise<CaseCosts> {
  const from = startOfMonth(today, 1 - months)
  const [worked, closed] = await Promise.all([
    readWorked(db, caller, { from, today, currencyCode: prices.currencyCode }),
    readClosed(db, caller, { from, today }),
  ])
  const counted = mergeMonths(worked, closed)
  return {
    asOf: midnight(today),
    from: midnight(from),
    prices,
    value: counted.map((month) => priceMonth(month, prices)),
  }
}

/** A letter about no single case, such as a statement, counts in the currency of the prices and works no case. */
async function readWorked(
  db: Db,
  caller: Caller,
  { from, today, currencyCode }: Span & { currencyCode: string },
): Promise<Worked[]> {
  const documents = visibleDocuments(caller).at(4)
  const cases = visibleCases(caller).at(4 + documents.parameters.length)
  return runStatement<Worked>(
    db,
    `with act as materialized (
       select m.channel as kind, o.business_date as day, coalesce(c.currency_code, $3) as currency, o.id as document_id,
         o.case_id, 0 as amount
       from document o join message m on m.document_id = o.id and m.sent_at is not null
         left join debt_case c on c.id = o.case_id
       where o.business_date between $1::date and $2::date and ${documents.text}
       union all
       select 'call', k.business_date, c.currency_code, null, k.case_id, 0
       from phone_call k join debt_case c on c.id = k.case_id
       where k.business_date between $1::date and $2::date and ${cases.text}
       union all
       select 'outlay', m.value_date, c.currency_code, null, m.case_id, m.amount
       from movement m join debt_case c on c.id = m.case_id
       where m.value_date between $1::date and $2::date and m.kind = 'fee'
         and m.details ->> 'feeType' in ('courtCost', 'enforcementCost')
         and not exists (select from movement r where r.reverses_id = m.id) and ${cases.text}
     ), touched as (
       select currency, day, case_id from act where case_id is not null
       union all
       select a.currency, a.day, d.case_id from act a join demand_letter_case d on d.document_id = a.document_id
     ), worked as (
       select currency, date_trunc('month', day::timestamp) as month, count(distinct case_id)::int as cases
       from touched group by 1, 2
     ), done as (
       select currency, date_trunc('month', day::timestamp) as month, sum(amount) as outlays,
         count(*) filter (where kind = 'letter')::int as letter, count(*) filter (where kind = 'email')::int as email,
         count(*) filter (where kind = 'sms')::int as sms, count(*) filter (where kind = 'call')::int as call
       from act group by 1, 2
     )
     select d.currency as "currencyCode", d.month::date::text as month, d.outlays::text as outlays, d.letter, d.email,
       d.sms, d.call, coalesce(w.cases, 0) as "workedCases"
     from done d left join worked w on w.currency = d.currency and w.month = d.month order by 1, 2`,
    [from, today, currencyCode, ...documents.parameters, ...cases.parameters],
    { prepare: true },
  )
}

async function readClosed(db: Db, caller: Caller, { from, today }: Span): Promise<Closed[]> {
  const scope = visibleCases(caller).at(3)
  return runStatement<Closed>(
    db,
    `select c.currency_code as "currencyCode", date_trunc('month', c.closure_date::timestamp)::date::text as month,
       count(*)::int as "closedCases"
     from debt_case c where c.closure_date between $1::date and $2::date and ${scope.text}
     group by 1, 2 order by 1, 2`,
    [from, today, ...scope.parameters],
    { prepare: true },
  )
}

/** By currency and month. A month in which nothing was done may have closed cases, and the other way round. */
function mergeMonths(worked: readonly Worked[], closed: readonly Closed[]): CountedMonth[] {
  const nothing = { outlays: '0', letter: 0, email: 0, sms: 0, call: 0, workedCases: 0, closedCases: 0 }
  const rowKey = ({ currencyCode, month }: Closed | Worked) => `${currencyCode} ${month}`
  const months = new Map<string, CountedMonth>()
  for (const row of [...worked, ...closed]) {
    const key = rowKey(row)
    months.set(key, { ...nothing, ...months.get(key), ...row })
  }
  return [...months].toSorted(([a], [b]) => (a < b ? -1 : 1)).map(([, month]) => month)
}
