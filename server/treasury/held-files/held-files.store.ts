import type { HeldPaymentFile } from '../../../contract/treasury/held-payment-files.ts'
import { runStatement } from '../../platform/database/statement.ts'
import type { Db } from '../../platform/database/transaction.ts'
import type { SentFile } from './file-limit.ts'

/** Advisory lock: two requests must not both hold the same file. */
const holdingLock = 0x48454c44

export const lockHolding = async (tx: Db): Promise<void> => {
  await tx`select pg_advisory_xact_lock(${holdingLock})`
}

/** The guid of the received file of this content. */
export async function findReceived(tx: Db, sha256: Buffer): Promise<string | undefined> {
  const [row] = await tx<{ guid: string }[]>`select id as guid from payment_file where sha256 = ${sha256}`
  return row?.guid
}

/** The guid of the request that waits for a file of this content. */
export async function findWaiting(tx: Db, sha256: Buffer): Promise<string | undefined> {
  const [row] = await tx<{ guid: string }[]>`
    select a.id as guid from held_payment_file h join approval a
      on a.act = 'BANK_FILE' and a.request ->> 'heldFileGuid' = h.id::text and a.status = 'WAITING'
    where h.sha256 = ${sha256} limit 1`
  return row?.guid
}

export interface HeldSum {
  files: number
  bytes: number
}

/** Two held files of one user are counted one after the other: needs the lock of `lockHolding`. */
export async function sumHeld(tx: Db, userGuid: string): Promise<HeldSum> {
  const [row] = await tx<HeldSum[]>`
    select count(*)::int as files, coalesce(sum(length(content)), 0)::float8 as bytes
    from held_payment_file where held_by = ${userGuid}`
  return row!
}

interface NewHeldFile extends Pick<SentFile, 'fileName' | 'content'> {
  heldFileGuid: string
  sha256: Buffer
  heldBy: string
}

export async function insertHeld(tx: Db, file: NewHeldFile): Promise<void> {
  await tx`
    insert into held_payment_file (id, file_name, sha256, content, held_by)
    values (${file.heldFileGuid}, ${file.fileName}, ${file.sha256}, ${Buffer.from(file.content)}, ${file.heldBy})`
}

export async function findHeld(db: Db, heldFileGuid: string): Promise<HeldPaymentFile> {
  const [row] = await db<HeldPaymentFile[]>`
    select id as "heldFileGuid", file_name as "fileName", encode(sha256, 'hex') as sha256, length(content) as bytes,
      held_at as "heldAt", held_by as "heldBy"
    from held_payment_file where id = ${heldFileGuid}`
  return row!
}

export async function findContent(db: Db, heldFileGuid: string): Promise<SentFile | undefined> {
  const [row] = await db<SentFile[]>`
    select file_name as "fileName", content from held_payment_file where id = ${heldFileGuid}`
  return row
}

export async function deleteHeld(tx: Db, heldFileGuid: string): Promise<SentFile | undefined> {
  const [row] = await tx<SentFile[]>`
    delete from held_payment_file where id = ${heldFileGuid} returning file_name as "fileName", content`
  return row
}

/** True when a request for the file was rejected or withdrawn, and no other one waits. */
export async function isTurnedDown(tx: Db, heldFileGuid: string): Promise<boolean> {
  const requests = await tx<{ status: string }[]>`
    select status from approval where act = 'BANK_FILE' and request ->> 'heldFileGuid' = ${heldFileGuid}`
  return requests.length > 0 && requests.every(({ status }) => status !== 'WAITING')
}

const ofFile = `a.act = 'BANK_FILE' and a.request ->> 'heldFileGuid' = h.id::text`

/** Files held for so long, with their requests. */
export interface HeldWithRequests {
  heldFileGuid: string
  approvalGuids: string[]
}

/** Files that have been held for 30 days. */
export const listExpired = (tx: Db): Promise<HeldWithRequests[]> =>
  runStatement<HeldWithRequests>(
    tx,
    `select h.id as "heldFileGuid", array(select a.id from approval a where ${ofFile}) as "approvalGuids"
     from held_payment_file h where h.held_at < now() - interval '30 days'`,
    [],
  )

/** Deletes files whose request is decided, and those that nobody asked for within a day. */
export const deleteDecided = (tx: Db): Promise<unknown> =>
  runStatement(
    tx,
    `delete from held_payment_file h
     where not exists (select from approval a where ${ofFile} and a.status = 'WAITING')
       and (h.held_at < now() - interval '1 day' or exists (select from approval a where ${ofFile}))`,
    [],
  )

export const listHeld = (tx: Db): Promise<(HeldWithRequests & { fileName: string | null })[]> =>
  runStatement<HeldWithRequests & { fileName: string | null }>(
    tx,
    `select h.id as "heldFileGuid", h.file_name as "fileName", array(select a.id from approval a where ${ofFile}) as "approvalGuids"
     from held_payment_file h`,
    [],
  )

/** The name of a file may name a person too. */
export const forgetFileNames = (tx: Db, approvalGuids: readonly string[]): Promise<unknown> =>
  tx`update approval set request = request - 'fileName' where id = any(${[...approvalGuids]}::uuid[])`
