/** Brings a chunk of rows into the database, whole or not at all, together with the run's checkpoint. */
import type { Sql } from 'postgres'
import { inTransaction, type Db } from '../database/transaction.ts'
import {
  findNextDuplicateNumbers,
  findSourceReferences,
  insertDebtors,
  type NewDebtor,
} from '../debtors/debtors.store.ts'
import { rejectRow, sameIdNumber, sameReference, type ReadyDebtor, type ReadyRows } from './debtor-rows.ts'
import { addToRun, holdBusinessDate, type RunCounts } from './import-runs.store.ts'
import type { Rejection } from './rejected-file.ts'

export interface Run {
  id: string
  /** The agency, which the debtors are created by. */
  partyId: string | null
  allowDuplicates: boolean
}

/** The business date has moved on since the rows were prepared. */
class DateMoved extends Error {
  readonly today: string

  constructor(today: string) {
    super(`The business date is ${today} now.`)
    this.today = today
  }
}

export interface ChunkOutcome {
  counts: RunCounts
  /** In the order of the lines. */
  rejections: Rejection[]
}

/** What no two chunks on their way may share: the references and identity numbers of their rows. */
export const namesOf = (ready: ReadyRows): Set<string> =>
  new Set(
    ready.ready.flatMap(({ row, debtor }) =>
      debtor.record.idNumber === null ? [row.key] : [row.key, identityOf(debtor)],
    ),
  )

const identityOf = ({ record }: NewDebtor) => `${record.idCountryCode} ${record.idNumber}`

/** Inserts a chunk. `prepare` is asked again when the business date moves on in between. */
export async function sendChunk(
  sql: Sql,
  run: Run,
  chunk: { rows: number; today: string; ready: ReadyRows; prepare: (today: string) => Promise<ReadyRows> },
): Promise<ChunkOutcome> {
  try {
    return await inTransaction(sql, (tx) => insertChunk(tx, run, chunk))
  } catch (error) {
    if (!(error instanceof DateMoved)) throw error
    return sendChunk(sql, run, { ...chunk, today: error.today, ready: await chunk.prepare(error.today) })
  }
}

async function insertChunk(
  tx: Db,
  run: Run,
  { rows, today, ready }: { rows: number; today: string; ready: ReadyRows },
): Promise<ChunkOutcome> {
  const debtors = ready.ready.map(({ debtor }) => debtor)
  // Both at once: the date is as good as never another one.
  const [date, inserted] = await Promise.all([holdBusinessDate(tx), insertOnce(tx, run, today, debtors)])
  if (date !== today) throw new DateMoved(date)
  const out = ready.ready.filter((_, index) => !inserted[index])
  const settled = await settleLeftOut(tx, run, today, out)
  const rejections = [...ready.rejections, ...settled.rejections]
  const counts = {
    rows,
    inserted: ready.ready.length - out.length + settled.inserted,
    alreadyThere: ready.alreadyThere + settled.alreadyThere,
    rejected: new Set(rejections.map(({ line }) => line)).size,
  }
  await addToRun(tx, run.id, counts)
  return { counts, rejections: rejections.toSorted((one, other) => one.line - other.line) }
}

function insertOnce(tx: Db, run: Run, today: string, debtors: NewDebtor[], duplicateNumber = 0) {
  // The run stands for the request, so that the audit trail leads to it.
  const origin = { actorId: null, requestId: run.id, operation: 'import', businessDate: today }
  return debtors.length === 0
    ? Promise.resolve([])
    : insertDebtors(tx, debtors, { origin, partyId: run.partyId, duplicateNumber })
}

interface Settled {
  inserted: number
  alreadyThere: number
  rejections: Rejection[]
}

/** Why debtors stayed out: their reference came in meanwhile or stands in the chunk twice, or their number is taken. */
async function settleLeftOut(tx: Db, run: Run, today: string, out: ReadyDebtor[]): Promise<Settled> {
  const settled: Settled = { inserted: 0, alreadyThere: 0, rejections: [] }
  if (out.length === 0) return settled
  const present = await findSourceReferences(
    tx,
    out.map(({ row }) => row.key),
  )
  const doubles: ReadyDebtor[] = []
  for (const one of out) {
    if (!present.has(one.row.key)) doubles.push(one)
    else if (one.sameAsLine === undefined) settled.alreadyThere += 1
    else settled.rejections.push(...rejectRow(one.row, [sameReference(one.sameAsLine)]))
  }
  const left = run.allowDuplicates ? await insertDoubles(tx, run, today, doubles) : doubles
  settled.inserted = doubles.length - left.length
  settled.rejections.push(...left.flatMap(({ row }) => rejectRow(row, [sameIdNumber])))
  return settled
}

const triesMax = 5

/** Inserts debtors as doubles of those with their identity number. Returns those that others kept out each time. */
async function insertDoubles(
  tx: Db,
  run: Run,
  today: string,
  doubles: ReadyDebtor[],
): Promise<ReadyDebtor[]> {
  let left = doubles
  for (let tries = 0; tries < triesMax && left.length > 0; tries++) {
    const numbers = await numberDoubles(tx, left)
    const stillOut: ReadyDebtor[] = []
    for (const number of new Set(numbers)) {
      const group = left.filter((_, index) => numbers[index] === number)
      const inserted = await insertOnce(
        tx,
        run,
        today,
        group.map(({ debtor }) => debtor),
        number,
      )
      stillOut.push(...group.filter((_, index) => !inserted[index]))
    }
    left = stillOut
  }
  return left
}

async function numberDoubles(tx: Db, doubles: readonly ReadyDebtor[]): Promise<number[]> {
  const next = await findNextDuplicateNumbers(
    tx,
    doubles.map(({ debtor }) => debtor.record),
  )
  const seen = new Map<string, number>()
  return doubles.map(({ debtor }, index) => {
    const identity = identityOf(debtor)
    const before = seen.get(identity) ?? 0
    seen.set(identity, before + 1)
    return next[index]! + before
  })
}
