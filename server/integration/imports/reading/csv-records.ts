/**
 * Joins lines to records of RFC 4180 and splits records into cells. A record spans several lines while a quote is open.
 * A stray quote would thus swallow the rows after it. A malformed record therefore loses its first line only, and the
 * reader continues at its second line.
 */
import { parse } from 'csv-parse/sync'
import type { LineBlock } from './read-lines.ts'
import { longestLine, tooLong } from './read-lines.ts'

export type CsvRecord = { line: number; cells: string[] } | { line: number; fault: string }

interface OpenRecord {
  line: number
  lines: string[]
  length: number
}

const mostLines = 1000

export class CsvRecords {
  readonly #delimiter: string
  #open: OpenRecord | null = null

  constructor(delimiter: string) {
    this.#delimiter = delimiter
  }

  /** The records that end in a block, without blank lines. */
  take(block: LineBlock): CsvRecord[] {
    const found: (CsvRecord | OpenRecord)[] = []
    for (const [index, text] of block.lines.entries()) this.#takeLine(block.firstLine + index, text, found)
    return this.#split(found)
  }

  /** The records left at the end of the file. */
  end(): CsvRecord[] {
    const open = this.#open
    this.#open = null
    return open ? this.#recover(open, unclosed) : []
  }

  #takeLine(line: number, text: string | null, found: (CsvRecord | OpenRecord)[]): void {
    const open = this.#open
    if (text === null) {
      this.#open = null
      if (open) found.push(...this.#recover(open, unclosed))
      found.push({ line, fault: tooLong })
    } else if (open) {
      open.lines.push(text)
      open.length += text.length
      const isTooLong = open.lines.length > mostLines || open.length > longestLine
      const closes = opensQuote(text)
      if (!closes && !isTooLong) return
      this.#open = null
      if (isTooLong) found.push(...this.#recover(open, unclosed))
      else found.push(open)
    } else if (text.includes('"')) {
      const record = { line, lines: [text], length: text.length }
      if (opensQuote(text)) this.#open = record
      else found.push(record)
    } else if (text !== '') {
      found.push({ line, cells: text.split(this.#delimiter) })
    }
  }

  /** Splits all records with quotes in one call: starting the parser is slow. */
  #split(found: (CsvRecord | OpenRecord)[]): CsvRecord[] {
    const quoted = found.filter((record) => 'lines' in record)
    if (quoted.length === 0) return found as CsvRecord[]
    const split = new Map(quoted.map((record, index) => [record, index]))
    const records = this.#parse(quoted)
    return found.flatMap((record) => ('lines' in record ? records[split.get(record)!]! : record))
  }

  /** Each record's result: itself, or the rows of its lines when it is malformed. */
  #parse(records: OpenRecord[]): CsvRecord[][] {
    try {
      const rows = parse(records.map(({ lines }) => lines.join('\n')).join('\n'), {
        delimiter: this.#delimiter,
        record_delimiter: '\n',
        relax_column_count: true,
      })
      if (rows.length === records.length) return rows.map((cells, at) => [{ line: records[at]!.line, cells }])
    } catch (error) {
      if (records.length === 1) return [this.#recover(records[0]!, describeFault(error))]
    }
    if (records.length === 1) return [this.#recover(records[0]!, unclosed)]
    const middle = records.length >> 1
    return [...this.#parse(records.slice(0, middle)), ...this.#parse(records.slice(middle))]
  }

  #recover(record: OpenRecord, fault: string): CsvRecord[] {
    const records: CsvRecord[] = [{ line: record.line, fault }]
    if (record.lines.length === 1) return records
    const others = new CsvRecords(this.#delimiter)
    records.push(...others.take({ firstLine: record.line + 1, lines: record.lines.slice(1), bytes: 0 }))
    return [...records, ...others.end()]
  }
}

const unclosed =
  'opens a quote that is not closed. Write a quote inside a cell twice, and put the cell in quotes.'

function describeFault(error: unknown): string {
  switch ((error as { code?: string }).code) {
    case 'INVALID_OPENING_QUOTE':
      return 'has a quote inside a cell without quotes. Put the cell in quotes, and write each quote inside it twice.'
    case 'CSV_INVALID_CLOSING_QUOTE':
      return 'has text after the closing quote of a cell. Write a quote inside a cell twice.'
    default:
      return unclosed
  }
}

function opensQuote(text: string): boolean {
  let odd = false
  for (let at = text.indexOf('"'); at >= 0; at = text.indexOf('"', at + 1)) odd = !odd
  return odd
}
