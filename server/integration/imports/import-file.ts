/**
 * Imports records of one kind from a file (contract section 18). Rows are inserted in chunks, each in one transaction
 * with its events, audit entries and the run's checkpoint. A row is identified by the source's own reference, not by
 * its line. An import can therefore be restarted after any end, also with a corrected file: it skips rows that exist.
 */
import { basename } from 'node:path'
import type { ImportedKind } from '../../../contract/integration/imported-kinds.ts'
import type { Language } from '../../../contract/platform/languages.ts'
import type { Sql } from '../../platform/database/driver/pool.ts'
import type { Db } from '../../platform/database/transaction.ts'
import { makeId } from '../../platform/database/make-id.ts'
import { sealAudit } from '../../platform/events/audit-seal.ts'
import { findAgency, findAgencyName } from '../../access/users/parties.store.ts'
import { findFeeTypes } from '../../ledger/fees.store.ts'
import { ChunksInFlight } from './chunks-in-flight.ts'
import { readColumnNames } from './reading/columns.ts'
import type { ImportKind, Run } from './import-kind.ts'
import { ImportRefused } from './reading/import-refused.ts'
import { endRun, insertRun, noCounts, type RunCounts } from './import-runs.store.ts'
import { collectKeys, sendChunk, type BarredClaim, type ChunkOutcome } from './insert-chunk.ts'
import { inspectFile, type Encoding, type Format } from './reading/inspect-file.ts'
import { findCustomColumns } from './custom-columns.ts'
import { startKeying, startPreparing } from './prepare-rows.ts'
import { readRows } from './reading/read-rows.ts'
import {
  openRejectedFile,
  openRejectedRows,
  type RejectedFile,
  type RejectedRowsStyle,
  type RejectedStyle,
  type Rejection,
} from './rejected-file.ts'
import { findAddressCountry, findRowFiller, type RowFilling } from './row-filler.ts'
import { startTrial } from './trial.ts'
import type { DateOrder, DecimalSign } from './reading/value-style.ts'
import type { KeyedRow, RowBlock, SourceRow } from './reading/row.ts'

export interface ImportRequest extends RowFilling {
  file: string
  /** Separates the references of one source from those of another: 1 to 50 letters, digits and `. _ -`. */
  source: string
  /** Such as `Personnr=idNumber`. */
  mappings: readonly string[]
  allowDuplicates: boolean
  /** Path of the report of rejected rows. */
  rejectedFile: string
  /** Detected from the file unless given, as are the delimiter and the encoding (UTF-8). */
  format?: Format
  delimiter?: string
  encoding?: Encoding
  /** The members of the columns by their places, in place of the headings and mappings. */
  columns?: readonly string[]
  /** How the file writes days and amounts, where not as YYYY-MM-DD with a decimal point. */
  dates?: DateOrder
  decimals?: DecimalSign
  /** The rejected rows as the file has them, each with its reasons in the language. */
  rejectedRows?: { path: string; language: Language }
  /** Inserts nothing: each chunk is inserted as otherwise, and rolled back. */
  dryRun?: boolean
}

export interface ImportContext {
  /** The country of phone and identity numbers that name none. */
  countryCode: string
  /** The currency of amounts that name none. */
  currencyCode: string
  /** Ends the import after the chunks in flight. */
  stop?: AbortSignal
  onProgress?: (progress: ImportProgress) => void
  /** Called in each chunk's transaction, before it. Throws when the import may not go on. */
  onChunk?: (tx: Db) => Promise<void>
}

export interface ImportProgress extends RunCounts {
  /** The share of the file read so far, 0 to 1. */
  share: number
}

export interface ImportReport extends RunCounts {
  runId: string
  source: string
  /** True when the import reached the end of the file. */
  complete: boolean
  /** Rows without a source reference, identified by their contents. */
  withoutReference: number
  /** Null when nothing was rejected. */
  rejectedFile: string | null
  /** The first reasons of rejected rows. */
  firstRejections: Rejection[]
  /** The first claims that were barred by limitation. */
  firstBarred: BarredClaim[]
}

const rowsInChunk = 500
const firstRejectionsMax = 50
const firstBarredMax = 50
const chunksInFlight = 2
const chunksBetweenSeals = 40

/** A valid `source`: it stands before a slash in the keys of rows. */
export const isSourceName = (source: string): boolean => /^[\p{L}\p{N}._-]{1,50}$/u.test(source)
export const sourceSigns = '1 to 50 letters, digits and the signs . _ -'

/** Throws ImportRefused when the file, headings or options are invalid; nothing is imported then. */
export async function importFile<Made>(
  sql: Sql,
  kind: ImportKind<Made>,
  options: ImportRequest,
  context: ImportContext,
): Promise<ImportReport> {
  const { source } = options
  if (!isSourceName(source))
    throw new ImportRefused(`'${source}' is not a valid source name. Use ${sourceSigns}`)
  const own = await findCustomColumns(sql, kind.schema, kind.own)
  const fillRow = await findRowFiller(sql, kind.what, options)
  const addressCountry = await findAddressCountry(sql, options, context.countryCode)
  const names = readColumnNames(own?.extend(kind.schema) ?? kind.schema, options.mappings, kind.cells)
  const file = await inspectFile(options.file, options)
  const { delimiter, blocks, columns, headings } = await readRows(file, names, options)
  own?.noteColumns(columns)
  const rejected = await openRejectedFiles(options, {
    what: kind.what,
    headings,
    style: { source: options.file, delimiter, hasMark: file.markBytes > 0 },
  })
  try {
    const { dryRun = false } = options
    const run: Run = {
      id: dryRun
        ? makeId()
        : await insertRun(sql, { what: kind.what, source, fileName: basename(options.file) }),
      partyId: (await findAgency(sql)) ?? null,
      agencyName: await findAgencyName(sql),
      allowDuplicates: options.allowDuplicates,
      feeTypes: await findFeeTypes(sql, null),
      own,
      onChunk: context.onChunk,
    }
    const progress = startProgress(rejected, file.bytes, context)
    const { complete, withoutReference } = await importBlocks(sql, kind, run, blocks, {
      ...context,
      source,
      fillRow,
      addressCountry,
      settle: progress.settle,
      dryRun,
    })
    if (!dryRun) await endRun(sql, run.id, complete)
    const { counts, firstRejections, firstBarred } = progress
    const rejectedFile = counts.rejected > 0 ? options.rejectedFile : null
    const first = { firstRejections, firstBarred }
    return { runId: run.id, source, complete, ...counts, withoutReference, rejectedFile, ...first }
  } finally {
    await rejected.close()
  }
}

const withoutRow = ({ original: _row, ...rejection }: Rejection): Rejection => rejection

/** The report of rejected rows, and beside it the rows themselves where the request wants them. */
async function openRejectedFiles(
  { rejectedFile, rejectedRows }: ImportRequest,
  { what, headings, style }: { what: ImportedKind; headings: readonly string[]; style: RejectedStyle },
): Promise<RejectedFile> {
  const report = await openRejectedFile(rejectedFile, style)
  const { delimiter } = style
  const rows = rejectedRows && (await openRows(what, rejectedRows, { headings, delimiter }))
  return {
    add: async (rejections) => {
      await report.add(rejections)
      await rows?.add(rejections)
    },
    close: async () => {
      await report.close()
      await rows?.close()
    },
  }
}

async function openRows(
  what: ImportedKind,
  { path, language }: NonNullable<ImportRequest['rejectedRows']>,
  style: Omit<RejectedRowsStyle, 'describe'>,
): Promise<RejectedFile> {
  // Loaded on demand: the texts of all languages take memory.
  const { writeRejection } = await import('./rejection-text.ts')
  return openRejectedRows(path, { ...style, describe: (one) => writeRejection(one, { language, what }) })
}

/** Sums up the outcomes of chunks in order and reports progress. */
function startProgress(rejected: RejectedFile, fileBytes: number, { onProgress }: ImportContext) {
  const counts: RunCounts = { ...noCounts }
  const firstRejections: Rejection[] = []
  const firstBarred: BarredClaim[] = []
  return {
    counts,
    firstRejections,
    firstBarred,
    settle: async (outcome: ChunkOutcome, bytes: number): Promise<void> => {
      await rejected.add(outcome.rejections)
      const room = firstRejectionsMax - firstRejections.length
      firstRejections.push(...outcome.rejections.slice(0, room).map(withoutRow))
      counts.rows += outcome.counts.rows
      counts.inserted += outcome.counts.inserted
      counts.withheld += outcome.counts.withheld
      counts.barred += outcome.counts.barred
      firstBarred.push(...outcome.barred.slice(0, firstBarredMax - firstBarred.length))
      counts.alreadyThere += outcome.counts.alreadyThere
      counts.rejected += outcome.counts.rejected
      onProgress?.({ ...counts, share: fileBytes === 0 ? 1 : bytes / fileBytes })
    },
  }
}

interface BlockContext extends ImportContext {
  source: string
  fillRow: (row: SourceRow) => SourceRow
  addressCountry: string | null
  dryRun: boolean
  settle: (outcome: ChunkOutcome, bytes: number) => Promise<void>
}

/** Reads and checks a chunk while the database inserts the ones before. */
async function importBlocks<Made>(
  sql: Sql,
  kind: ImportKind<Made>,
  run: Run,
  blocks: AsyncIterable<RowBlock>,
  { source, countryCode, currencyCode, addressCountry, fillRow, stop, settle, dryRun }: BlockContext,
): Promise<{ complete: boolean; withoutReference: number }> {
  const addKey = startKeying(source, kind)
  const prepareRows = startPreparing(kind, run.own)
  const seals = startSeals(sql)
  const result = { complete: true, withoutReference: 0 }
  let today = await readBusinessDate(sql)
  const flights = new ChunksInFlight(chunksInFlight)
  const trial = dryRun ? startTrial(kind, run) : undefined
  const chunkRows = (dryRun ? kind.rowsInTrial : undefined) ?? kind.rowsInChunk ?? rowsInChunk
  const failure = new AbortController()
  let settled: Promise<void> = Promise.resolve()
  for await (const { rows: sourceRows, bytes } of readChunks(blocks, chunkRows)) {
    if (stop?.aborted || failure.signal.aborted) {
      result.complete = false
      break
    }
    const rows = sourceRows.map((row) => addKey(fillRow(row)))
    result.withoutReference += rows.filter(({ reference }) => reference === null).length
    const present = await kind.findPresent(sql, rows.map(keyName))
    const prepare = (date: string) => {
      today = date
      const { agencyName } = run
      return prepareRows(rows, present, { countryCode, currencyCode, addressCountry, today, agencyName })
    }
    // An earlier chunk may change `today` while this one is checked or waits.
    const checkedOn = today
    const ready = await prepare(checkedOn)
    if (trial) {
      const outcome = await trial(sql, { rows: rows.length, today: checkedOn, ready, prepare })
      await settle(outcome, bytes)
      continue
    }
    const names = collectKeys(kind, ready)
    await flights.wait(names)
    const outcome = sendChunk(sql, kind, run, { rows: rows.length, today: checkedOn, ready, prepare })
    flights.add(names, outcome)
    settled = Promise.all([outcome, settled]).then(([counted]) => settle(counted, bytes))
    settled.then(seals.note, () => failure.abort())
  }
  await settled
  if (!dryRun) await seals.finish()
  return result
}

const keyName = ({ key }: KeyedRow) => key

async function* readChunks(blocks: AsyncIterable<RowBlock>, size: number): AsyncGenerator<RowBlock> {
  let rows: RowBlock['rows'] = []
  let bytes = 0
  for await (const block of blocks) {
    bytes = block.bytes
    rows = rows.concat(block.rows)
    for (; rows.length >= size; rows = rows.slice(size)) {
      yield { rows: rows.slice(0, size), bytes }
    }
  }
  if (rows.length > 0) yield { rows, bytes }
}

/** Seals the audit trail while it grows. One seal over a million rows at the end would take too long. */
function startSeals(sql: Sql) {
  let chunks = 0
  let sealing: Promise<unknown> = Promise.resolve()
  // The next seal, or at the latest the service, covers what fails here.
  const seal = () => sealAudit(sql).catch(() => {})
  return {
    note: () => {
      if (++chunks % chunksBetweenSeals === 0) sealing = sealing.then(seal)
    },
    finish: () => sealing.then(seal),
  }
}

async function readBusinessDate(sql: Sql): Promise<string> {
  const [clock] = await sql<{ date: string }[]>`select business_date as date from business_clock`
  return clock!.date
}
