/** Opens a CSV file or a workbook as a table: its heading line and its records, whatever the format. */
import { fileSource } from '../workbook/file-source.ts'
import { openWorkbook } from '../workbook/read-workbook.ts'
import { CsvRecords, type CsvRecord } from './csv-records.ts'
import { ImportRefused } from './import-refused.ts'
import type { FileFacts } from './inspect-file.ts'
import { findTextFault, readLines, type LineBlock } from './read-lines.ts'

export const delimiters = [',', ';', '\t', '|'] as const

export interface Table {
  /** Of CSV; a semicolon for a workbook. */
  delimiter: string
  /** The name of the sheet of a workbook. */
  sheet: string | null
  heading: string[]
  /** The records after the heading. `bytes` of the file are read. */
  blocks: AsyncGenerator<{ records: CsvRecord[]; bytes: number }>
  /** Closes a table whose blocks are not read. */
  close(): Promise<void>
}

export interface TableOptions {
  delimiter?: string | undefined
  /** The decimal sign of the numbers of a workbook. */
  decimals?: '.' | ',' | undefined
}

/** `isKnown` says which headings are fields, which tells the delimiter. Throws ImportRefused without a heading line. */
export const openTable = (
  file: FileFacts,
  isKnown: (heading: string) => boolean,
  options: TableOptions,
): Promise<Table> =>
  file.format === 'xlsx'
    ? openSheet(file, options.decimals ?? '.')
    : openCsv(file, isKnown, options.delimiter)

async function openSheet(file: FileFacts, decimals: '.' | ','): Promise<Table> {
  const source = await fileSource(file.path)
  try {
    const { sheet, rows } = await openWorkbook(source, decimals)
    const first = await rows.next()
    const [heading, ...rest] = first.done ? [] : first.value.records
    if (!heading || 'fault' in heading)
      throw new ImportRefused(
        `The sheet '${sheet}' is empty. Its first row names the columns, such as sourceReference, lastname and city.`,
      )
    const width = heading.cells.length
    // A row ends with its last value.
    const fill = (record: CsvRecord): CsvRecord =>
      'fault' in record || record.cells.length >= width
        ? record
        : { ...record, cells: [...record.cells, ...Array<string>(width - record.cells.length).fill('')] }
    async function* blocks() {
      try {
        yield { records: rest.map(fill), bytes: 0 }
        for await (const { records, share } of rows)
          yield { records: records.map(fill), bytes: Math.round(share * file.bytes) }
      } finally {
        await source.close()
      }
    }
    return { delimiter: ';', sheet, heading: heading.cells, blocks: blocks(), close: () => source.close() }
  } catch (error) {
    await source.close()
    throw error
  }
}

async function openCsv(
  file: FileFacts,
  isKnown: (heading: string) => boolean,
  delimiter: string | undefined,
): Promise<Table> {
  const blocks = readLines(file)
  const first = await readHeadingBlock(file, blocks)
  const chosen = delimiter ?? detectDelimiter(first, isKnown)
  const records = new CsvRecords(chosen)
  const [heading, ...rest] = records.take(first)
  if (!heading || 'fault' in heading) {
    throw new ImportRefused(
      `The heading line of ${file.path} cannot be read: it ${heading?.fault ?? 'opens a quote that is not closed.'}`,
    )
  }
  async function* readOn() {
    let bytes = first.bytes
    yield { records: rest, bytes }
    for await (const block of blocks) {
      bytes = block.bytes
      yield { records: records.take(block), bytes }
    }
    yield { records: records.end(), bytes }
  }
  const close = async () => void (await blocks.return(undefined))
  return { delimiter: chosen, sheet: null, heading: heading.cells, blocks: readOn(), close }
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

/**
 * The delimiter that gives the most known headings in the first line, or else rows as wide as the first line, or else
 * the most headings.
 */
function detectDelimiter(first: LineBlock, isKnown: (heading: string) => boolean): string {
  const beginning = { ...first, lines: first.lines.slice(0, 50) }
  const tried = delimiters.map((delimiter) => {
    const [heading, ...rows] = new CsvRecords(delimiter).take(beginning)
    const cells = heading && 'cells' in heading ? heading.cells : []
    const isEven =
      cells.length > 1 && rows.every((row) => 'cells' in row && row.cells.length === cells.length)
    return { delimiter, known: cells.filter(isKnown).length, isEven: Number(isEven), all: cells.length }
  })
  return tried.toSorted(
    (one, other) => other.known - one.known || other.isEven - one.isEven || other.all - one.all,
  )[0]!.delimiter
}
