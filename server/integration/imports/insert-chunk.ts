/** Inserts a chunk of rows, all or nothing, together with the run's checkpoint. */
import type { Sql } from '../../platform/database/driver/pool.ts'
import { inTransaction, violatedUniqueness, type Db } from '../../platform/database/transaction.ts'
import type { ImportKind, Outcome, Remarkable, Run } from './import-kind.ts'
import { addToRun, holdBusinessDate, type RunCounts } from './import-runs.store.ts'
import { rejectRow, type ReadyRows } from './prepare-rows.ts'
import type { Rejection } from './rejected-file.ts'

/** The business date has changed since the rows were prepared. */
export class BusinessDateChanged extends Error {
  readonly today: string

  constructor(today: string) {
    super(`The business date is now ${today}.`)
    this.today = today
  }
}

/** A claim that was barred by limitation when it was imported. */
export interface BarredClaim {
  line: number
  sourceReference: string | null
  /** YYYY-MM-DD */
  barredOn: string
}

export interface ChunkOutcome {
  counts: RunCounts
  /** In the order of the lines. */
  rejections: Rejection[]
  /** Claims that are in and were barred by limitation before, in the order of the lines. */
  barred: BarredClaim[]
  /** Of the rows that `ready` has, in their order: whether each is in now. */
  inserted: boolean[]
}

export interface Chunk<Made> {
  rows: number
  today: string
  ready: ReadyRows<Made>
  prepare: (today: string) => Promise<ReadyRows<Made>>
}

/** The keys that no two chunks in flight may share. */
export const collectKeys = <Made>(kind: ImportKind<Made>, { ready }: ReadyRows<Made>): Set<string> =>
  new Set(ready.flatMap(({ row, made }) => [row.key, ...kind.listNames(made)]))

const triesMax = 5

/** Inserts a chunk. Calls `prepare` again when the business date changes in between. */
export async function sendChunk<Made>(
  sql: Sql,
  kind: ImportKind<Made>,
  run: Run,
  chunk: Chunk<Made>,
  tries = 1,
): Promise<ChunkOutcome> {
  try {
    return await inTransaction(sql, (tx) => insertChunk(tx, kind, run, chunk))
  } catch (error) {
    if (error instanceof BusinessDateChanged) {
      const { today } = error
      return sendChunk(sql, kind, run, { ...chunk, today, ready: await chunk.prepare(today) })
    }
    // Another program inserted a record with the same key between check and insert.
    if (violatedUniqueness(error) === undefined || tries === triesMax) throw error
    return sendChunk(sql, kind, run, chunk, tries + 1)
  }
}

const isRemarkable = (outcome: Outcome): outcome is Remarkable =>
  typeof outcome === 'object' && 'barredOn' in outcome
const isInserted = (outcome: Outcome): boolean => outcome === 'inserted' || isRemarkable(outcome)

export async function insertChunk<Made>(
  tx: Db,
  kind: ImportKind<Made>,
  run: Run,
  { rows, today, ready }: Chunk<Made>,
): Promise<ChunkOutcome> {
  await run.onChunk?.(tx)
  // The run takes the place of a request id, so that the audit trail leads to it.
  const origin = { actorId: null, requestId: run.id, operation: 'import', businessDate: today }
  if (kind.inTurn) await tx`select pg_advisory_xact_lock(hashtext(${`import ${kind.what}`}))`
  // Both queries run concurrently: the date almost never changes.
  const [date, outcomes] = await Promise.all([
    holdBusinessDate(tx),
    ready.ready.length === 0 ? [] : kind.insert(tx, ready.ready, run, origin),
  ])
  if (date !== today) throw new BusinessDateChanged(date)
  const owned = ready.ready.flatMap(({ row, own }, index) =>
    own && Object.keys(own).length > 0 && isInserted(outcomes[index]!) ? { key: row.key, values: own } : [],
  )
  if (owned.length > 0) await run.own!.insert(tx, owned, origin)
  const barred = ready.ready.flatMap(({ row }, index): BarredClaim[] => {
    const outcome = outcomes[index]!
    if (!isRemarkable(outcome) || outcome.barredOn === null) return []
    return [{ line: row.line, sourceReference: row.reference, barredOn: outcome.barredOn }]
  })
  const rejected = ready.ready.flatMap(({ row }, index) => {
    const outcome = outcomes[index]!
    return typeof outcome === 'string' || isRemarkable(outcome) ? [] : rejectRow(row, outcome)
  })
  const rejections = [...ready.rejections, ...rejected]
  const counts = {
    rows,
    inserted: outcomes.filter(isInserted).length,
    withheld: outcomes.filter((one) => isRemarkable(one) && one.withheld).length,
    barred: barred.length,
    alreadyThere: ready.alreadyThere + outcomes.filter((one) => one === 'already there').length,
    rejected: new Set(rejections.map(({ line }) => line)).size,
  }
  await addToRun(tx, run.id, counts)
  return {
    counts,
    rejections: rejections.toSorted((one, other) => one.line - other.line),
    barred: barred.toSorted((one, other) => one.line - other.line),
    inserted: outcomes.map(isInserted),
  }
}
