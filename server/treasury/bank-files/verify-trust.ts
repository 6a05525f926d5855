/** Verifies the trust books: bank files, suspense and payouts. */
import { runStatement } from '../../platform/database/statement.ts'
import type { Db } from '../../platform/database/transaction.ts'
import { JobFailure, type JobResult } from '../../platform/jobs/job.ts'

/** Fault text, and a query that returns rows when the fault exists. */
// A transaction without entries is a fault too. A payment that was reversed but did not bounce returns its money to
// suspense, so suspense must not be allocated to it.
const checks: Record<string, string> = {
  'a transaction of the trust books does not sum to zero': `
    select 1 from trust_transaction t left join trust_entry e on e.transaction_id = t.id group by t.id
    having coalesce(sum(e.amount), 1) <> 0`,
  'the open suspense items do not match the balance of the suspense account': `
    select 1 from (select currency_code, sum(amount) as open from suspense where status = 'OPEN' group by 1) s
    full join (select t.currency_code, -sum(e.amount) as booked from trust_entry e
      join trust_transaction t on t.id = e.transaction_id where e.account = 'suspense' group by 1) b using (currency_code)
    where coalesce(open, 0) <> coalesce(booked, 0)`,
  'a payout does not match its booking': `
    select 1 from payout p left join trust_transaction t on t.payout_id = p.id left join trust_entry e
      on e.transaction_id = t.id and e.account = 'client' group by p.id, p.amount having p.amount is distinct from sum(e.amount)`,
  'a payout batch is not the sum of its payouts': `
    select 1 from payout_batch b where b.amount <> (select sum(p.amount) from payout p where p.batch_id = b.id)
      or b.payouts <> (select count(*) from payout p where p.batch_id = b.id)`,
  'the counts of a payment file do not match its entries': `
    select 1 from payment_file f, lateral (
      select count(*) as entries, count(*) filter (where outcome = 'BOOKED') as booked,
        count(*) filter (where outcome = 'SUSPENSE') as suspended, count(*) filter (where outcome = 'ALREADY_THERE') as already,
        count(*) filter (where outcome = 'NOT_BOOKED') as not_booked
      from payment_file_entry e where e.file_id = f.id) c
    where (f.entries, f.booked, f.suspended, f.already_there, f.not_booked)
      <> (c.entries, c.booked, c.suspended, c.already, c.not_booked)`,
  'an entry of a bank file is not the sum of its payments and its money in suspense': `
    select 1 from payment_file_entry e left join payment p on p.id = e.payment_id
    where e.outcome in ('BOOKED', 'SUSPENSE') and e.amount <> coalesce(p.amount, 0)
      + (select coalesce(sum(q.amount), 0) from payment_file_part fp join payment q on q.id = fp.payment_id where fp.entry_id = e.id)
      + (select coalesce(sum(s.amount), 0) from suspense s where s.entry_id = e.id)`,
  'a payment of a bank file has another currency than its entry': `
    select 1 from payment_file_entry e left join payment_file_part fp on fp.entry_id = e.id
      join payment p on p.id in (e.payment_id, fp.payment_id) where p.currency_code <> e.currency_code`,
  'the money held for clients is not what their payments and payouts sum to': `
    select 1 from (select case_id, client_id, currency_code, sum(amount) as held from held_money group by 1, 2, 3) h
    full join client_money('infinity') m on (m.case_id, m.client_id, m.currency_code) = (h.case_id, h.client_id, h.currency_code)
    where coalesce(h.held, 0) <> coalesce(m.clients_share - m.paid_out, 0)`,
  'the totals of the money held for clients do not match it': `
    select 1 from (
      select client_id, currency_code, sum(amount) as amount, count(*) as cases from held_money where counted group by 1, 2
    ) h full join held_total t using (client_id, currency_code)
    where (coalesce(h.amount, 0), coalesce(h.cases, 0)) <> (coalesce(t.amount, 0), coalesce(t.cases, 0))`,
  'allocated suspense money does not match its payment': `
    select 1 from suspense s join payment p on p.id = s.payment_id
    where (p.amount, p.currency_code) is distinct from (s.amount, s.currency_code) or p.bounced = false`,
}

/** The texts of the faults that exist. */
export async function verifyTrust(db: Db): Promise<string[]> {
  const failed: string[] = []
  for (const [name, text] of Object.entries(checks)) {
    const rows = await runStatement(db, `${text} limit 1`, [])
    if (rows.length > 0) failed.push(name)
  }
  return failed
}

/** The check for the command `verify-ledger`. Throws JobFailure with the first fault. */
export async function checkTrust(sql: Db): Promise<JobResult> {
  const [first] = await verifyTrust(sql)
  if (first !== undefined) throw new JobFailure(`The trust books: ${first}.`)
  const [row] = await sql<{ count: number }[]>`select count(*)::int as count from trust_transaction`
  return { trustTransactions: row!.count }
}
