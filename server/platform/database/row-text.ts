/**
 * Rows go into a statement in one of two ways:
 *
 * - `rowsFrom`, or `rowsIn` for a tagged template, wherever a statement joins, selects from or computes with the rows, and
 *   for inserts of many. They travel as one text whose columns and rows are set apart by marks; the database splits and casts
 *   it. For a thousand rows that takes it a fifth of the time of JSON (bench/results/request-costs.md).
 * - The driver's helper (`rowsOf` in statement.ts) for a plain insert of few rows whose columns are not known beforehand.
 *
 * A list of single values is no list of rows: it goes as an array.
 */

import { formatArray } from './array-types.ts'
import type { PendingQuery, Row as DriverRow } from 'postgres'
import type { Db } from './transaction.ts'

/** Of the columns that are given, the types in the database, such as `uuid` or `text[]`. */
export type ColumnTypes = Readonly<Record<string, string>>

/** What ends a column, what ends a row, and what stands for null. */
type Marks = readonly [column: string, row: string, none: string]

/** Control characters that no line of text may hold; a text of several lines might. */
const usualMarks: Marks = ['\u001f', '\u001e', '\u001d']

/** How many parameters `rowsFrom` takes, those of `rowParameters`. */
export const rowParameterCount = 2

/**
 * The rows as a table expression with these columns, in their order. Its parameters begin at `$first`. The database is
 * left to think that they are ten, so that a table is read by its key, however small it is.
 */
export function rowsFrom(types: ColumnTypes, first: number): string {
  const mark = (place: number) => `substr($${first}::text, ${place}, 1)`
  return `(
    select ${columnList(types)} from (
      select string_to_array(line, ${mark(1)}, ${mark(3)}) as a
      from unnest(string_to_array($${first + 1}::text, ${mark(2)})) line offset 0
    ) given
  )`
}

/** The same with its parameters, for a tagged template. */
export function rowsIn(db: Db, types: ColumnTypes, rows: readonly object[]): PendingQuery<DriverRow[]> {
  const [marks, text] = rowParameters(types, rows)
  return db`(
    select ${db.unsafe(columnList(types))} from (
      select string_to_array(line, substr(${marks}::text, 1, 1), substr(${marks}::text, 3, 1)) as a
      from unnest(string_to_array(${text}::text, substr(${marks}::text, 2, 1))) line offset 0
    ) given
  )`
}

const columnList = (types: ColumnTypes): string =>
  Object.entries(types)
    .map(([name, type], index) => `a[${index + 1}]::${type} as ${name}`)
    .join(', ')

/** An update of rows by their `id`, the first of the columns. */
export const updateOf = (table: string, types: ColumnTypes, first: number): string =>
  `update ${table} t set ${Object.keys(types)
    .slice(1)
    .map((name) => `${name} = n.${name}`)
    .join(', ')} from ${rowsFrom(types, first)} n where t.id = n.id`

type Row = Readonly<Record<string, unknown>>

/** The parameters of `rowsFrom`: the marks, and the text. A member that is undefined is null. */
export function rowParameters(types: ColumnTypes, given: readonly object[]): [marks: string, text: string] {
  const rows = given as readonly Row[]
  const columns = Object.entries(types).map(([name, type]) => ({ name, format: formatOf(type) }))
  // JSON escapes control characters, and what else there is has none.
  const free = Object.keys(types).filter((name) => types[name] === 'text' || types[name] === 'text[]')
  const isMarked = rows.some((row) => free.some((name) => hasUsualMark(row[name])))
  const marks = isMarked ? unusedMarks(rows) : usualMarks
  const [column, end, none] = marks
  const lineOf = (row: Row) =>
    columns
      .map(({ name, format }) => {
        const value = row[name]
        return value === null || value === undefined ? none : format(value)
      })
      .join(column)
  return [marks.join(''), rows.map(lineOf).join(end)]
}

const hasUsualMark = (value: unknown): boolean =>
  typeof value === 'string'
    ? /\p{Cc}/u.test(value) && usualMarks.some((mark) => value.includes(mark))
    : Array.isArray(value) && value.some(hasUsualMark)

function formatOf(type: string): (value: unknown) => string {
  if (type === 'jsonb') return (value) => JSON.stringify(value)
  if (type.endsWith('[]')) return formatArray
  return String
}

/** Three characters of the range for private use that are nowhere in the rows. */
function unusedMarks(rows: readonly Row[]): Marks {
  const used = new Set(JSON.stringify(rows))
  const unused = Array.from({ length: 6400 }, (_, index) => String.fromCodePoint(0xe000 + index))
  const [column, row, none] = unused.filter((mark) => !used.has(mark))
  if (none === undefined) throw new RangeError('The rows hold every character that could set them apart.')
  return [column!, row!, none]
}
