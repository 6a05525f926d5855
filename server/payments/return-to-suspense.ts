/**
 * What becomes of money from suspense when the payment that was made of it is reversed: it was placed wrongly, and is still
 * on our account, so it is in suspense again. Where the bank took it back it is gone, and nothing is to be done here.
 */
import { makeId } from '../platform/database/make-id.ts'
import type { Db } from '../platform/database/transaction.ts'
import { insertRecords, recordsOf, type Change } from '../platform/events/record.ts'
import type { Origin } from '../platform/http/caller.ts'

/** Puts a reversed payment's money back into suspense, if it came from there, in the transaction of the reversal. */
export async function returnToSuspense(tx: Db, paymentGuid: string, origin: Origin): Promise<void> {
  const transactionId = makeId()
  // The payment's value date, as its reversal on the case has: the bank account is then right on every day.
  const [returned] = await tx<{ suspenseGuid: string; sequence: number }[]>`
    with held as (
      update suspense set status = 'OPEN', payment_id = null, settled_date = null, settled_by = null, version = version + 1,
        event_sequence = event_sequence + 1
      where payment_id = ${paymentGuid} and status = 'ALLOCATED' returning id, currency_code, amount, event_sequence
    ), booked as (
      insert into trust_transaction (id, kind, currency_code, value_date, booked_date, suspense_id)
      select ${transactionId}, 'suspenseReturn', held.currency_code, p.value_date, p.reversed_date, held.id
      from held, payment p where p.id = ${paymentGuid} returning id
    ), entered as (
      insert into trust_entry (transaction_id, line, account, amount)
      select booked.id, side.line, side.account, side.sign * held.amount
      from held, booked, (values (1, 'bank', 1), (2, 'suspense', -1)) side (line, account, sign)
    )
    select id as "suspenseGuid", event_sequence as sequence from held`
  if (!returned) return
  const { suspenseGuid, sequence } = returned
  const note: Change = {
    type: 'suspense.returned',
    entityId: suspenseGuid,
    subject: suspenseGuid,
    sequence: Number(sequence),
    data: { suspenseGuid },
    changes: {
      status: ['ALLOCATED', 'OPEN'],
      paymentGuid: [paymentGuid, null],
    },
  }
  await insertRecords(tx, recordsOf(origin, [note]))
}
