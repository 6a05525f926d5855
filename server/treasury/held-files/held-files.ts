/** Bank files that wait for a second person, as their senders sent them. Nothing of them is booked. */
import { createHash } from 'node:crypto'
import { type HeldPaymentFile } from '../../../contract/treasury/held-payment-files.ts'
import { paymentFileBytesMax } from '../../../contract/treasury/payment-files.ts'
import { makeId } from '../../platform/database/make-id.ts'
import { inTransaction, type Db } from '../../platform/database/transaction.ts'
import type { Caller } from '../../platform/http/caller.ts'
import { ApiError, notFound } from '../../platform/http/errors.ts'
import { splitPieces, type SentFile } from './file-limit.ts'
import * as store from './held-files.store.ts'
import { readPaymentFile } from '../bank-files/read-file.ts'

const heldMax = 10
const mebibyte = 1_048_576
/** Of all held files of a user: two of the largest that are taken. */
const heldBytesMax = 128 * mebibyte

/** Throws a `BadPaymentFile`, or a 409 for a file that is known or one too many. */
export async function holdFile(
  db: Db,
  caller: Caller,
  { fileName, content }: SentFile,
): Promise<HeldPaymentFile> {
  await readWhole(content)
  const sha256 = createHash('sha256').update(content).digest()
  return inTransaction(db, async (tx) => {
    await store.lockHolding(tx)
    const received = await store.findReceived(tx, sha256)
    if (received !== undefined)
      throw new ApiError('conflict', `The file was received before, as ${received}.`)
    const waiting = await store.findWaiting(tx, sha256)
    if (waiting !== undefined)
      throw new ApiError('conflict', `The file waits for a second person already, by the request ${waiting}.`)
    requireRoom(await store.sumHeld(tx, caller.userId), content.length)
    const heldFileGuid = makeId()
    await store.insertHeld(tx, { heldFileGuid, fileName, sha256, content, heldBy: caller.userId })
    return store.findHeld(tx, heldFileGuid)
  })
}

/** Throws a 409 when a user would hold too many files, or too many bytes. */
function requireRoom({ files, bytes }: store.HeldSum, more: number): void {
  const decide = 'Have them decided or withdraw them first.'
  if (files >= heldMax) throw new ApiError('conflict', `You have ${heldMax} held files. ${decide}`)
  if (bytes + more > heldBytesMax)
    throw new ApiError(
      'conflict',
      `Your held files and this one together have more than ${heldBytesMax / mebibyte} MiB. ${decide}`,
    )
}

async function readWhole(content: Uint8Array): Promise<void> {
  const pieces = readPaymentFile(splitPieces(content), { bytesMax: paymentFileBytesMax })
  // What is read is dropped: only a file that can be read is worth a second person's time.
  while (!(await pieces.next()).done);
}

/** Throws a 404. */
export async function requireHeldFile(db: Db, heldFileGuid: string): Promise<SentFile> {
  const file = await store.findContent(db, heldFileGuid)
  if (!file) throw notFound('held payment file')
  return file
}

/** Takes a file out, to be booked in the same transaction. Throws a 404, or a 409 when its request was turned down. */
export async function takeHeldFile(tx: Db, heldFileGuid: string): Promise<SentFile> {
  const file = await store.deleteHeld(tx, heldFileGuid)
  if (!file) throw notFound('held payment file')
  if (await store.isTurnedDown(tx, heldFileGuid))
    throw new ApiError(
      'conflict',
      'The request to book the file was rejected or withdrawn. Send the file anew.',
    )
  return { ...file, heldFileGuid }
}
