import { open, realpath, rm } from 'node:fs/promises'
import { stringify } from 'csv-stringify/sync'
import { csvCell } from '../exports/csv-cell.ts'
import { ImportRefused } from './reading/import-refused.ts'
import { isRejectedColumn, rejectedColumns } from './reading/rejected-columns.ts'
import type { Fault } from './reading/row.ts'

export interface Rejection extends Fault {
  line: number
  sourceReference: string | null
  /** The cells of the row as the file has them. */
  original?: readonly string[]
}

export interface RejectedStyle {
  /** The file that is imported, which no report overwrites. */
  source: string
  delimiter: string
  hasMark: boolean
}

const columns = ['line', 'sourceReference', 'field', 'reason']
const mark = '\ufeff'

export interface RejectedFile {
  /** Writes one line for each wrong member. */
  add(rejections: readonly Rejection[]): Promise<void>
  /** Removes the file when nothing was rejected. */
  close(): Promise<void>
}

/**
 * Starts the report of rejected rows: CSV with the source's delimiter, and with its byte order mark. A cell that a
 * spreadsheet would read as a formula gets a leading apostrophe. Throws ImportRefused when the file cannot be written
 * or is not a former report.
 */
export async function openRejectedFile(path: string, style: RejectedStyle): Promise<RejectedFile> {
  await checkReplaceable(path, style.source)
  const file = await open(path, 'w', 0o600).catch((error: NodeJS.ErrnoException) => {
    throw new ImportRefused(
      `The report of rejected rows cannot be written to ${path}: ${error.code}. Choose another path with --rejected.`,
    )
  })
  const write = (rows: unknown[][]) =>
    file.appendFile(
      stringify(rows, { delimiter: style.delimiter, record_delimiter: 'windows', escape_formulas: true }),
    )
  let count = 0
  await file.appendFile(style.hasMark ? mark : '')
  await write([columns])
  return {
    add: async (rejections) => {
      if (rejections.length === 0) return
      count += rejections.length
      await write(rejections.map((one) => [one.line, one.sourceReference, one.field, one.reason]))
    },
    close: async () => {
      await file.close()
      if (count === 0) await rm(path, { force: true })
    },
  }
}

export interface RejectedRowsStyle {
  headings: readonly string[]
  delimiter: string
  /** Says why a row was rejected. */
  describe: (rejection: Rejection) => string
}

/**
 * Starts the file of rejected rows: each as the source has it, with its line and all its reasons. UTF-8 with a byte
 * order mark, which every spreadsheet reads.
 */
export async function openRejectedRows(
  path: string,
  { headings, delimiter, describe }: RejectedRowsStyle,
): Promise<RejectedFile> {
  const file = await open(path, 'wx', 0o600)
  const kept = headings.flatMap((heading, index) => (isRejectedColumn(heading) ? [] : [index]))
  const write = (cells: readonly unknown[]) =>
    `${cells.map((cell) => csvCell(cell, delimiter)).join(delimiter)}\r\n`
  let count = 0
  await file.appendFile(mark + write([...kept.map((index) => headings[index]), ...rejectedColumns]))
  return {
    add: async (rejections) => {
      const rows = groupByLine(rejections).map((group) => {
        const { line, original = [] } = group[0]!
        const reasons = group.map(describe).join(' ')
        return write([...kept.map((index) => original[index] ?? ''), line, reasons])
      })
      count += rows.length
      await file.appendFile(rows.join(''))
    },
    close: async () => {
      await file.close()
      if (count === 0) await rm(path, { force: true })
    },
  }
}

/** The reasons of a row follow each other. */
function groupByLine(rejections: readonly Rejection[]): Rejection[][] {
  const groups: Rejection[][] = []
  for (const one of rejections) {
    const last = groups.at(-1)
    if (last?.[0]!.line === one.line) last.push(one)
    else groups.push([one])
  }
  return groups
}

/** Only a former report may be overwritten. */
async function checkReplaceable(path: string, source: string): Promise<void> {
  const found = await realpath(path).catch(() => null)
  if (found === null) return
  const isSource = found === (await realpath(source))
  const start = isSource ? '' : (await readStart(found)).replace(mark, '')
  if (!isSource && (start === '' || /^line[,;\t|]sourceReference[,;\t|]field[,;\t|]reason\r\n/.test(start)))
    return
  throw new ImportRefused(
    `${path} exists and is not a report of rejected rows. Move it away, or choose another path for the report with --rejected.`,
  )
}

async function readStart(path: string): Promise<string> {
  const file = await open(path, 'r').catch(() => null)
  if (!file) return 'unreadable'
  try {
    const start = Buffer.alloc(64)
    const { bytesRead } = await file
      .read(start, 0, start.length, 0)
      .catch(() => ({ bytesRead: start.length }))
    return start.toString('utf8', 0, bytesRead)
  } finally {
    await file.close()
  }
}
