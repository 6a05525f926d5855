/**
 * Converts the conditions of the filter panel to and from `$filter`. The panel can edit flat filters only; any other
 * filter is shown as text.
 */
import type { FieldKind, ListField } from './list-fields.ts'

export const operators = [
  'contains',
  'startswith',
  'endswith',
  'eq',
  'ne',
  'gt',
  'ge',
  'lt',
  'le',
  'empty',
  'filled',
] as const
export type Operator = (typeof operators)[number]

export interface Condition {
  member: string
  operator: Operator
  /** As typed, without quotes. Empty for `empty` and `filled`. */
  value: string
}
export interface Filter {
  /** True if one matching condition is enough. */
  any: boolean
  conditions: Condition[]
}

const forKind: Record<FieldKind, readonly Operator[]> = {
  text: ['contains', 'startswith', 'endswith', 'eq', 'ne', 'empty', 'filled'],
  number: ['eq', 'ne', 'gt', 'ge', 'lt', 'le', 'empty', 'filled'],
  date: ['ge', 'lt', 'empty', 'filled'],
  boolean: ['eq', 'empty', 'filled'],
  choice: ['eq', 'ne', 'empty', 'filled'],
  guid: ['eq', 'ne'],
  other: [],
}
export const listOperators = (kind: FieldKind): readonly Operator[] => forKind[kind]
export const takesValue = (operator: Operator): boolean => operator !== 'empty' && operator !== 'filled'

/** Quotes a text and doubles the quotes in it. */
export const quote = (text: string): string => `'${text.replaceAll("'", "''")}'`

export function writeFilter({ any, conditions }: Filter, fields: readonly ListField[]): string {
  return conditions
    .filter(({ operator, value }) => !takesValue(operator) || value !== '')
    .map((condition) => writeCondition(condition, fields))
    .join(any ? ' or ' : ' and ')
}

function writeCondition({ member, operator, value }: Condition, fields: readonly ListField[]): string {
  if (operator === 'empty') return `${member} eq null`
  if (operator === 'filled') return `${member} ne null`
  const kind = fields.find(({ name }) => name === member)?.kind ?? 'text'
  if (operator === 'contains' || operator === 'startswith' || operator === 'endswith')
    return `${operator}(${member},${quote(value)})`
  return `${member} ${operator} ${kind === 'text' ? quote(value) : value}`
}

/** Parses a flat filter. Returns undefined for any other. */
export function readFilter(text: string, fields: readonly ListField[]): Filter | undefined {
  if (text.trim() === '') return { any: false, conditions: [] }
  for (const word of ['and', 'or'] as const) {
    const parts = splitOutsideQuotes(text, word)
    const conditions = parts.map((part) => readCondition(part.trim(), fields))
    if (conditions.every((condition) => condition !== undefined)) return { any: word === 'or', conditions }
  }
  return undefined
}

function splitOutsideQuotes(text: string, word: string): string[] {
  const parts: string[] = ['']
  for (const [index, piece] of text.split("'").entries()) {
    // Every second part is a quoted text.
    const pieces = index % 2 === 0 ? piece.split(new RegExp(` ${word} `, 'i')) : [piece]
    parts[parts.length - 1] += (index > 0 ? "'" : '') + pieces[0]!
    parts.push(...pieces.slice(1))
  }
  return parts
}

const callPattern = /^(contains|startswith|endswith)\((\w+),\s*'((?:[^']|'')*)'\)$/i
const comparisonPattern = /^(\w+) (eq|ne|gt|ge|lt|le) (?:'((?:[^']|'')*)'|([\w.:+-]+))$/i

function readCondition(text: string, fields: readonly ListField[]): Condition | undefined {
  const [, called, inCall, needle] = callPattern.exec(text) ?? []
  const [, compared, comparison, quoted, bare] = comparisonPattern.exec(text) ?? []
  const field = fields.find(({ name }) => name.toLowerCase() === (inCall ?? compared)?.toLowerCase())
  if (!field?.filterable) return undefined
  const operator = nameOperator((called ?? comparison)!.toLowerCase(), bare)
  if (!listOperators(field.kind).includes(operator)) return undefined
  if (!takesValue(operator)) return { member: field.name, operator, value: '' }
  const value = readValue(field, needle ?? quoted, bare)
  return value === undefined ? undefined : { member: field.name, operator, value }
}

const nameOperator = (word: string, bare: string | undefined): Operator => {
  if (bare?.toLowerCase() !== 'null') return word as Operator
  return word === 'eq' ? 'empty' : 'filled'
}

function readValue(
  field: ListField,
  quoted: string | undefined,
  bare: string | undefined,
): string | undefined {
  const text = quoted?.replaceAll("''", "'")
  if (field.kind === 'text') return text
  if (field.kind === 'choice' && text !== undefined) return quote(text)
  return bare ?? text
}
