/** Writes invented debtors to a file, a chunk at a time, waiting for the disk before the next one. */
import { open, rename } from 'node:fs/promises'
import { csvCell } from '../../server/integration/exports/csv-cell.ts'
import { demoColumns, generateDebtors, type DemoDebtor } from './debtors.ts'

export type DemoFormat = 'csv' | 'ndjson'

export interface DemoProgress {
  /** Debtors written so far. */
  written: number
  debtors: number
}

export interface DemoFile {
  out: string
  format: DemoFormat
  debtors: number
  /** The size of the file. */
  bytes: number
}

const rowsBetweenReports = 10_000
const chunkLength = 256 * 1024

/**
 * Writes `debtors` debtors (0 to 1,100,000) of `seed` to `out`, UTF-8 without byte order mark. CSV has a heading,
 * commas and CRLF (RFC 4180); NDJSON leaves out members without a value. `sourceReference` comes first
 * (`DEMO-1-000001`), then the members of D2. Without `format` the ending of the file decides, `.ndjson` or `.jsonl`
 * and else CSV. The file appears under its name when it is whole. `report` is called after every 10,000 rows and at
 * the end. Throws RangeError for numbers out of range and what the file system throws.
 */
export async function writeDemo(options: {
  debtors: number
  seed: number
  out: string
  format?: DemoFormat
  report: (progress: DemoProgress) => void
}): Promise<DemoFile> {
  const { debtors, seed, out, report } = options
  const format = options.format ?? (/\.(ndjson|jsonl)$/i.test(out) ? 'ndjson' : 'csv')
  const writeRow = format === 'csv' ? formatCsvRow : formatJsonRow
  const unfinished = `${out}.part`
  const rows = generateDebtors({ seed, count: debtors })
  // The first step checks the numbers, before there is a file.
  let next = rows.next()
  const file = await open(unfinished, 'w')
  let bytes = 0
  try {
    let written = 0
    let chunk = format === 'csv' ? `sourceReference,${demoColumns.join(',')}\r\n` : ''
    for (; !next.done; next = rows.next()) {
      written++
      chunk += writeRow(`DEMO-${seed}-${String(written).padStart(6, '0')}`, next.value)
      if (chunk.length >= chunkLength) {
        bytes += await appendText(file, chunk)
        chunk = ''
      }
      if (written % rowsBetweenReports === 0 && written < debtors) report({ written, debtors })
    }
    bytes += await appendText(file, chunk)
    report({ written, debtors })
  } finally {
    await file.close()
  }
  await rename(unfinished, out)
  return { out, format, debtors, bytes }
}

async function appendText(file: Awaited<ReturnType<typeof open>>, text: string): Promise<number> {
  const buffer = Buffer.from(text)
  await file.appendFile(buffer)
  return buffer.length
}

function formatCsvRow(sourceReference: string, debtor: DemoDebtor): string {
  let row = sourceReference
  for (const column of demoColumns) row += `,${csvCell(debtor[column], ',')}`
  return `${row}\r\n`
}

const formatJsonRow = (sourceReference: string, debtor: DemoDebtor) =>
  `${JSON.stringify({ sourceReference, ...debtor })}\n`
