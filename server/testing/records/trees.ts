/**
 * Random conditions over the people of the tests, and the text that means them. Literals are as the parser coerces them,
 * so that a tree read back can be compared as it stands.
 */
import * as fc from 'fast-check'
import { people } from './people.ts'
import {
  type Comparison,
  type Expression,
  type FunctionName,
  type LiteralNode,
  type ValueType,
} from '../../platform/odata/tree.ts'

const at = 0

const propertiesOfType = (type: ValueType): Expression[] =>
  [...people.values()]
    .filter((property) => property.type === type)
    .map((property) => ({ kind: 'property', at, property }))

/** Few and alike, so that random rows and random filters meet often. */
const values = {
  string: ['', 'a', 'A', 'Malmö', 'malmö', 'Ängelholm', '100%', "O'Neill", 'a_b\\'],
  int32: [-1, 0, 1, 2, 2024],
  number: ['-5.00', '0', '0.30', '12.5', '9007199254740993.01'],
  boolean: [true, false],
  'date-time': [
    '2023-12-31T23:30:00Z',
    '2024-02-29T23:59:59.999999Z',
    '2024-03-01T00:00:00Z',
    '2025-01-01T00:00:00Z',
  ],
  date: ['2023-12-31', '2024-02-29', '2024-03-01'],
  guid: ['3f2504e0-4f89-41d3-9a0c-0305e82c3301', 'e3b0c442-98fc-1c14-9afb-f4c8996fb924'],
} as const satisfies Record<ValueType, readonly (string | number | boolean)[]>

/** The values that the rows of the semantic test take too. */
export const sampleValues: Record<ValueType, readonly (string | number | boolean)[]> = values

const makeLiterals = (type: ValueType): LiteralNode[] =>
  sampleValues[type].map((value) => ({ kind: 'literal', at, type, value }))

const nothing: LiteralNode = { kind: 'literal', at, type: 'null', value: null }

const calls: Record<ValueType, FunctionName[][]> = {
  string: [['tolower', 'toupper', 'trim'], ['concat']],
  int32: [['length'], ['indexof'], ['year', 'month', 'day', 'hour', 'minute', 'second']],
  number: [],
  boolean: [['contains', 'startswith', 'endswith']],
  'date-time': [],
  date: [['date']],
  guid: [],
}

const call = (name: FunctionName, ...takes: fc.Arbitrary<Expression>[]) =>
  fc.tuple(...takes).map((given): Expression => ({ kind: 'call', at, name, takes: given }))

const pickNode = (nodes: Expression[]) => fc.constantFrom(...nodes)

/** Operands that are not literals. */
const makeOperands = (type: ValueType): fc.Arbitrary<Expression> => {
  const simple = propertiesOfType(type)
  const made = calls[type].flat().map((name) => {
    if (['contains', 'startswith', 'endswith', 'indexof', 'concat'].includes(name)) {
      return call(
        name,
        pickNode(propertiesOfType('string')),
        pickNode([...makeLiterals('string'), ...propertiesOfType('string')]),
      )
    }
    const inner = ['tolower', 'toupper', 'trim', 'length'].includes(name) ? 'string' : 'date-time'
    return call(name, pickNode(propertiesOfType(inner)))
  })
  return fc.oneof(...(simple.length > 0 ? [pickNode(simple)] : []), ...made)
}

const operators: Comparison[] = ['eq', 'ne', 'gt', 'ge', 'lt', 'le']
const types = Object.keys(values) as ValueType[]

const comparison = (left: fc.Arbitrary<Expression>, right: fc.Arbitrary<Expression>) =>
  fc
    .tuple(fc.constantFrom(...operators), left, right, fc.boolean())
    .map(([operator, one, other, swapped]): Expression => ({
      kind: 'comparison',
      at,
      operator,
      left: swapped ? other : one,
      right: swapped ? one : other,
    }))

const leaves = fc.oneof(
  ...types.map((type) => comparison(makeOperands(type), pickNode([...makeLiterals(type), nothing]))),
  ...types.map((type) => comparison(makeOperands(type), makeOperands(type))),
  ...types.map((type) =>
    fc
      .tuple(
        makeOperands(type),
        fc.array(fc.constantFrom(...makeLiterals(type), nothing), { minLength: 1, maxLength: 4 }),
      )
      .map(([left, items]): Expression => ({ kind: 'in', at, left, items })),
  ),
  makeOperands('boolean'),
)

/** Conditions up to four levels deep. */
export const conditions: fc.Arbitrary<Expression> = fc.letrec<{ condition: Expression }>((tie) => ({
  condition: fc.oneof(
    { maxDepth: 4, depthSize: 'small' },
    leaves,
    tie('condition').map((operand): Expression => ({ kind: 'not', at, operand })),
    fc
      .tuple(fc.constantFrom('and', 'or'), fc.array(tie('condition'), { minLength: 2, maxLength: 3 }))
      .map(([kind, terms]): Expression => ({ kind, at, terms })),
    comparison(tie('condition'), fc.oneof(tie('condition'), pickNode([...makeLiterals('boolean'), nothing]))),
    tie('condition').map((left): Expression => ({
      kind: 'in',
      at,
      left,
      items: [...makeLiterals('boolean').slice(0, 1), nothing],
    })),
  ),
})).condition

/** How tightly each kind binds; what binds less than its place asks for is put into parentheses. */
const strength = (node: Expression): number => {
  switch (node.kind) {
    case 'or':
      return 1
    case 'and':
      return 2
    case 'comparison':
      return node.operator === 'eq' || node.operator === 'ne' ? 3 : 4
    case 'not':
      return 5
    case 'in':
      return 6
    default:
      return 7
  }
}

export function printExpression(node: Expression, least = 0): string {
  const text = printBare(node)
  return strength(node) < least ? `(${text})` : text
}

function printBare(node: Expression): string {
  const own = strength(node)
  switch (node.kind) {
    case 'property':
      return node.property.name.toUpperCase()
    case 'literal':
      return printLiteral(node)
    case 'call':
      return `${node.name}(${node.takes.map((given) => printExpression(given)).join(',')})`
    case 'comparison':
      return `${printExpression(node.left, own)} ${node.operator} ${printExpression(node.right, own + 1)}`
    case 'in':
      return `${printExpression(node.left, own)} in (${node.items.map(printLiteral).join(',')})`
    case 'not':
      return `not ${printExpression(node.operand, own)}`
    default:
      return node.terms.map((term) => printExpression(term, own + 1)).join(` ${node.kind} `)
  }
}

const printLiteral = ({ type, value }: LiteralNode) =>
  type === 'string' ? `'${String(value).replaceAll("'", "''")}'` : String(value)
