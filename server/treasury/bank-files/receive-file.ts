/**
 * Receives a bank file: reads and checks all of it and writes its entries in one transaction. An invalid file
 * leaves nothing behind. post-entries.ts books the entries afterwards.
 */
import { createHash } from 'node:crypto'
import { countDecimals } from '../../../core/money/money.ts'
import { makeId } from '../../platform/database/make-id.ts'
import { inSavepoint, inTransaction, type Db } from '../../platform/database/transaction.ts'
import { initialChanges, insertRecords, toRecords, type Change } from '../../platform/events/record.ts'
import type { Origin } from '../../platform/http/caller.ts'
import { BadPaymentFile, type BankEntry } from './bank-entry.ts'
import { insertEntries, type EntryRow } from './payment-files.store.ts'
import { readPaymentFile } from './read-file.ts'

/** Advisory lock: two concurrent files must not both treat an entry as new. */
const receivingLock = 0x504f5354
const rowsAtOnce = 1000

export interface ReceivedFile {
  fileGuid: string
  /** False when the same file was received before. */
  isNew: boolean
  entries: number
}

class AlreadyReceived extends Error {
  readonly fileGuid: string
  constructor(fileGuid: string) {
    super('The file came before.')
    this.fileGuid = fileGuid
  }
}

/** Throws a `BadPaymentFile` that says what is wrong; the transaction then writes nothing. */
export function receivePaymentFile(
  db: Db,
  source: Iterable<Uint8Array> | AsyncIterable<Uint8Array>,
  { fileName, bytesMax, origin }: { fileName: string | null; bytesMax: number; origin: Origin },
): Promise<ReceivedFile> {
  return inTransaction(db, async (tx) => {
    try {
      // Rows written before the hash was known must go, even if the caller's transaction continues.
      return await inSavepoint(tx, () => storeFile(tx, source, { fileName, bytesMax, origin }))
    } catch (error) {
      if (!(error instanceof AlreadyReceived)) throw error
      return { fileGuid: error.fileGuid, isNew: false, entries: 0 }
    }
  })
}

async function storeFile(
  tx: Db,
  source: Iterable<Uint8Array> | AsyncIterable<Uint8Array>,
  { fileName, bytesMax, origin }: { fileName: string | null; bytesMax: number; origin: Origin },
): Promise<ReceivedFile> {
  await tx`select pg_advisory_xact_lock(${receivingLock})`
  const fileGuid = makeId()
  const rows = new EntryRows()
  // The hash and totals are known only at the end. Until then the file's own guid stands in for the hash.
  await tx`
    insert into payment_file (id, format, file_name, sha256, bytes, business_date, received_by, entries)
    select ${fileGuid}, 'CAMT054', ${fileName}, ${Buffer.from(fileGuid)}, 0, business_date, ${origin.actorId}, 2147483647
    from business_clock`
  for await (const { entries, end } of readPaymentFile(source, { bytesMax })) {
    for (const entry of entries) rows.add(entry)
    while (rows.waiting >= rowsAtOnce) await insertEntries(tx, fileGuid, rows.take(rowsAtOnce))
    if (!end) continue
    const [same] = await tx<{ id: string }[]>`select id from payment_file where sha256 = ${end.sha256}`
    if (same) throw new AlreadyReceived(same.id)
    await insertEntries(tx, fileGuid, rows.take(rowsAtOnce))
    await tx`
      update payment_file pf set format = ${end.format}, message_id = ${end.messageId}, sha256 = ${end.sha256},
        bytes = ${end.bytes}, entries = ${rows.count}, event_sequence = 1,
        already_there = (select count(*) from payment_file_entry where file_id = pf.id and outcome = 'ALREADY_THERE'),
        not_booked = (select count(*) from payment_file_entry where file_id = pf.id and outcome = 'NOT_BOOKED')
      where id = ${fileGuid}`
    const { format, messageId } = end
    const changes = initialChanges({ format, messageId, fileName, entries: rows.count })
    const data = { paymentFileGuid: fileGuid, format, entries: rows.count }
    const note: Change = {
      type: 'paymentfile.received',
      entityId: fileGuid,
      subject: fileGuid,
      sequence: 1,
      data,
      changes,
    }
    await insertRecords(tx, toRecords(origin, [note]))
  }
  return { fileGuid, isNew: true, entries: rows.count }
}

const entriesMax = 1_000_000

const digest = (text: string, how: 'hex' | 'base64') => createHash('sha256').update(text).digest(how)
const firstIdentity = (hash: string) => digest(`${hash}#0`, 'hex')

/**
 * Converts the entries of a file to rows. A sequence number distinguishes entries with the same identity,
 * since both count. Entries that are not booked get no number. A payment thus has the same number in a file
 * that also lists it as pending.
 */
class EntryRows {
  count = 0
  #rows: EntryRow[] = []
  readonly #seen = new Map<string, number>()

  get waiting(): number {
    return this.#rows.length
  }

  take(most: number): EntryRow[] {
    return this.#rows.splice(0, most)
  }

  add(entry: BankEntry): void {
    if (++this.count > entriesMax)
      throw new BadPaymentFile(
        `The file has more than ${entriesMax} entries. Ask the bank for smaller files.`,
      )
    const hash = digest(entry.identity, 'base64')
    const times = this.#seen.get(hash) ?? 0
    if (entry.notBooked === null) this.#seen.set(hash, times + 1)
    this.#rows.push({
      id: makeId(),
      number: this.count,
      identity: digest(`${hash}#${times}`, 'hex'),
      account: entry.account,
      currency_code: entry.currencyCode,
      minor_per_unit: 10 ** countDecimals(entry.currencyCode),
      amount: Number(entry.amount),
      booking_date: entry.bookingDate,
      value_date: entry.valueDate,
      payment_references: entry.references,
      parts: entry.parts.map(({ reference, amount }) => ({ reference, amount: Number(amount) })),
      end_to_end_id: entry.endToEndId,
      originals: entry.originals.map((one) => firstIdentity(digest(one, 'base64'))),
      words: entry.words,
      payer_name: entry.payerName,
      message: entry.message,
      not_booked: entry.notBooked,
    })
  }
}
