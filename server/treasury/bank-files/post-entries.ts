/**
 * Books the waiting entries of a file, some hundreds per transaction. Entries whose reference names a case or
 * debtor become payments. The others go into suspense. Posting can stop anywhere and resume.
 */
import type { Sql } from '../../platform/database/driver/pool.ts'
import { fromMinor } from '../../../core/money/money.ts'
import { registerPayments, type PaymentRequest } from '../../payments/register-payments.ts'
import { holdDate } from '../../ledger/ledger.store.ts'
import { makeId } from '../../platform/database/make-id.ts'
import { inTransaction, type Db } from '../../platform/database/transaction.ts'
import { initialChanges, insertRecords, toRecords, type Change } from '../../platform/events/record.ts'
import { agencyItself, type Origin } from '../../platform/http/caller.ts'
import { ApiError } from '../../platform/http/errors.ts'
import * as store from './payment-files.store.ts'
import { takeBackReturned } from './returned-payments.ts'

const entriesAtOnce = 500

/** Concurrent chunks, each on its own connection: one is computed while another is written. */
const parallelChunks = 2

interface PostingContext {
  origin: Origin
  onChunk?: (posted: number) => Promise<void> | void
  /** Works in the transaction of each chunk, before it. */
  onBegin?: (tx: Db) => Promise<void>
  signal?: AbortSignal
}

/**
 * Books all waiting entries of a file; several callers may do so concurrently. Reports the number booked
 * after each chunk. Throws between chunks when `signal` aborts.
 */
export async function postFile(
  sql: Sql,
  fileGuid: string,
  { origin, onChunk = () => {}, onBegin, signal }: PostingContext,
): Promise<void> {
  const runLane = async () => {
    for (let posted = 1; posted > 0;) {
      signal?.throwIfAborted()
      posted = await postChunk(sql, fileGuid, origin, onBegin)
      await onChunk(posted)
    }
  }
  const ended = await Promise.allSettled(Array.from({ length: parallelChunks }, runLane))
  for (const one of ended) if (one.status === 'rejected') throw one.reason
  await takeBackReturned(sql, fileGuid, origin)
  await inTransaction(sql, (tx) => endPosting(tx, fileGuid, origin))
}

/**
 * Books a chunk of entries that no other transaction has locked, or waits for those. Returns the number
 * booked, 0 when none wait.
 */
export function postChunk(
  db: Db,
  fileGuid: string,
  origin: Origin,
  onBegin: PostingContext['onBegin'] = async () => {},
): Promise<number> {
  return inTransaction(db, async (tx) => {
    await onBegin(tx)
    await holdDate(tx)
    const free = await store.claimWaiting(tx, fileGuid, { most: entriesAtOnce, skipsHeld: true })
    const waiting =
      free.length > 0
        ? free
        : await store.claimWaiting(tx, fileGuid, { most: entriesAtOnce, skipsHeld: false })
    if (waiting.length === 0) return 0
    const [clock] = await tx<{ today: string }[]>`select business_date as today from business_clock`
    await store.updatePosted(tx, fileGuid, await bookEntries(tx, waiting, clock!.today, origin))
    return waiting.length
  })
}

async function bookEntries(
  tx: Db,
  waiting: readonly store.WaitingEntry[],
  today: string,
  origin: Origin,
): Promise<store.PostedEntry[]> {
  const known = await store.findCaseReferences(tx, [...new Set(waiting.flatMap(({ words }) => words))])
  const reasons = new Map<store.WaitingEntry, string>()
  const aims: Aim[] = []
  for (const entry of waiting) {
    if (entry.parts.length > 0) {
      aims.push(...entry.parts.map((part) => ({ ...part, entry })))
      continue
    }
    const references =
      entry.references.length > 0 ? entry.references : entry.words.filter((one) => known.has(one))
    if (references.length !== 1)
      reasons.set(entry, references.length === 0 ? 'NO_REFERENCE' : 'SEVERAL_REFERENCES')
    else aims.push({ entry, number: null, reference: references[0]!, amount: entry.amount })
  }
  const requests = aims.map((aim) => toPaymentRequest(aim, today))
  const outcomes = await registerPayments(tx, agencyItself, requests, origin)
  const payments = new Map<store.WaitingEntry, string>()
  const rests = new Map(waiting.map((entry) => [entry, entry.amount]))
  const parts: store.PostedPart[] = []
  for (const [index, { entry, number, amount }] of aims.entries()) {
    const outcome = outcomes[index]!
    const reason = outcome instanceof ApiError ? suspenseReason(outcome) : null
    const paymentGuid = outcome instanceof ApiError ? null : outcome.paymentGuid
    if (number !== null) parts.push({ entry_id: entry.id, number, payment_id: paymentGuid, reason })
    else if (paymentGuid !== null) payments.set(entry, paymentGuid)
    if (paymentGuid !== null) rests.set(entry, rests.get(entry)! - amount)
    if (reason !== null && !reasons.has(entry)) reasons.set(entry, reason)
  }
  await store.updateParts(tx, parts)
  return waiting.map((entry) => {
    const rest = rests.get(entry)!
    return {
      id: entry.id,
      outcome: rest === 0 ? 'BOOKED' : 'SUSPENSE',
      reason: rest === 0 ? null : (reasons.get(entry) ?? 'SEVERAL_REFERENCES'),
      payment_id: payments.get(entry) ?? null,
      suspense_id: rest === 0 ? null : makeId(),
      transaction_id: rest === 0 ? null : makeId(),
      suspense_amount: rest,
      value_date: chooseValueDate(entry, today),
    }
  })
}

/** What is to be booked on a reference: the whole entry, or the part of that number. Minor units. */
interface Aim {
  entry: store.WaitingEntry
  number: number | null
  reference: string
  amount: number
}

const toPaymentRequest = ({ entry, number, reference, amount }: Aim, today: string): PaymentRequest => ({
  input: {
    paymentReferenceNumber: reference,
    amount: fromMinor(BigInt(amount), entry.currencyCode),
    currencyCode: entry.currencyCode,
    valueDate: chooseValueDate(entry, today),
  },
  sourceReference: `payment-file/${entry.id}${number === null ? '' : `/${number}`}`,
})

/** The bank's value date. A future date becomes today. */
function chooseValueDate({ valueDate, bookingDate }: store.WaitingEntry, today: string): string {
  const date = valueDate ?? bookingDate ?? today
  return date > today ? today : date
}

/** Why a payment was refused, as a code for filters. */
function suspenseReason({ errors = {} }: ApiError): string {
  if ('paymentReferenceNumber' in errors) return 'UNKNOWN_REFERENCE'
  if ('currencyCode' in errors) return 'OTHER_CURRENCY'
  return 'valueDate' in errors ? 'VALUE_DATE' : 'REFUSED'
}

/** Marks the file as posted, with its event, when no entry waits and nobody else has marked it. */
async function endPosting(tx: Db, fileGuid: string, origin: Origin): Promise<void> {
  const [file] = await tx<{ sequence: number; booked: number; suspended: number }[]>`
    update payment_file pf set posted_at = now(), event_sequence = event_sequence + 1
    where id = ${fileGuid} and posted_at is null
      and not exists (select from payment_file_entry e where e.file_id = pf.id and e.outcome = 'WAITING')
    returning event_sequence as sequence, booked, suspended`
  if (!file) return
  const { sequence, ...counts } = file
  const note: Change = {
    type: 'paymentfile.posted',
    entityId: fileGuid,
    subject: fileGuid,
    sequence,
    data: { paymentFileGuid: fileGuid, ...counts },
    changes: initialChanges(counts),
  }
  await insertRecords(tx, toRecords(origin, [note]))
}
