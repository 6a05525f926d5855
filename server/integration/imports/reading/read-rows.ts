/** Reads the rows of a CSV or NDJSON file: line, reference and members. The members are checked elsewhere. */
import { findCellFault } from './cell-faults.ts'
import { matchColumns, placeColumns, referenceName, type Column, type ColumnNames } from './columns.ts'
import type { CsvRecord } from './csv-records.ts'
import type { FileFacts } from './inspect-file.ts'
import { readJsonRow } from './json-row.ts'
import { openTable, type Table, type TableOptions } from './open-table.ts'
import { findTextFault, readLines, tooLong, type LineBlock } from './read-lines.ts'
import { faultyRow, type Fault, type RowBlock, type SourceRow } from './row.ts'
import { readStyled, type ValueStyle } from './value-style.ts'

export interface SourceRows {
  /** Of CSV; a comma for NDJSON. */
  delimiter: string
  /** The headings as the file has them; `row` for NDJSON. */
  headings: readonly string[]
  /** The members with a CSV column. Empty for NDJSON, whose rows each name their own. */
  columns: readonly string[]
  blocks: AsyncGenerator<RowBlock>
}

export interface ReadOptions extends TableOptions, ValueStyle {
  /** The members of the columns by their places, in place of the headings. */
  columns?: readonly string[] | undefined
}

/**
 * Reads only the heading line; rows are read when `blocks` is iterated. The delimiter is detected from the heading line
 * unless given. Throws ImportRefused for invalid headings.
 */
export async function readRows(
  file: FileFacts,
  names: ColumnNames,
  options: ReadOptions = {},
): Promise<SourceRows> {
  if (file.format === 'ndjson')
    return { delimiter: ',', headings: ['row'], columns: [], blocks: readJsonRows(readLines(file), names) }
  const table = await openTable(file, (heading) => names.find(heading) !== undefined, options)
  try {
    const columns = options.columns
      ? placeColumns(table.heading, options.columns, names)
      : matchColumns(table.heading, names)
    return {
      delimiter: table.delimiter,
      headings: table.heading,
      columns: columns.flatMap((column) => column?.name ?? []),
      blocks: makeRows(table.blocks, rowMaker(columns, options)),
    }
  } catch (error) {
    await table.close()
    throw error
  }
}

async function* makeRows(blocks: Table['blocks'], makeRow: MakeRow): AsyncGenerator<RowBlock> {
  for await (const { records, bytes } of blocks)
    yield { rows: records.map(makeRow).filter((row) => row !== null), bytes }
}

type MakeRow = (record: CsvRecord) => SourceRow | null

/**
 * Returns a function that makes a row of a record. It returns null for a record of blank cells, which spreadsheets
 * leave.
 */
function rowMaker(columns: readonly Column[], style: ValueStyle): MakeRow {
  // In the order of the members, so that a row's key does not depend on the order of its columns.
  const filled = columns
    .flatMap((column, index) => (column ? [{ ...column, index }] : []))
    .toSorted((one, other) => (one.name < other.name ? -1 : 1))
  return (record) => {
    if ('fault' in record) return faultyRow(record.line, record.fault)
    const { line, cells } = record
    if (cells.every((cell) => cell.trim() === '')) return null
    if (cells.length !== columns.length) {
      const fault = `has ${cells.length} cells, but the heading line has ${columns.length}. Put a cell that has a delimiter in it in quotes.`
      return { ...faultyRow(line, fault), original: cells }
    }
    const damaged = damagedCells(cells, columns)
    if (damaged.length > 0) return damagedRow(line, cells, columns, damaged)
    const members: Record<string, unknown> = {}
    const cellFaults: Fault[] = []
    let reference: string | null = null
    for (const column of filled) {
      const { name, type, read, isDate, index } = column
      const cell = cells[index]!
      if (cell === '' || cell.trim() === '') continue
      if (name === referenceName) reference = cell.trim()
      else if (read) members[name] = read(cell.trim())
      else if (type !== 'string' || isDate) {
        const value = readStyled(cell.trim(), { isDate, type }, style) ?? readValue(cell.trim(), type, cell)
        const fault = findCellFault(column, value, style)
        if (fault) cellFaults.push(fault)
        members[name] = value
      } else members[name] = cell
    }
    const made = { line, reference, members, faults: [], original: cells }
    return cellFaults.length > 0 ? { ...made, cellFaults } : made
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
  return { ...faultyRow(line, ''), reference, faults, original: cells }
}

const booleans = new Map([
  ['true', true],
  ['1', true],
  ['false', false],
  ['0', false],
])

/** Parses whole numbers and booleans. All else stays text, which the later check refuses by name. */
function readValue(text: string, type: string, cell: string): unknown {
  if (type === 'string') return cell
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
      else if (text !== null && text.trim() !== '')
        rows.push({ ...readJsonRow(firstLine + index, text, names), original: [text] })
    }
    yield { rows, bytes }
  }
}
