/** Arrays as parameters and in rows. */
import { asText, formatDateTime, parseSafeInteger, unchanged, type ColumnType } from './column-types.ts'

/** Each element type: the OID of its array type in PostgreSQL, and its parser. */
const elements: readonly [name: string, arrayType: number, parse: (text: string) => unknown][] = [
  ['boolean', 1000, (text) => text === 't'],
  ['smallint', 1005, Number],
  ['integer', 1007, Number],
  ['bigint', 1016, parseSafeInteger],
  ['double', 1022, Number],
  ['text', 1009, unchanged],
  ['varchar', 1015, unchanged],
  ['uuid', 2951, unchanged],
  ['numeric', 1231, unchanged],
  ['date', 1182, unchanged],
  ['timestamp', 1115, formatDateTime],
  ['timestamptz', 1185, formatDateTime],
  ['json', 199, (text) => JSON.parse(text) as unknown],
  ['jsonb', 3807, (text) => JSON.parse(text) as unknown],
]

export const arrayTypes: Record<string, ColumnType> = Object.fromEntries(
  elements.map(([name, arrayType, parse]) => [
    `${name}Array`,
    { type: arrayType, parse: (text: string) => parseArray(text, parse) },
  ]),
)

/** Formats a one-dimensional array in PostgreSQL's syntax. A text is assumed to be formatted already. */
export function formatArray(value: unknown): string {
  if (!Array.isArray(value)) return String(value)
  const items = value.map((item: unknown) =>
    item === null || item === undefined ? 'NULL' : `"${spell(item).replace(/[\\"]/g, '\\$&')}"`,
  )
  return `{${items.join()}}`
}

const spell = (item: unknown): string =>
  typeof item === 'object' && !(item instanceof Date) ? JSON.stringify(item) : asText(item)

/** Parses a one-dimensional array. Throws RangeError for others. */
export function parseArray<T>(text: string, parse: (text: string) => T): (T | null)[] {
  if (!/^\{(?!\{)/.test(text)) throw new RangeError('The database gave an array of more than one dimension.')
  const items: (T | null)[] = []
  for (const [, quoted, bare] of text.slice(1, -1).matchAll(/"((?:[^"\\]+|\\.)*)"|([^,]+)/gs)) {
    if (quoted !== undefined) items.push(parse(quoted.replace(/\\(.)/gs, '$1')))
    else items.push(bare === 'NULL' ? null : parse(bare!))
  }
  return items
}
