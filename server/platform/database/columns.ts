/** Between a resource's wire names and its columns: snake_case by rule, exceptions named by the store. */
import type { ColumnTypes } from './row-text.ts'

export const snakeCase = (name: string): string =>
  name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)

/** The SQL expression of each member, for a table alias. */
export function memberColumns<N extends string>(
  names: readonly N[],
  alias: string,
  exceptions: { [K in N]?: string } = {},
): Record<N, string> {
  return Object.fromEntries(
    names.map((name) => [name, `${alias}.${exceptions[name] ?? snakeCase(name)}`]),
  ) as Record<N, string>
}

/** The select list that yields the member names. */
export const selectList = (columns: Record<string, string>): string =>
  Object.entries(columns)
    .map(([name, column]) => `${column} as "${name}"`)
    .join(', ')

/** Column values from members. */
export function toRow(members: object, exceptions: Record<string, string> = {}): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(members).map(([name, value]) => [exceptions[name] ?? snakeCase(name), value]),
  )
}

/** The columns of a dictionary's fields with their types. Throws for a field of a kind that has no type of its own. */
export const listColumnTypes = (fields: Readonly<Record<string, object>>): ColumnTypes =>
  Object.fromEntries(
    Object.entries(fields).map(([name, field]) => [snakeCase(name), columnType(name, field)]),
  )

function columnType(name: string, field: { type?: unknown; format?: unknown }): string {
  if (field.format === 'uuid') return 'uuid'
  if (field.format === 'date-time') return 'timestamptz'
  const [type] = [field.type].flat()
  if (type === 'string') return 'text'
  if (type === 'integer') return 'int'
  if (type === 'boolean') return 'boolean'
  throw new TypeError(`The type of the column of ${name} is not known.`)
}
