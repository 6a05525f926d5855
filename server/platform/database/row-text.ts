/**
 * Rows as one text parameter, with separators between columns and rows, which the database splits and casts. For a
 * thousand rows this takes a fifth of the time of JSON, for one row two thirds (bench/results/request-costs.md).
 */

import { formatArray } from './array-types.ts'
import type { PendingQuery, Row as DriverRow } from './driver/sql.ts'
import type { Db } from './transaction.ts'

/** The database types of the columns, such as `uuid` or `text[]`. */
export type ColumnTypes = Readonly<Record<string, string>>

/** The separator after a column, the one after a row, and the marker for null. */
type Marks = readonly [column: string, row: string, none: string]

/** Control characters that a line of text cannot contain; a multi-line text could. */
const usualMarks: Marks = ['\u001f', '\u001e', '\u001d']

/** The number of parameters of `rowsFrom`, which `rowParameters` creates. */
export const rowParameterCount = 2

/**
 * A table expression with the rows, in order. Its parameters start at `$first`. The planner assumes ten rows, so that
 * it reads tables by key even when they are small.
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

/** An update of rows by `id`, which must be the first column. */
export const updateFrom = (table: string, types: ColumnTypes, first: number): string =>
  `update ${table} t set ${Object.keys(types)
    .slice(1)
    .map((name) => `${name} = n.${name}`)
    .join(', ')} from ${rowsFrom(types, first)} n where t.id = n.id`

type Row = Readonly<Record<string, unknown>>

/** The parameters of `rowsFrom`: the separators, and the text. An undefined member is null. */
export function rowParameters(types: ColumnTypes, given: readonly object[]): [marks: string, text: string] {
  const rows = given as readonly Row[]
  const columns = Object.entries(types).map(([name, type]) => ({ name, format: formatterFor(type) }))
  // JSON escapes control characters, and other types cannot contain any.
  const free = Object.keys(types).filter((name) => types[name] === 'text' || types[name] === 'text[]')
  const isMarked = rows.some((row) => free.some((name) => hasUsualMark(row[name])))
  const marks = isMarked ? unusedMarks(rows) : usualMarks
  const [column, end, none] = marks
  const formatLine = (row: Row) =>
    columns
      .map(({ name, format }) => {
        const value = row[name]
        return value === null || value === undefined ? none : format(value)
      })
      .join(column)
  return [marks.join(''), rows.map(formatLine).join(end)]
}

const hasUsualMark = (value: unknown): boolean =>
  typeof value === 'string'
    ? /\p{Cc}/u.test(value) && usualMarks.some((mark) => value.includes(mark))
    : Array.isArray(value) && value.some(hasUsualMark)

function formatterFor(type: string): (value: unknown) => string {
  if (type === 'jsonb') return (value) => JSON.stringify(value)
  if (type.endsWith('[]')) return formatArray
  return String
}

/** Three private-use characters that the rows do not contain. */
function unusedMarks(rows: readonly Row[]): Marks {
  const used = new Set(JSON.stringify(rows))
  const unused = Array.from({ length: 6400 }, (_, index) => String.fromCodePoint(0xe000 + index))
  const [column, row, none] = unused.filter((mark) => !used.has(mark))
  if (none === undefined) throw new RangeError('The rows contain every possible separator.')
  return [column!, row!, none]
}
