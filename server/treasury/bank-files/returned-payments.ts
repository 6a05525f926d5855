/**
 * Takes back payments that the bank returned. A return (a debit with `RvslInd` in camt) names the credit by the bank's
 * references, by the payer's end-to-end identification, or by the references that the payer gave.
 */
import type { Sql } from '../../platform/database/driver/pool.ts'
import { reversePayment } from '../../payments/reverse-payment.ts'
import { inTransaction, type Db } from '../../platform/database/transaction.ts'
import { agencyItself, type Origin } from '../../platform/http/caller.ts'
import { ApiError } from '../../platform/http/errors.ts'
import { refundSuspense } from './suspense.changes.ts'

const reason = 'Returned by the bank.'

/**
 * Reverses the payments that the returns of a file take back, as bounced, and books money of theirs in suspense as paid
 * back. A return whose payment is not found, or not without doubt, is left to a person. Can be repeated.
 */
export async function takeBackReturned(sql: Sql, fileGuid: string, origin: Origin): Promise<void> {
  const returns = await sql<{ id: string }[]>`
    select id from payment_file_entry
    where file_id = ${fileGuid} and reason = 'REVERSAL' and payment_id is null order by number`
  for (const { id } of returns) {
    try {
      await inTransaction(sql, (tx) => takeBack(tx, id, origin))
    } catch (error) {
      if (!(error instanceof ApiError)) throw error
    }
  }
}

async function takeBack(tx: Db, returnGuid: string, origin: Origin): Promise<void> {
  const entry = await findOriginal(tx, returnGuid)
  if (entry === undefined) return
  const payments = await tx<{ id: string; reversed: boolean }[]>`
    select p.id, p.reversed_date is not null as reversed from payment p
    where p.id in (
      select payment_id from payment_file_entry where id = ${entry}
      union select payment_id from payment_file_part where entry_id = ${entry}
      union select payment_id from suspense where entry_id = ${entry}
    ) order by p.id`
  for (const payment of payments) {
    if (payment.reversed) continue
    const change = { paymentGuid: payment.id, input: { reason, bounced: true } }
    await reversePayment(tx, agencyItself, change, { origin })
  }
  const open = await tx<{ id: string }[]>`
    select id from suspense where entry_id = ${entry} and status = 'OPEN' order by id`
  for (const { id } of open)
    await refundSuspense(tx, agencyItself, { suspenseGuid: id, input: { note: reason } }, origin)
  const [first] = payments
  if (first) await tx`update payment_file_entry set payment_id = ${first.id} where id = ${returnGuid}`
}

/**
 * The entry of the payment that a return takes back. By the bank's references first; else the only one that has the
 * return's account, amount and end-to-end identification; else the only one ever with its account, amount and references.
 * Undefined when there is none, or when another file has told of this return before.
 */
async function findOriginal(tx: Db, returnGuid: string): Promise<string | undefined> {
  const [found] = await tx<{ entry: string | null }[]>`
    with returned as (
      select * from payment_file_entry where id = ${returnGuid} and payment_id is null for update
    ), credits as (
      select e.id, e.identity, e.end_to_end_id, e.payment_references
      from payment_file_entry e join returned r
        on e.account = r.account and e.currency_code = r.currency_code and e.amount = r.amount
      where e.outcome in ('BOOKED', 'SUSPENSE') and (e.identity = any(r.originals)
        or e.end_to_end_id = r.end_to_end_id
        or (r.payment_references <> '{}' and e.payment_references = r.payment_references))
    ), ranked as (
      select c.id, case when c.identity = any(r.originals) then 1
        when c.end_to_end_id = r.end_to_end_id then 2 else 3 end as rank
      from credits c cross join returned r
      where not exists (select from payment_file_entry told
        where told.identity = r.identity and told.reason = 'REVERSAL' and told.payment_id is not null)
    )
    select case when count(*) = 1 then min(id::text) end as entry from ranked
    where rank = (select min(rank) from ranked)`
  return found?.entry ?? undefined
}
