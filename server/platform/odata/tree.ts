import type { Property, PropertyType } from './properties.ts'

/** The types of expressions: those of properties, and the date that `date()` returns. */
export type ValueType = PropertyType | 'date'

export type Comparison = 'eq' | 'ne' | 'gt' | 'ge' | 'lt' | 'le'

export interface PropertyNode {
  kind: 'property'
  at: number
  property: Property
}

/**
 * A value, converted to the type that it is compared with. `value` is a JavaScript number only for int32; money, dates
 * and GUIDs stay canonical text.
 */
export interface LiteralNode {
  kind: 'literal'
  at: number
  type: ValueType | 'null'
  value: string | number | boolean | null
}

export interface CallNode {
  kind: 'call'
  at: number
  name: FunctionName
  takes: Expression[]
}

export interface ComparisonNode {
  kind: 'comparison'
  at: number
  operator: Comparison
  left: Expression
  right: Expression
}

export interface InNode {
  kind: 'in'
  at: number
  left: Expression
  items: LiteralNode[]
}

export interface NotNode {
  kind: 'not'
  at: number
  operand: Expression
}

export interface JunctionNode {
  kind: 'and' | 'or'
  at: number
  terms: Expression[]
}

/** `at` is the start of the expression in the source, from 0. */
export type Expression =
  PropertyNode | LiteralNode | CallNode | ComparisonNode | InNode | NotNode | JunctionNode

export interface Signature {
  takes: readonly ValueType[]
  gives: ValueType
}

const datePart = { takes: ['date-time'], gives: 'int32' } as const
const textTest = { takes: ['string', 'string'], gives: 'boolean' } as const
const textChange = { takes: ['string'], gives: 'string' } as const

export const functions = {
  contains: textTest,
  startswith: textTest,
  endswith: textTest,
  tolower: textChange,
  toupper: textChange,
  trim: textChange,
  length: { takes: ['string'], gives: 'int32' },
  indexof: { takes: ['string', 'string'], gives: 'int32' },
  concat: { takes: ['string', 'string'], gives: 'string' },
  year: datePart,
  month: datePart,
  day: datePart,
  hour: datePart,
  minute: datePart,
  second: datePart,
  date: { takes: ['date-time'], gives: 'date' },
  now: { takes: [], gives: 'date-time' },
} as const satisfies Record<string, Signature>

export type FunctionName = keyof typeof functions

export function expressionType(node: Expression): ValueType | 'null' {
  switch (node.kind) {
    case 'property':
      return node.property.type
    case 'literal':
      return node.type
    case 'call':
      return functions[node.name].gives
    default:
      return 'boolean'
  }
}

/** True if the value can be null. Comparisons are never null: with null they are true or false. */
export function isNullable(node: Expression): boolean {
  switch (node.kind) {
    case 'property':
      return node.property.nullable
    case 'literal':
      return node.type === 'null'
    case 'call':
      return node.takes.some(isNullable)
    case 'not':
      return isNullable(node.operand)
    case 'and':
    case 'or':
      return node.terms.some(isNullable)
    default:
      return false
  }
}
