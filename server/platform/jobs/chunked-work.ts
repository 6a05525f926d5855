/** Work over many rows in chunks. Each chunk is a transaction, so locks are short and finished chunks stay done. */
import type { Sql } from '../database/driver/pool.ts'
import { inTransaction, type Db } from '../database/transaction.ts'
import type { Origin } from '../http/caller.ts'

/** The progress of work, storable as JSON. */
export interface ChunkState<F extends object = object, P = unknown> {
  /** The counts so far. */
  figures: F
  /** The start of the next chunk; null for the first. */
  place: P | null
  isDone: boolean
}

export interface ChunkedWork<F extends object = object, P = unknown> {
  /** The counts before the first chunk. */
  none: F
  /** The approximate number of pieces, for progress reports. */
  count(db: Db, origin: Origin): Promise<number>
  /**
   * Runs the next chunk. Returns the new state and the number of pieces done. A row is processed once, however often
   * the work is restarted.
   */
  run(tx: Db, state: ChunkState<F, P>, origin: Origin): Promise<ChunkState<F, P> & { worked: number }>
}

/** Work in parts that run concurrently, because they never lock the same rows. */
export interface PartedWork<F extends object = object, P = unknown> {
  parts: readonly ChunkedWork<F, P>[]
  /** Combines the counts of all parts. */
  join(figures: readonly F[]): F
}

export type Work<F extends object = object, P = unknown> = ChunkedWork<F, P> | PartedWork<F, P>

export const toParts = <F extends object, P>(work: Work<F, P>): PartedWork<F, P> =>
  'parts' in work ? work : { parts: [work], join: ([only]) => only! }

export async function countWork(db: Db, work: Work, origin: Origin): Promise<number> {
  const counts = await Promise.all(toParts(work).parts.map((part) => part.count(db, origin)))
  return counts.reduce((sum, count) => sum + count, 0)
}

/**
 * Runs the chunks of each part until it is done, all parts concurrently. When one fails the others stop after their
 * current chunk: nothing continues after a failure.
 */
export async function doParts<W, R extends { isDone: boolean; worked: number }>(
  parts: readonly W[],
  doChunk: (part: W, before: R | undefined) => Promise<R>,
  told: (worked: number) => Promise<void>,
): Promise<R[]> {
  const all = { worked: 0, failed: false }
  const doPart = async (part: W): Promise<R> => {
    let last: R | undefined
    do {
      last = await doChunk(part, last)
      all.worked += last.worked
      await told(all.worked)
    } while (!last.isDone && !all.failed)
    return last
  }
  const outcomes = await Promise.allSettled(
    parts.map((part) =>
      doPart(part).catch((error: unknown) => {
        all.failed = true
        throw error
      }),
    ),
  )
  return outcomes.map((outcome) => {
    if (outcome.status === 'rejected') throw outcome.reason
    return outcome.value
  })
}

/** Runs all chunks, each in a transaction. Returns the counts. */
export async function runChunks<F extends object, P>(
  sql: Sql,
  work: Work<F, P>,
  origin: Origin,
  told: (worked: number) => Promise<void> = async () => {},
): Promise<F> {
  const { parts, join } = toParts(work)
  const done = await doParts<ChunkedWork<F, P>, ChunkState<F, P> & { worked: number }>(
    parts,
    (part, before) =>
      inTransaction(sql, (tx) =>
        part.run(tx, before ?? { figures: part.none, place: null, isDone: false }, origin),
      ),
    told,
  )
  return join(done.map(({ figures }) => figures))
}
