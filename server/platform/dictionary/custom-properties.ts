/** Custom fields as members of `$filter` and `$orderby`. */
import type { Properties, Property, PropertyType } from '../odata/properties.ts'
import { valueExpression, type CustomField, type CustomType } from './custom-field.ts'

const types: Partial<Record<CustomType, PropertyType>> = {
  integer: 'int32',
  decimal: 'number',
  money: 'number',
  boolean: 'boolean',
  date: 'date-time',
  datetime: 'date-time',
  guid: 'guid',
}

const made = new WeakMap<readonly CustomField[], Map<string, Properties>>()

/** The properties of an entity's fields, for the table alias of its list. The same rows give the same object. */
export function customProperties(rows: readonly CustomField[], alias: string): Properties {
  const known = made.get(rows) ?? new Map<string, Properties>()
  made.set(rows, known)
  let properties = known.get(alias)
  if (!properties) {
    const shown = rows.filter(({ type, hidden }) => type !== null && !hidden)
    properties = new Map(shown.map((row) => [row.code.toLowerCase(), toProperty(row, alias)]))
    known.set(alias, properties)
  }
  return properties
}

const toProperty = (row: CustomField, alias: string): Property => ({
  name: row.code,
  type: types[row.type!] ?? 'string',
  nullable: true,
  column: valueExpression(row, alias),
  ...(row.type === 'date' && { isDay: true }),
})
