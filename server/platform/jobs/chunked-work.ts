/** Work over many rows, chunk by chunk: each chunk is a transaction, so that no lock is held long and what is done stays done. */
import type { Sql } from 'postgres'
import { inTransaction, type Db } from '../database/transaction.ts'
import type { Origin } from '../http/caller.ts'

/** How far work has come. It can be kept as JSON. */
export interface ChunkState<F extends object = object, P = unknown> {
  /** What was done so far. */
  figures: F
  /** Where the next chunk begins; null for the beginning. */
  place: P | null
  isDone: boolean
}

export interface ChunkedWork<F extends object = object, P = unknown> {
  /** The figures before the first chunk. */
  none: F
  /** About how many pieces there are, for whoever watches. */
  count(db: Db, origin: Origin): Promise<number>
  /** Does the next chunk, and returns a new state and how many pieces it was. A row is worked on once, however often it is begun. */
  run(tx: Db, state: ChunkState<F, P>, origin: Origin): Promise<ChunkState<F, P> & { worked: number }>
}

/** Work in parts that are done side by side, because none holds a row that another one wants. */
export interface PartedWork<F extends object = object, P = unknown> {
  parts: readonly ChunkedWork<F, P>[]
  /** The figures of all from those of each. */
  join(figures: readonly F[]): F
}

export type Work<F extends object = object, P = unknown> = ChunkedWork<F, P> | PartedWork<F, P>

export const partsOf = <F extends object, P>(work: Work<F, P>): PartedWork<F, P> =>
  'parts' in work ? work : { parts: [work], join: ([only]) => only! }

export async function countWork(db: Db, work: Work, origin: Origin): Promise<number> {
  const counts = await Promise.all(partsOf(work).parts.map((part) => part.count(db, origin)))
  return counts.reduce((sum, count) => sum + count, 0)
}

/**
 * Has each part do chunks until it is done, all of them side by side. When one fails the others end with the chunk that
 * they are at: nothing goes on behind a failure.
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

/** Does all of it, each chunk in a transaction. Returns the figures. */
export async function runChunks<F extends object, P>(
  sql: Sql,
  work: Work<F, P>,
  origin: Origin,
  told: (worked: number) => Promise<void> = async () => {},
): Promise<F> {
  const { parts, join } = partsOf(work)
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
