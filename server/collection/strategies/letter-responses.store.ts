/** How debtors answered letters before: what of the claims was paid in which week after a letter. */
import type { ObservedWeek } from '../../../core/cases/expected-weeks.ts'
import type { LetterKind } from '../../../core/cases/simulated-case.ts'
import { runStatement } from '../../platform/database/statement.ts'
import type { Db } from '../../platform/database/transaction.ts'

export interface ObservedLetterWeek extends ObservedWeek {
  currencyCode: string
  letter: LetterKind
}

const sampleMost = 10_000
const weeksMost = 13

/**
 * Weeks after letters of the last year that have left, of a sample by the hash of their ids. A letter is followed until
 * the next one about the same case: what is paid after that one was answered to it. Claims of one letter count each.
 */
export async function findLetterWeeks(db: Db, today: string): Promise<ObservedLetterWeek[]> {
  return runStatement<ObservedLetterWeek>(
    db,
    `with sample as materialized (
      select id, business_date as day, case_id from document
      where business_date between $1::date - 365 and $1::date - 7
      order by uuid_hash(id), id limit ${sampleMost}
    ), letters as materialized (
      select row_number() over () as number, s.id, s.day, f.case_id, o.kind
      from sample s join document o on o.id = s.id
        cross join lateral (select s.case_id where s.case_id is not null
          union select j.case_id from demand_letter_case j where j.document_id = s.id) f
      where o.kind in ('reminder', 'notice', 'demand', 'legal', 'surveillance')
        and exists (select from message m where m.document_id = s.id and m.sent_at is not null)
    ), followed as materialized (
      select l.number, l.kind, l.day, l.case_id, c.currency_code as currency,
        least($1::date, coalesce((
          select min(n.business_date) from document n
          where n.id in (select f.id from document f where f.case_id = l.case_id
              union all select j.document_id from demand_letter_case j where j.case_id = l.case_id)
            and n.kind in ('reminder', 'notice', 'demand', 'legal', 'surveillance') and n.business_date > l.day), $1::date)) as until,
        (select coalesce(sum(e.amount), 0) from ledger_transaction t join ledger_entry e on e.transaction_id = t.id
          where t.case_id = l.case_id and t.booked_date <= l.day and e.account like 'receivable:%') as owed
      from letters l join debt_case c on c.id = l.case_id
    ), money as (
      select f.number, (t.booked_date - f.day - 1) / 7 as week, -sum(e.amount) as paid
      from followed f
        join ledger_transaction t on t.case_id = f.case_id and t.booked_date > f.day and t.booked_date <= f.until
          and t.kind in ('payment', 'thirdPartyPayment', 'creditUse')
        join ledger_entry e on e.transaction_id = t.id and e.account like 'receivable:%'
      group by 1, 2
    ), weeks as (
      select f.kind, f.currency, w.week, coalesce(m.paid, 0) as paid,
        f.owed - coalesce(sum(m.paid) over (partition by f.number order by w.week
          rows between unbounded preceding and 1 preceding), 0) as owed
      from followed f cross join generate_series(0, ${weeksMost - 1}) w (week)
        left join money m on m.number = f.number and m.week = w.week
      where f.day + 7 * (w.week + 1) <= f.until
    )
    select currency as "currencyCode", kind as letter, week, count(*)::int as letters,
      sum(greatest(owed, 0))::float8 as owed, sum(greatest(least(paid, owed), 0))::float8 as paid
    from weeks group by 1, 2, 3 order by 1, 2, 3`,
    [today],
    { prepare: true },
  )
}
