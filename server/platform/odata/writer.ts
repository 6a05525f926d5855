import type { Parameter } from '../database/statement.ts'
import type { Property } from './properties.ts'
import type { Expression, ValueType } from './tree.ts'

export interface SqlText {
  /** A condition in parentheses or a single term; each `$n` carries a cast. */
  text: string
  parameters: Parameter[]
}

/** The interface for writing the parts of a filter. */
export interface Writer {
  collation: string
  now: string
  /** Adds a parameter and returns its placeholder with the cast. */
  bind(value: Parameter, cast: string): string
  /** SQL for a property, which counts as used from then on. */
  column(property: Property): string
  /** SQL for the value of an operand. */
  write(node: Expression): string
}

const casts: Record<ValueType, string> = {
  string: 'text',
  int32: 'integer',
  number: 'numeric',
  boolean: 'boolean',
  'date-time': 'timestamptz',
  date: 'date',
  guid: 'uuid',
}

/** The type that a placeholder is cast to. */
export const castFor = (type: ValueType | 'null') => (type === 'null' ? 'text' : casts[type])

/** The same for a list. The driver confuses an array of booleans with a single one, so these are sent as texts. */
export const castForList = (type: ValueType | 'null') =>
  type === 'boolean' ? 'text[]::boolean[]' : `${castFor(type)}[]`
