import { coerceLiteral, typeTitles } from './literals.ts'
import { ODataError } from './odata-error.ts'
import {
  functions,
  expressionType,
  type CallNode,
  type Comparison,
  type ComparisonNode,
  type Expression,
  type FunctionName,
  type InNode,
  type LiteralNode,
  type ValueType,
} from './tree.ts'

/** Joins two operands; a literal takes the type of the other side. */
export function joinComparison(operator: Comparison, left: Expression, right: Expression): ComparisonNode {
  const { at } = left
  if (left.kind === 'literal' && right.kind === 'literal') {
    const type = commonType(left, right)
    return {
      kind: 'comparison',
      at,
      operator,
      left: coerceLiteral(left, type),
      right: coerceLiteral(right, type),
    }
  }
  if (left.kind === 'literal') {
    return { kind: 'comparison', at, operator, left: coerceLiteral(left, requireValueType(right)), right }
  }
  const type = requireValueType(left)
  return { kind: 'comparison', at, operator, left, right: coerceOperand(right, type) }
}

/** Two literals: a quoted text converts to a GUID or date, a date to a date-time, null to everything. */
function commonType(left: LiteralNode, right: LiteralNode): ValueType {
  const types = [left.type, right.type].filter((type) => type !== 'null')
  return (
    types.find((type) => type === 'date-time') ??
    types.find((type) => type !== 'string') ??
    types[0] ??
    'string'
  )
}

/** The items of the list take the type of the left side. */
export function joinIn(left: Expression, items: LiteralNode[]): InNode {
  const type = expressionType(left)
  if (type === 'null') {
    throw new ODataError('$filter', left.at, 'null stands before in', 'Write a property or a function there')
  }
  // A literal by itself has not been checked yet.
  const checked = left.kind === 'literal' ? coerceLiteral(left, type) : left
  return { kind: 'in', at: left.at, left: checked, items: items.map((item) => coerceLiteral(item, type)) }
}

export function joinCall(name: FunctionName, at: number, end: number, given: Expression[]): CallNode {
  const { takes } = functions[name]
  if (given.length !== takes.length) {
    const found = `'${name}' has ${given.length} ${given.length === 1 ? 'value' : 'values'} in its parentheses`
    const place = given[takes.length]?.at ?? end
    throw new ODataError('$filter', place, found, `It takes ${takes.length}`)
  }
  const checked = given.map((operand, index) => {
    if (expressionType(operand) === 'null') {
      const right = 'null may stand beside eq, ne, gt, ge, lt and le, and in the list after in'
      throw new ODataError('$filter', operand.at, `null stands in the parentheses of '${name}'`, right)
    }
    return coerceOperand(operand, takes[index]!)
  })
  return { kind: 'call', at, name, takes: checked }
}

function coerceOperand(operand: Expression, type: ValueType): Expression {
  if (operand.kind === 'literal') return coerceLiteral(operand, type)
  const found = requireValueType(operand)
  if (found === type || (isNumeric(found) && isNumeric(type))) return operand
  const dates = [found, type].every((name) => name === 'date' || name === 'date-time')
  throw new ODataError(
    '$filter',
    operand.at,
    `type mismatch, ${describe(operand)} stands here beside ${typeTitles[type]}`,
    dates ? 'Write date(…) around the date-time' : 'Only values of one type can be compared or passed',
  )
}

/** Refuses an expression that is not a condition; `right` says what would be right. */
export function requireCondition(node: Expression, right: string): Expression {
  if (expressionType(node) === 'boolean') return node
  throw new ODataError('$filter', node.at, `${describe(node)} stands here, not a condition`, right)
}

export function describe(node: Expression): string {
  const title = typeTitles[expressionType(node)]
  if (node.kind === 'property') return `'${node.property.name}' (${title})`
  return node.kind === 'call' ? `'${node.name}(…)' (${title})` : title
}

const isNumeric = (type: ValueType) => type === 'int32' || type === 'number'

function requireValueType(node: Expression): ValueType {
  const type = expressionType(node)
  if (type === 'null') throw new Error('Only a literal is null, and literals are coerced.')
  return type
}
