/** Reads the rows of a CSV or NDJSON file: line, reference and members. The members are checked elsewhere. */
import { matchColumns, referenceName, type Column, type ColumnNames } from './columns.ts'
import { CsvRecords, type CsvRecord } from './csv-records.ts'
import { ImportRefused } from './import-refused.ts'
import type { FileFacts } from './inspect-file.ts'
import { readJsonRow } from './json-row.ts'
import { findTextFault, readLines, tooLong, type LineBlock } from './read-lines.ts'
import { faultyRow, type Fault, type RowBlock, type SourceRow } from './row.ts'

export const delimiters = [',', ';', '\t'] as const

export interface SourceRows {
  /** Of CSV; a comma for NDJSON. */
  delimiter: string
  /** The members with a CSV column. Empty for NDJSON, whose rows each name their own. */
  columns: readonly string[]
  blocks: AsyncGenerator<RowBlock>
}

/**
 * Reads only the heading line; rows are read when `blocks` is iterated. The delimiter is detected from the heading line
 * unless given. Throws ImportRefused for invalid headings.
 */
export async function readRows(file: FileFacts, names: ColumnNames, delimiter?: string): Promise<SourceRows> {
  const blocks = readLines(file)
  if (file.format === 'ndjson') return { delimiter: ',', columns: [], blocks: readJsonRows(blocks, names) }
  const first = await readHeadingBlock(file, blocks)
  const chosen = delimiter ?? detectDelimiter(first, names)
  const records = new CsvRecords(chosen)
  const [heading, ...rest] = records.take(first)
  if (!heading || 'fault' in heading) {
    throw new ImportRefused(
      `The heading line of ${file.path} cannot be read: it ${heading?.fault ?? 'opens a quote that is not closed.'}`,
    )
  }
  const columns = matchColumns(heading.cells, names)
  return {
    delimiter: chosen,
    columns: columns.flatMap((column) => column?.name ?? []),
    blocks: readCsvRows(records, { rest, bytes: first.bytes }, blocks, rowMaker(columns)),
  }
}

/** The beginning of the file with its first non-blank line. */
async function readHeadingBlock(file: FileFacts, blocks: AsyncGenerator<LineBlock>): Promise<LineBlock> {
  for (let next = await blocks.next(); !next.done; next = await blocks.next()) {
    const at = next.value.lines.findIndex((line) => line !== '')
    if (at < 0) continue
    const heading = next.value.lines[at] ?? ''
    const fault = findTextFault(heading)
    if (fault !== undefined) {
      throw new ImportRefused(`The heading line of ${file.path} cannot be read: it ${fault}`)
    }
    if (heading.includes('\r')) {
      throw new ImportRefused(
        `The lines of ${file.path} end in CR alone. Save it with line ends of LF or CRLF, which all newer programs write.`,
      )
    }
    return next.value
  }
  throw new ImportRefused(
    `${file.path} is empty. The first line of a CSV file names its columns, such as sourceReference,lastname,city.`,
  )
}

/** The delimiter that gives the most known headings in the first line, or else the most headings. */
function detectDelimiter(first: LineBlock, names: ColumnNames): string {
  const beginning = { ...first, lines: first.lines.slice(0, 50) }
  const tried = delimiters.map((delimiter) => {
    const [heading] = new CsvRecords(delimiter).take(beginning)
    const cells = heading && 'cells' in heading ? heading.cells : []
    return {
      delimiter,
      known: cells.filter((cell) => names.find(cell) !== undefined).length,
      all: cells.length,
    }
  })
  return tried.toSorted((one, other) => other.known - one.known || other.all - one.all)[0]!.delimiter
}

type MakeRow = (record: CsvRecord) => SourceRow | null

async function* readCsvRows(
  records: CsvRecords,
  first: { rest: CsvRecord[]; bytes: number },
  blocks: AsyncGenerator<LineBlock>,
  makeRow: MakeRow,
): AsyncGenerator<RowBlock> {
  const make = (found: CsvRecord[]) => found.map(makeRow).filter((row) => row !== null)
  let bytes = first.bytes
  yield { rows: make(first.rest), bytes }
  for await (const block of blocks) {
    bytes = block.bytes
    yield { rows: make(records.take(block)), bytes }
  }
  yield { rows: make(records.end()), bytes }
}

/**
 * Returns a function that makes a row of a record. It returns null for a record of blank cells, which spreadsheets
 * leave.
 */
function rowMaker(columns: readonly Column[]): MakeRow {
  // In the order of the members, so that a row's key does not depend on the order of its columns.
  const filled = columns
    .flatMap((column, index) => (column ? [{ ...column, index }] : []))
    .toSorted((one, other) => (one.name < other.name ? -1 : 1))
  return (record) => {
    if ('fault' in record) return faultyRow(record.line, record.fault)
    const { line, cells } = record
    if (cells.every((cell) => cell.trim() === '')) return null
    if (cells.length !== columns.length) {
      return faultyRow(
        line,
        `has ${cells.length} cells, but the heading line has ${columns.length}. Put a cell that has a delimiter in it in quotes.`,
      )
    }
    const damaged = damagedCells(cells, columns)
    if (damaged.length > 0) return damagedRow(line, cells, columns, damaged)
    const members: Record<string, unknown> = {}
    let reference: string | null = null
    for (const { name, type, read, index } of filled) {
      const cell = cells[index]!
      if (cell === '' || cell.trim() === '') continue
      if (name === referenceName) reference = cell.trim()
      else if (read) members[name] = read(cell.trim())
      else members[name] = type === 'string' ? cell : readValue(cell.trim(), type)
    }
    return { line, reference, members, faults: [] }
  }
}

/** Faults of cells with invalid text, including columns that are not imported. */
const damagedCells = (cells: readonly string[], columns: readonly Column[]): Fault[] =>
  cells.flatMap((cell, index) => {
    const reason = findTextFault(cell)
    return reason === undefined ? [] : [{ field: columns[index]?.name ?? '', reason }]
  })

/** Keeps the reference where it is valid, so that users find the row. */
function damagedRow(
  line: number,
  cells: readonly string[],
  columns: readonly Column[],
  faults: Fault[],
): SourceRow {
  const at = columns.findIndex((column) => column?.name === referenceName)
  const reference = findTextFault(cells[at] ?? '') === undefined ? cells[at]?.trim() || null : null
  return { ...faultyRow(line, ''), reference, faults }
}

const booleans = new Map([
  ['true', true],
  ['1', true],
  ['false', false],
  ['0', false],
])

/** Parses whole numbers and booleans. All else stays text, which the later check refuses by name. */
function readValue(text: string, type: string): unknown {
  // A comma is a decimal separator only before one or two digits: `1,234` may mean a thousand and more.
  if (type === 'number')
    return /^-?\d{1,15}(\.\d{1,6}|,\d{1,2})?$/.test(text) ? Number(text.replace(',', '.')) : text
  if (type === 'integer') return /^-?\d{1,15}$/.test(text) ? Number(text) : text
  if (type === 'boolean') return booleans.get(text.toLowerCase()) ?? text
  return text
}

async function* readJsonRows(
  blocks: AsyncGenerator<LineBlock>,
  names: ColumnNames,
): AsyncGenerator<RowBlock> {
  for await (const { firstLine, lines, bytes } of blocks) {
    const rows: SourceRow[] = []
    for (const [index, text] of lines.entries()) {
      const fault = text === null ? tooLong : findTextFault(text)
      if (fault !== undefined) rows.push(faultyRow(firstLine + index, fault))
      else if (text !== null && text.trim() !== '') rows.push(readJsonRow(firstLine + index, text, names))
    }
    yield { rows, bytes }
  }
}
