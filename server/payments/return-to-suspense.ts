/**
 * Reverses a payment that was made from suspense. Wrongly placed money is still on the agency's account, so
 * it returns to suspense. Money that the bank took back does not return.
 */
import { makeId } from '../platform/database/make-id.ts'
import type { Db } from '../platform/database/transaction.ts'
import { insertRecords, toRecords, type Change } from '../platform/events/record.ts'
import type { Origin } from '../platform/http/caller.ts'

/**
 * Puts the money of a reversed payment back into suspense, if it came from there. Runs in the reversal's
 * transaction.
 */
export async function returnToSuspense(tx: Db, paymentGuid: string, origin: Origin): Promise<void> {
  const transactionId = makeId()
  // Uses the payment's value date, as the reversal on the case does, so that the bank account is right on
  // every day.
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
  await insertRecords(tx, toRecords(origin, [note]))
}
