/**
 * The dry run of an import: each chunk is inserted as in a real run and then rolled back. A later chunk thus does not
 * find the records of earlier ones, so their keys and unique values are remembered here.
 */
import type { Sql } from '../../platform/database/driver/pool.ts'
import { inTransaction } from '../../platform/database/transaction.ts'
import type { ImportKind, ReadyRow, Run } from './import-kind.ts'
import { BusinessDateChanged, insertChunk, type Chunk, type ChunkOutcome } from './insert-chunk.ts'
import { rejectRow, sameReference, type ReadyRows } from './prepare-rows.ts'
import { Fingerprints } from './reading/fingerprints.ts'
import type { Fault } from './reading/row.ts'

class RolledBack extends Error {
  readonly outcome: ChunkOutcome

  constructor(outcome: ChunkOutcome) {
    super('A dry run inserts nothing.')
    this.outcome = outcome
  }
}

/** Returns a function that tries a chunk and leaves nothing behind. */
export function startTrial<Made>(kind: ImportKind<Made>, run: Run) {
  const taken = new Fingerprints()
  const { distinct } = kind
  const isDistinct = distinct !== undefined && distinct.unless?.(run) !== true
  const names = ({ made }: ReadyRow<Made>) =>
    isDistinct ? kind.listNames(made).map((name) => `name ${name}`) : []
  const findFault = (one: ReadyRow<Made>): Fault | undefined => {
    const line = taken.find(`key ${one.row.key}`)
    if (line !== undefined) return sameReference(line)
    return names(one).some((name) => taken.find(name) !== undefined)
      ? { field: distinct!.field, reason: distinct!.reason }
      : undefined
  }
  const withoutTaken = (ready: ReadyRows<Made>): ReadyRows<Made> => {
    const faults = new Map(ready.ready.map((one) => [one, findFault(one)]))
    return {
      ...ready,
      ready: ready.ready.filter((one) => faults.get(one) === undefined),
      rejections: [
        ...ready.rejections,
        ...ready.ready.flatMap((one) => {
          const fault = faults.get(one)
          return fault ? rejectRow(one.row, [fault]) : []
        }),
      ],
    }
  }
  return async (sql: Sql, chunk: Chunk<Made>): Promise<ChunkOutcome> => {
    const ready = withoutTaken(chunk.ready)
    const outcome = await rollBack(sql, kind, run, { ...chunk, ready })
    for (const [index, one] of ready.ready.entries()) {
      if (outcome.inserted[index] !== true) continue
      for (const name of [`key ${one.row.key}`, ...names(one)]) taken.update(name, () => one.row.line)
    }
    return outcome
  }
}

async function rollBack<Made>(
  sql: Sql,
  kind: ImportKind<Made>,
  run: Run,
  chunk: Chunk<Made>,
): Promise<ChunkOutcome> {
  try {
    return await inTransaction(sql, async (tx) => {
      throw new RolledBack(await insertChunk(tx, kind, run, chunk))
    })
  } catch (error) {
    if (error instanceof RolledBack) return error.outcome
    if (!(error instanceof BusinessDateChanged)) throw error
    const { today } = error
    return rollBack(sql, kind, run, { ...chunk, today, ready: await chunk.prepare(today) })
  }
}
