/** Tries a bank file: received and booked as otherwise, in a transaction that is always rolled back. */
import { paymentFileBytesMax, type PaymentFileCheck } from '../../../contract/treasury/payment-files.ts'
import { ApprovalNeeded } from '../../access/approvals/second-person.ts'
import { inSavepoint, inTransaction, type Db } from '../../platform/database/transaction.ts'
import type { Sql } from '../../platform/database/driver/pool.ts'
import type { Caller, Origin } from '../../platform/http/caller.ts'
import { postChunk } from './post-entries.ts'
import { requireTwoForFile, splitPieces } from '../held-files/file-limit.ts'
import { receivePaymentFile } from './receive-file.ts'
import { findCheckedFile, listCheckedAccounts, listCheckedProblems } from './checked-file.store.ts'

/** While they are tried, nobody else can change their cases. */
const triedMax = 5_000

/** Carries the outcome out of the transaction, which it rolls back. */
class Tried extends Error {
  readonly found: PaymentFileCheck
  constructor(found: PaymentFileCheck) {
    super('The file was tried, and is rolled back.')
    this.found = found
  }
}

/** Throws a `BadPaymentFile` as receiving it would. */
export async function checkPaymentFile(
  sql: Sql,
  caller: Caller,
  content: Uint8Array,
  origin: Origin,
): Promise<PaymentFileCheck> {
  return inTransaction<PaymentFileCheck>(sql, async (tx) => {
    const limits = { fileName: null, bytesMax: paymentFileBytesMax, origin }
    const received = await receivePaymentFile(tx, splitPieces(content), limits)
    const needsApproval = received.isNew && (await isAboveLimit(tx, caller, received.fileGuid, origin))
    if (received.isNew) await tryEntries(tx, received.fileGuid, origin)
    throw new Tried({ ...(await describe(tx, received)), needsApproval })
  }).catch((error: unknown) => {
    if (error instanceof Tried) return error.found
    throw error
  })
}

async function isAboveLimit(tx: Db, caller: Caller, fileGuid: string, origin: Origin): Promise<boolean> {
  try {
    await inSavepoint(tx, () => requireTwoForFile(tx, caller, { fileGuid, fileName: null }, origin))
    return false
  } catch (error) {
    if (error instanceof ApprovalNeeded) return true
    throw error
  }
}

async function tryEntries(tx: Db, fileGuid: string, origin: Origin): Promise<void> {
  for (let tried = 0; tried < triedMax;) {
    const more = await postChunk(tx, fileGuid, origin)
    if (more === 0) return
    tried += more
  }
}

async function describe(
  tx: Db,
  { fileGuid, isNew }: { fileGuid: string; isNew: boolean },
): Promise<Omit<PaymentFileCheck, 'needsApproval'>> {
  const file = await findCheckedFile(tx, fileGuid)
  const accounts = await listCheckedAccounts(tx, fileGuid)
  const problems = await listCheckedProblems(tx, fileGuid)
  return { ...file, receivedBefore: isNew ? null : fileGuid, accounts, problems }
}
