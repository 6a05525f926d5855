/** Work over many rows, chunk by chunk: each chunk is a transaction, so that no lock is held long and what is done stays done. */
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

/** Does all of it; each chunk is a transaction unless `db` is one. Returns the figures. */
export async function runChunks<F extends object, P>(
  db: Db,
  work: ChunkedWork<F, P>,
  origin: Origin,
  told: (worked: number) => Promise<void> = async () => {},
): Promise<F> {
  let state: ChunkState<F, P> = { figures: work.none, place: null, isDone: false }
  for (let worked = 0; !state.isDone;) {
    const before = state
    const next = await inTransaction(db, (tx) => work.run(tx, before, origin))
    state = next
    worked += next.worked
    await told(worked)
  }
  return state.figures
}
