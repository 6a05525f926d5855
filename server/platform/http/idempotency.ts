/**
 * `Idempotency-Key`: the first answer to a POST, given again for 24 hours. The answer is stored in the transaction of
 * the change itself, so that a crash leaves both or neither. A refusal is stored too, in the same transaction, in which
 * all that led to it is undone: nobody can send the request again in between.
 */
import { hash } from 'node:crypto'
import type { Sql } from 'postgres'
import { inTransaction, type Db } from '../database/transaction.ts'
import { ApiError } from './errors.ts'

export interface StoredAnswer {
  status: number
  headers: Record<string, string>
  body: string
}

/** A new answer. Its secrets are shown once: they are not in the body that is stored. */
export interface FirstAnswer extends StoredAnswer {
  /** The body that a replay gets; `body` unless given. */
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

/** Returns the answer, and whether it is the first one given again. */
export async function answerOnce(
  sql: Sql,
  request: KeyedRequest,
  work: (tx: Db) => Promise<FirstAnswer>,
  refusalOf: (error: ApiError) => StoredAnswer,
): Promise<{ answer: StoredAnswer; replayed: boolean }> {
  const requestHash = hash(
    'sha256',
    JSON.stringify([request.method, request.path, canonical(request.body)]),
    'buffer',
  )
  const outcome = await inTransaction(sql, async (tx) => {
    const isLocked = await lockKey(tx, request)
    const [stored] = await Promise.all([findAnswer(tx, request, requestHash), tx.unsafe('savepoint work')])
    // Whoever holds the lock may only be giving the same answer again.
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
    await insertAnswer(tx, request, requestHash, refusalOf(made))
    return made
  })
  if (outcome instanceof ApiError) throw outcome
  return outcome
}

/** Failures that say nothing of the request itself: sent again, it is worked on again. */
const unkept = new Set([
  'idempotency-in-flight',
  'idempotency-mismatch',
  'too-many-requests',
  'overloaded',
  'internal',
  'service-failed',
  'service-timeout',
])

/** Two statements, lock then read: the read must see what the lock's last holder committed. */
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

/** The same JSON value in one spelling: members in alphabetical order. */
function canonical(value: unknown): unknown {
  if (value instanceof Uint8Array) return hash('sha256', value, 'hex')
  if (Array.isArray(value)) return value.map(canonical)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value)
      .toSorted(([a], [b]) => (a < b ? -1 : 1))
      .map(([name, member]) => [name, canonical(member)]),
  )
}
