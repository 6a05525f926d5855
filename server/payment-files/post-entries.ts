/**
 * Books the waiting entries of a file, some hundreds in a transaction: those whose reference names a case or a debtor by the
 * function that registers any payment, the others into suspense. Ended anywhere and begun again it goes on.
 */
import { fromMinor } from '../../core/money.ts'
import { registerPayments, type PaymentRequest } from '../cases/register-payments.ts'
import { holdDate } from '../cases/ledger.store.ts'
import { makeId } from '../database/make-id.ts'
import { inTransaction, type Db } from '../database/transaction.ts'
import { insertRecords, recordsOf } from '../events/record.ts'
import { agencyItself, type Origin } from '../http/caller.ts'
import { ApiError } from '../http/errors.ts'
import * as store from './payment-files.store.ts'

const entriesAtOnce = 500

/** Books some of a file's entries; returns how many, and whether all are booked now. */
export function postEntries(
  db: Db,
  fileGuid: string,
  origin: Origin,
): Promise<{ posted: number; done: boolean }> {
  return inTransaction(db, async (tx) => {
    await holdDate(tx)
    // One at a time posts a file.
    const [file] = await tx<{ isPosted: boolean; today: string }[]>`
      select posted_at is not null as "isPosted", (select business_date from business_clock) as today
      from payment_file where id = ${fileGuid} for no key update`
    if (!file || file.isPosted) return { posted: 0, done: true }
    const waiting = await store.listWaiting(tx, fileGuid, entriesAtOnce)
    if (waiting.length > 0)
      await store.updatePosted(tx, fileGuid, await bookEntries(tx, waiting, file.today, origin))
    if (waiting.length === entriesAtOnce) return { posted: waiting.length, done: false }
    await endPosting(tx, fileGuid, origin)
    return { posted: waiting.length, done: true }
  })
}

async function bookEntries(
  tx: Db,
  waiting: readonly store.WaitingEntry[],
  today: string,
  origin: Origin,
): Promise<store.PostedEntry[]> {
  const known = await store.findCaseReferences(tx, [...new Set(waiting.flatMap(({ words }) => words))])
  const requests = new Map<store.WaitingEntry, PaymentRequest>()
  const reasons = new Map<store.WaitingEntry, string>()
  for (const entry of waiting) {
    const references =
      entry.references.length > 0 ? entry.references : entry.words.filter((one) => known.has(one))
    if (references.length !== 1)
      reasons.set(entry, references.length === 0 ? 'NO_REFERENCE' : 'SEVERAL_REFERENCES')
    else requests.set(entry, requestOf(entry, references[0]!, today))
  }
  const outcomes = await registerPayments(tx, agencyItself, [...requests.values()], origin)
  const payments = new Map<store.WaitingEntry, string>()
  for (const [index, entry] of [...requests.keys()].entries()) {
    const outcome = outcomes[index]!
    if (outcome instanceof ApiError) reasons.set(entry, reasonOf(outcome))
    else payments.set(entry, outcome.paymentGuid)
  }
  return waiting.map((entry) => {
    const reason = reasons.get(entry) ?? null
    return {
      id: entry.id,
      outcome: reason === null ? 'BOOKED' : 'SUSPENSE',
      reason,
      payment_id: payments.get(entry) ?? null,
      suspense_id: reason === null ? null : makeId(),
      transaction_id: reason === null ? null : makeId(),
      value_date: valueDateOf(entry, today),
    }
  })
}

const requestOf = (entry: store.WaitingEntry, reference: string, today: string): PaymentRequest => ({
  input: {
    paymentReferenceNumber: reference,
    amount: fromMinor(BigInt(entry.amount), entry.currencyCode),
    currencyCode: entry.currencyCode,
    valueDate: valueDateOf(entry, today),
  },
  sourceReference: `payment-file/${entry.id}`,
})

/** That of the bank; one that is yet to come counts from today. */
function valueDateOf({ valueDate, bookingDate }: store.WaitingEntry, today: string): string {
  const date = valueDate ?? bookingDate ?? today
  return date > today ? today : date
}

/** Why a payment was refused, as a code to filter by. */
function reasonOf({ errors = {} }: ApiError): string {
  if ('paymentReferenceNumber' in errors) return 'UNKNOWN_REFERENCE'
  if ('currencyCode' in errors) return 'OTHER_CURRENCY'
  return 'valueDate' in errors ? 'VALUE_DATE' : 'REFUSED'
}

async function endPosting(tx: Db, fileGuid: string, origin: Origin): Promise<void> {
  const [file] = await tx<{ sequence: number; booked: number; suspended: number }[]>`
    update payment_file set posted_at = now(), event_sequence = event_sequence + 1 where id = ${fileGuid}
    returning event_sequence as sequence, booked, suspended`
  const { sequence, ...counts } = file!
  const data = { paymentFileGuid: fileGuid, ...counts }
  const changes = { booked: [null, counts.booked], suspended: [null, counts.suspended] } as const
  const note = { type: 'paymentfile.posted', entityId: fileGuid, subject: fileGuid, sequence, data, changes }
  await insertRecords(tx, recordsOf(origin, [note as never]))
}
