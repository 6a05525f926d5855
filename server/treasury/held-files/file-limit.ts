/** A bank file is received by the limit of its sender's role: a file can be made up (docs/domain/approvals.md). */
import { paymentFileBytesMax } from '../../../contract/treasury/payment-files.ts'
import { requireSecondPerson, type ActOrigin } from '../../access/approvals/second-person.ts'
import type { Db } from '../../platform/database/transaction.ts'
import type { Caller } from '../../platform/http/caller.ts'
import { sumWaiting } from '../bank-files/payment-files.store.ts'
import { receivePaymentFile, type ReceivedFile } from '../bank-files/receive-file.ts'

export interface SentFile {
  fileName: string | null
  content: Uint8Array
  /** Of a file that was held: a request keeps it, and so exactly this file is approved. */
  heldFileGuid?: string
}

/** Bytes given to the reader at a time, so that other requests get their turn in between. */
const pieceBytes = 262_144

export function* splitPieces(content: Uint8Array): Generator<Uint8Array> {
  for (let from = 0; from < content.length; from += pieceBytes)
    yield content.subarray(from, from + pieceBytes)
}

/** Throws a `BadPaymentFile`, and `ApprovalNeeded` above the limit; the transaction must then be undone. */
export async function receiveWithinLimit(
  tx: Db,
  caller: Caller,
  file: SentFile,
  origin: ActOrigin,
): Promise<ReceivedFile> {
  const { fileName, content } = file
  const limits = { fileName, bytesMax: paymentFileBytesMax, origin }
  const received = await receivePaymentFile(tx, splitPieces(content), limits)
  if (received.isNew) await requireTwoForFile(tx, caller, { ...file, fileGuid: received.fileGuid }, origin)
  return received
}

/** What of a file is new counts, by currency. Entries of earlier files, and money out, book nothing. */
export async function requireTwoForFile(
  tx: Db,
  caller: Caller,
  { fileGuid, fileName, heldFileGuid }: Omit<SentFile, 'content'> & { fileGuid: string },
  origin: ActOrigin,
): Promise<void> {
  for (const { currencyCode, amount } of await sumWaiting(tx, fileGuid))
    await requireSecondPerson(tx, caller, origin, {
      act: 'BANK_FILE',
      value: { amount: BigInt(amount), currencyCode },
      shares: [{ caseGuid: null, amount: BigInt(amount) }],
      // The bytes are what is approved, in all their currencies.
      grows: {},
      ...(heldFileGuid !== undefined && { pinned: { heldFileGuid, fileName } }),
    })
}
