/**
 * `Idempotency-Key`: repeats the first answer to a POST for 24 hours. The change's transaction stores the answer, so
 * that a crash leaves both or neither. A refusal is stored in the same transaction too, after its changes are rolled
 * back: a concurrent repetition cannot slip in between.
 */
import { hash } from 'node:crypto'
import type { Sql } from '../database/driver/pool.ts'
import { inTransaction, type Db } from '../database/transaction.ts'
import { ApiError } from './errors.ts'

export interface StoredAnswer {
  status: number
  headers: Record<string, string>
  body: string
}

/** A new answer. Its secrets are shown once: the stored body does not have them. */
export interface FirstAnswer extends StoredAnswer {
  /** The body for repetitions. Default: `body`. */
  storedBody?: string
}

export interface KeyedRequest {
  callerId: string
  key: string
  method: string
  path: string
  body: unknown
}

const kept = '24 hours'

/** Returns the answer, and whether it is a repetition of the first one. */
export async function answerOnce(
  sql: Sql,
  request: KeyedRequest,
  work: (tx: Db) => Promise<FirstAnswer>,
  toRefusal: (error: ApiError) => StoredAnswer,
): Promise<{ answer: StoredAnswer; replayed: boolean }> {
  const requestHash = hash(
    'sha256',
    JSON.stringify([request.method, request.path, canonical(request.body)]),
    'buffer',
  )
  const outcome = await inTransaction(sql, async (tx) => {
    const isLocked = await lockKey(tx, request)
    const [stored] = await Promise.all([findAnswer(tx, request, requestHash), tx.unsafe('savepoint work')])
    // The holder of the lock may only be returning the same answer.
    if (stored) return { answer: stored, replayed: true }
    if (!isLocked) throw stillRunning()
    const made = await work(tx).catch((error: unknown) => {
      if (error instanceof ApiError && !unkept.has(error.kind)) return error
      throw error
    })
    if (!(made instanceof ApiError)) {
      const { storedBody, ...answer } = made
      await insertAnswer(tx, request, requestHash, { ...answer, body: storedBody ?? answer.body })
      return { answer, replayed: false }
    }
    await tx.unsafe('rollback to savepoint work')
    await insertAnswer(tx, request, requestHash, toRefusal(made))
    return made
  })
  if (outcome instanceof ApiError) throw outcome
  return outcome
}

/** Failures that are not caused by the request itself: a repetition is processed again. */
const unkept = new Set([
  'idempotency-in-flight',
  'idempotency-mismatch',
  'too-many-requests',
  'overloaded',
  'internal',
  'service-failed',
  'service-timeout',
])

/** Lock and read are two statements, because the read must see what the lock's last holder committed. */
async function lockKey(tx: Db, { callerId, key }: KeyedRequest): Promise<boolean> {
  const [row] = await tx<{ locked: boolean }[]>`
    select pg_try_advisory_xact_lock(hashtextextended(${`${callerId} ${key}`}, 0)) as locked`
  return row!.locked
}

const stillRunning = () =>
  new ApiError(
    'idempotency-in-flight',
    'A request with this Idempotency-Key is still running. Send it again in a moment.',
    {
      headers: { 'retry-after': '1' },
    },
  )

async function findAnswer(
  tx: Db,
  { callerId, key }: KeyedRequest,
  requestHash: Buffer,
): Promise<StoredAnswer | undefined> {
  const [row] = await tx<(StoredAnswer & { requestHash: Buffer })[]>`
    select status, headers, body, request_hash as "requestHash" from idempotency_key
    where caller_id = ${callerId} and key = ${key} and created_at > now() - ${kept}::interval`
  if (row && !row.requestHash.equals(requestHash)) {
    throw new ApiError(
      'idempotency-mismatch',
      'This Idempotency-Key was used for a request with another path or body. Use a new key for a new request.',
    )
  }
  return row
}

async function insertAnswer(
  db: Db,
  { callerId, key }: KeyedRequest,
  requestHash: Buffer,
  answer: StoredAnswer,
): Promise<void> {
  await db`
    insert into idempotency_key as k (caller_id, key, request_hash, status, headers, body)
    values (${callerId}, ${key}, ${requestHash}, ${answer.status}, ${db.json(answer.headers)}, ${answer.body})
    on conflict (caller_id, key) do update set request_hash = excluded.request_hash, status = excluded.status,
      headers = excluded.headers, body = excluded.body, created_at = excluded.created_at
    where k.created_at <= now() - ${kept}::interval`
}

export async function deleteOldAnswers(db: Db): Promise<void> {
  await db`delete from idempotency_key where created_at <= now() - ${kept}::interval`
}

/**
 * Members that hold a secret. The hash does not cover them: who has the database could try passwords against it faster
 * than against the password's own hash.
 */
const secretMembers = new Set([
  'password',
  'currentPassword',
  'clientSecret',
  'secret',
  'token',
  'refreshToken',
])

/** A canonical form of a JSON value: members in alphabetical order, without secrets. */
function canonical(value: unknown): unknown {
  if (value instanceof Uint8Array) return hash('sha256', value, 'hex')
  if (Array.isArray(value)) return value.map(canonical)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value)
      .toSorted(([a], [b]) => (a < b ? -1 : 1))
      .map(([name, member]) => [
        name,
        secretMembers.has(name) && typeof member === 'string' ? '' : canonical(member),
      ]),
  )
}
