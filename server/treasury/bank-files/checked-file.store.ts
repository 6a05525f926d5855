/** What became of the entries of a file, for a check of it. */
import type { PaymentFileCheck } from '../../../contract/treasury/payment-files.ts'
import type { Db } from '../../platform/database/transaction.ts'

type Counts = Omit<PaymentFileCheck, 'receivedBefore' | 'accounts' | 'problems' | 'needsApproval'>

export async function findCheckedFile(tx: Db, fileGuid: string): Promise<Counts> {
  const [row] = await tx<Counts[]>`
    select f.format, f.message_id as "messageId", f.entries,
      count(*) filter (where e.outcome = 'BOOKED')::int as booked,
      count(*) filter (where e.outcome = 'SUSPENSE')::int as suspended,
      count(*) filter (where e.outcome = 'ALREADY_THERE')::int as "alreadyThere",
      count(*) filter (where e.reason = 'REVERSAL')::int as returned,
      count(*) filter (where e.outcome = 'NOT_BOOKED' and e.reason <> 'REVERSAL')::int as "notBooked",
      count(*) filter (where e.outcome = 'WAITING')::int as untried
    from payment_file f left join payment_file_entry e on e.file_id = f.id where f.id = ${fileGuid} group by f.id`
  return row!
}

/**
 * The accounts of the file. A party's account is the same when its digits and letters are, or when one of them is the
 * end of the other, as a national number is of an IBAN.
 */
export const listCheckedAccounts = (tx: Db, fileGuid: string): Promise<PaymentFileCheck['accounts']> =>
  tx<PaymentFileCheck['accounts']>`
    select a.account, a.currency as "currencyCode", a.entries,
      a.booked / a.unit::float8 as booked, a.suspended / a.unit::float8 as suspended, owned.name as owner,
      owned.name is not null or exists (
        select from payment_file_entry o where o.account = a.account and o.file_id <> ${fileGuid}) as "isKnown"
    from (
      select e.account, e.currency_code as currency, e.minor_per_unit as unit, count(*)::int as entries,
        sum(case when e.outcome = 'BOOKED' then e.amount else 0 end) as booked,
        sum(case when e.outcome = 'SUSPENSE' then e.amount else 0 end) as suspended
      from payment_file_entry e where e.file_id = ${fileGuid} group by 1, 2, 3) a
    left join lateral (
      select p.name from party p cross join lateral (select regexp_replace(upper(p.bank_account_no), '[^A-Z0-9]', '', 'g') as own,
        regexp_replace(upper(a.account), '[^A-Z0-9]', '', 'g') as told) c
      where own = told or (length(own) >= 7 and right(told, length(own)) = own)
        or (length(told) >= 7 and right(own, length(told)) = told)
      order by p.parent_id is not null, p.id limit 1) owned on true
    order by a.entries desc, a.account`

const problemsMax = 20

export const listCheckedProblems = (tx: Db, fileGuid: string): Promise<PaymentFileCheck['problems']> =>
  tx<PaymentFileCheck['problems']>`
    select e.number, e.amount / e.minor_per_unit::float8 as amount, e.currency_code as "currencyCode",
      e.value_date::timestamptz as "valueDate", e.payer_name as "payerName", e.outcome, e.reason
    from payment_file_entry e where e.file_id = ${fileGuid} and e.outcome in ('SUSPENSE', 'NOT_BOOKED')
    order by e.outcome <> 'SUSPENSE', e.number limit ${problemsMax}`
