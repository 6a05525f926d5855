/**
 * Reads on a streaming replica, for callers who accept a slightly old answer: `Cache-Control: max-stale` (RFC 9111,
 * section 5.2.1.2). Every caller sees at least their own writes, made through any node. After each write the primary's
 * log position is stored, and a replica serves the caller once it has replayed that position.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import type { Sql } from '../database/driver/pool.ts'
import { inTransaction, isPassing, type Db } from '../database/transaction.ts'

export interface Replica {
  /** Records a write: from now on the caller sees nothing older. */
  noteWrite(callerId: string): Promise<void>
  /**
   * Runs the work in a transaction on the replica. Uses the primary when the replica lacks the caller's writes, is
   * older than the given seconds, does not answer, or cancels the work.
   */
  read<T>(reader: { callerId: string; staleSeconds: number }, work: (db: Db) => Promise<T>): Promise<T>
  /** The replica's lag in seconds; null if unknown. Throws when either server does not answer. */
  findLag(): Promise<number | null>
}

/** How long the replica may take to report its position, and how long it is not asked again after a failure. */
const answerWithinMs = 2_000
const restMs = 5_000
/** How long a write waits for its position to be stored, and how soon that is tried again. */
const noteWithinMs = 5_000
const noteAgainMs = 100
const tableLock = 7_240_003

/** Not in backups: after a crash it is empty, and then each caller's position is the primary's at their next read. */
const makeTable = `
  create schema if not exists fordra_replica;
  create unlogged table if not exists fordra_replica.caller_write (caller_id uuid primary key, position pg_lsn not null)`

export async function openReplica(primary: Sql, replica: Sql): Promise<Replica> {
  await inTransaction(primary, async (tx) => {
    await tx`select pg_advisory_xact_lock(${tableLock})`
    await tx.unsafe(makeTable)
  })
  const notes = createNotes(primary)
  let restsUntil = 0
  return {
    noteWrite: notes.add,
    read: async ({ callerId, staleSeconds }, work) => {
      if (performance.now() < restsUntil || notes.isMissing(callerId)) return work(primary)
      const needed = await findPosition(primary, callerId)
      if (needed === undefined) return work(primary)
      try {
        return await readOn(replica, { ...needed, staleSeconds }, work)
      } catch (error) {
        if (error instanceof NotUsable) {
          if (error.rests) restsUntil = performance.now() + restMs
        } else if (!isPassing(error)) throw error
        return work(primary)
      }
    },
    findLag: () => findLag(primary, replica),
  }
}

/**
 * Stores where callers wrote. Until a position is stored, this node reads on the primary for its caller. Other nodes know
 * nothing of the write before, so the writer's answer waits for it, and the node tries until it succeeds.
 */
function createNotes(primary: Sql) {
  /** How many writes of a caller are not stored. */
  const missing = new Map<string, number>()
  const store = async (callerId: string) => {
    for (;;) {
      try {
        return await savePosition(primary, callerId)
      } catch (error) {
        // The node has stopped.
        if ((error as { code?: unknown }).code === 'CONNECTION_ENDED') return
        await sleep(noteAgainMs, undefined, { ref: false })
      }
    }
  }
  return {
    isMissing: (callerId: string) => missing.has(callerId),
    add: async (callerId: string): Promise<void> => {
      missing.set(callerId, (missing.get(callerId) ?? 0) + 1)
      const stored = store(callerId).then(() => {
        const left = missing.get(callerId)! - 1
        if (left === 0) missing.delete(callerId)
        else missing.set(callerId, left)
      })
      await Promise.race([stored, sleep(noteWithinMs, undefined, { ref: false })])
    },
  }
}

/**
 * The age of the last replayed transaction, or zero if the replica has everything that the primary had a moment ago.
 */
async function findLag(primary: Sql, replica: Sql): Promise<number | null> {
  const [here] = await primary<{ position: string }[]>`select pg_current_wal_flush_lsn()::text as position`
  const [there] = await replica<{ seconds: number | null }[]>`
    select case when not pg_is_in_recovery() or pg_last_wal_replay_lsn() >= ${here!.position}::pg_lsn then 0
      else greatest(0, extract(epoch from clock_timestamp() - pg_last_xact_replay_timestamp())) end::float8 as seconds`
  return there!.seconds
}

class NotUsable extends Error {
  readonly rests: boolean

  constructor(rests: boolean) {
    super('The replica cannot be read.')
    this.rests = rests
  }
}

async function savePosition(primary: Sql, callerId: string): Promise<void> {
  await primary`
    insert into fordra_replica.caller_write as w (caller_id, position) values (${callerId}, pg_current_wal_insert_lsn())
    on conflict (caller_id) do update set position = greatest(w.position, excluded.position)`
}

interface Needed {
  /** The position of the caller's last write. */
  written: string
  /** The primary's current position. */
  current: string
}

/** Undefined while another node creates the caller's row. */
async function findPosition(primary: Sql, callerId: string): Promise<Needed | undefined> {
  const [row] = await primary<Needed[]>`
    with known as (select position from fordra_replica.caller_write where caller_id = ${callerId}),
    made as (
      insert into fordra_replica.caller_write (caller_id, position)
      select ${callerId}, pg_current_wal_insert_lsn() where not exists (select from known)
      on conflict do nothing returning position
    )
    select position::text as written, pg_current_wal_insert_lsn()::text as current
    from (select position from known union all select position from made) caller`
  return row
}

async function readOn<T>(
  replica: Sql,
  needed: Needed & { staleSeconds: number },
  work: (db: Db) => Promise<T>,
): Promise<T> {
  const checked = Promise.withResolvers<void>()
  const done = inTransaction(replica, async (tx) => {
    await tx`set transaction read only`
    if (!(await isUsable(tx, needed))) throw new NotUsable(false)
    // One snapshot for all statements of an answer. It is taken after the check: one that the check had taken could be of a
    // moment before the position that the check was told. As one message, so that a pooler gives no other connection.
    await tx.unsafe('commit; begin isolation level repeatable read read only')
    checked.resolve()
    return work(tx)
  })
  done.catch(() => {})
  const inTime = await Promise.race([
    checked.promise.then(() => true),
    done.then(
      () => true,
      (error: unknown) => error instanceof NotUsable,
    ),
    sleep(answerWithinMs, false, { ref: false }),
  ])
  if (!inTime) throw new NotUsable(true)
  return done
}

/** A replica with the whole log is as fresh as the primary; otherwise its last transaction gives its age. */
async function isUsable(tx: Db, { written, current, staleSeconds }: Needed & { staleSeconds: number }) {
  const [row] = await tx<{ usable: boolean | null }[]>`
    select not pg_is_in_recovery() or pg_last_wal_replay_lsn() >= ${written}::pg_lsn and (
      pg_last_wal_replay_lsn() >= ${current}::pg_lsn
      or extract(epoch from clock_timestamp() - pg_last_xact_replay_timestamp()) <= ${staleSeconds}) as usable`
  return row!.usable === true
}

/** The maximum age of an answer in seconds; undefined when the caller does not allow an old one. */
export function parseMaxStale(cacheControl: string | undefined): number | undefined {
  const found = /(?:^|[,\s])max-stale(?:="?(\d{1,9})"?)?(?:$|[,\s])/i.exec(cacheControl ?? '')
  if (!found) return undefined
  return found[1] === undefined ? Number.MAX_SAFE_INTEGER : Number(found[1])
}
