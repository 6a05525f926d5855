/**
 * A typed condition to SQL. The row is wanted where the condition is true; false and null drop it alike. `not` is pushed
 * down to the comparisons, because OData's `null eq 1` is false and its negation true, where SQL has null for both.
 *
 * No operand is ever written twice unless it is a column: nested comparisons would double the text at each level.
 */
import { parseFilter } from './parse.ts'
import { columnExpression, type Properties, type Property } from './properties.ts'
import { writeCall } from './function-sql.ts'
import { findPieces, findPrefixes, writePrefixLookups } from './prefixes.ts'
import { findPeriod, type Period } from './periods.ts'
import type { Parameter } from '../database/statement.ts'
import { castFor, castForList, type SqlText, type Writer } from './writer.ts'
import {
  isNullable,
  expressionType,
  type Comparison,
  type ComparisonNode,
  type Expression,
  type InNode,
  type JunctionNode,
} from './tree.ts'

export interface CompiledFilter extends SqlText {
  /** The properties that the condition names. */
  properties: ReadonlySet<Property>
  /** What a property must begin with for the whole condition to be true. */
  prefixes: ReadonlyMap<Property, string>
  /** What a property must contain for the whole condition to be true. */
  pieces: ReadonlyMap<Property, readonly string[]>
  /** A condition that follows from the filter and helps to find all matching rows; its parameters come after the filter's. */
  narrowing?: SqlText
}

export interface FilterOptions {
  /** The SQL name of the collation in which texts are greater or less, quoted where it must be. */
  collation: string
  /** The number of the first `$n`, from 1. */
  firstParameter: number
  /** What `now()` gives, RFC 3339. */
  now: string
}

/** @throws ODataError */
export function compileFilter(
  properties: Properties,
  source: string,
  options: FilterOptions,
): CompiledFilter {
  const condition = parseFilter(properties, source)
  const parameters: Parameter[] = []
  const used = new Set<Property>()
  const writer: Writer = {
    ...options,
    bind(value, cast) {
      parameters.push(value)
      return `$${options.firstParameter + parameters.length - 1}::${cast}`
    },
    column(property) {
      used.add(property)
      return columnExpression(property)
    },
    write: (node) => writeValue(writer, node),
  }
  const text = writeCondition(writer, condition, false)
  const prefixes = findPrefixes(condition)
  const narrowing = writePrefixLookups(prefixes, options.firstParameter + parameters.length)
  const pieces = findPieces(condition)
  return { text, parameters, properties: used, prefixes, pieces, ...(narrowing && { narrowing }) }
}

/** SQL that is true where the condition is true, or with `negated` where it is false; elsewhere false or null. */
function writeCondition(writer: Writer, node: Expression, negated: boolean): string {
  switch (node.kind) {
    case 'and':
    case 'or':
      return writeJunction(node, negated, (term) => writeCondition(writer, term, negated))
    case 'not':
      return writeCondition(writer, node.operand, !negated)
    case 'comparison':
      return writeComparison(writer, node, negated)
    case 'in':
      return writeIn(writer, node, negated)
    case 'literal':
      return node.value !== negated ? 'TRUE' : 'FALSE'
    default:
      return negated ? `NOT ${writeValue(writer, node)}` : writeValue(writer, node)
  }
}

/** De Morgan: the negation of a conjunction is the disjunction of the negations. */
function writeJunction(
  { kind, terms }: JunctionNode,
  negated: boolean,
  writeTerm: (term: Expression) => string,
) {
  const joined = (kind === 'and') !== negated ? ' AND ' : ' OR '
  return `(${terms.map(writeTerm).join(joined)})`
}

/** SQL for the node's value, fit to stand beside any operator. */
function writeValue(writer: Writer, node: Expression): string {
  switch (node.kind) {
    case 'property':
      return writer.column(node.property)
    case 'literal':
      return writer.bind(node.value, castFor(node.type))
    case 'call':
      return writeCall(writer, node)
    case 'and':
    case 'or':
      // SQL's AND, OR and NOT treat null as OData's do, once their operands are values.
      return writeJunction(node, false, (term) => writeValue(writer, term))
    case 'not':
      return `(NOT ${writeValue(writer, node.operand)})`
    default:
      // A comparison is true or false, never null.
      return `((${writeCondition(writer, node, false)}) IS TRUE)`
  }
}

type Relation = Exclude<Comparison, 'eq' | 'ne'>
const mirrored = { eq: 'eq', ne: 'ne', gt: 'lt', ge: 'le', lt: 'gt', le: 'ge' } as const
const inverse = { gt: 'le', ge: 'lt', lt: 'ge', le: 'gt' } as const
const signs = { gt: '>', ge: '>=', lt: '<', le: '<=' } as const

function writeComparison(writer: Writer, node: ComparisonNode, negated: boolean): string {
  if (node.left.kind === 'literal' && node.right.kind !== 'literal') {
    const operator = mirrored[node.operator]
    return writeComparison(writer, { ...node, operator, left: node.right, right: node.left }, negated)
  }
  const { operator, left, right } = node
  if (expressionType(left) === 'null' || expressionType(right) === 'null')
    return writeNullComparison(writer, node, negated)
  const period = findPeriod(node)
  if (period) return writePeriod(writer, period, operator, negated)
  if (operator === 'eq' || operator === 'ne') {
    return writeEquality(writer, node, (operator === 'eq') !== negated)
  }
  return writeRelation(writer, operator, left, right, negated)
}

function writeNullComparison(
  writer: Writer,
  { operator, left, right }: ComparisonNode,
  negated: boolean,
): string {
  if (operator !== 'eq' && operator !== 'ne') return negated ? 'TRUE' : 'FALSE'
  const isNull = (operator === 'eq') !== negated
  if (expressionType(left) === 'null' && expressionType(right) === 'null') return isNull ? 'TRUE' : 'FALSE'
  const value = writeValue(writer, expressionType(left) === 'null' ? right : left)
  return `${value} IS ${isNull ? '' : 'NOT '}NULL`
}

// Equality with a literal stays a plain `=`: PostgreSQL uses no index for IS NOT DISTINCT FROM.
function writeEquality(writer: Writer, { left, right }: ComparisonNode, equal: boolean): string {
  const nullables = [left, right].filter(isNullable).length
  const isOrdered = left.kind === 'property' && left.property.hasOrderIndex && right.kind === 'literal'
  const collate = isOrdered ? ` COLLATE ${writer.collation}` : ''
  const [column, value] = [writeValue(writer, left), writeValue(writer, right)]
  const write = (sign: string) => `${column}${collate} ${sign} ${value}`
  if (!equal) return write(nullables > 0 ? 'IS DISTINCT FROM' : '<>')
  const text = write(nullables === 2 ? 'IS NOT DISTINCT FROM' : '=')
  return right.kind === 'literal' ? withLookup(left, `ARRAY[${value}]`, text) : text
}

/** A condition that holds only for rows with one of the values. PostgreSQL reads the keys first, once. */
function withLookup(left: Expression, values: string, text: string): string {
  if (left.kind !== 'property' || !left.property.lookup) return text
  const { key, select } = left.property.lookup
  return `(${text} AND ${key} = ANY(ARRAY(${select(values, 'whole')})))`
}

function writeRelation(
  writer: Writer,
  operator: Relation,
  left: Expression,
  right: Expression,
  negated: boolean,
): string {
  const collate = expressionType(left) === 'string' ? ` COLLATE ${writer.collation}` : ''
  const write = (sign: string) => `${writeValue(writer, left)}${collate} ${sign} ${writeValue(writer, right)}`
  if (!negated) return write(signs[operator])
  const nullable = [left, right].filter(isNullable)
  if (nullable.length === 0) return write(signs[inverse[operator]])
  if (!nullable.every((node) => node.kind === 'property')) return `(${write(signs[operator])}) IS NOT TRUE`
  const nulls = nullable.map((node) => ` OR ${writeValue(writer, node)} IS NULL`)
  return `(${write(signs[inverse[operator]])}${nulls.join('')})`
}

/** `year(x) eq 2026` as a range on x itself, for which there is an index. */
function writePeriod(
  writer: Writer,
  { of, from, to }: Period,
  operator: Comparison,
  negated: boolean,
): string {
  const column = writeValue(writer, of)
  const compare = (sign: '>=' | '<', instant: string) =>
    `${column} ${sign} ${writer.bind(instant, castFor('date-time'))}`
  const orNull = isNullable(of) ? ` OR ${column} IS NULL` : ''
  if (operator === 'eq' || operator === 'ne') {
    if ((operator === 'eq') !== negated) return `(${compare('>=', from)} AND ${compare('<', to)})`
    return `(${compare('<', from)} OR ${compare('>=', to)}${orNull})`
  }
  const wanted = negated ? inverse[operator] : operator
  const sign = wanted === 'ge' || wanted === 'gt' ? '>=' : '<'
  const text = compare(sign, wanted === 'ge' || wanted === 'lt' ? from : to)
  return negated && orNull ? `(${text}${orNull})` : text
}

function writeIn(writer: Writer, node: InNode, negated: boolean): string {
  const { left } = node
  const values = node.items.flatMap(({ value }) => (value === null ? [] : [value]))
  const listsNull = values.length < node.items.length
  const column = writeValue(writer, left)
  if (values.length === 0) return `${column} IS ${negated ? 'NOT ' : ''}NULL`
  const types = new Set(node.items.map(({ type }) => type))
  const type = types.has('number') ? 'number' : expressionType(left)
  // Only an int32 is a JavaScript number; every other value is text already, or goes as text.
  const texts = type === 'int32' ? values : values.map(String)
  const list = writer.bind(texts, castForList(type))
  const text = negated ? `${column} <> ALL(${list})` : withLookup(left, list, `${column} = ANY(${list})`)
  if (!isNullable(left)) return text
  if (left.kind !== 'property') return negated === listsNull ? text : `(${text}) IS NOT FALSE`
  if (negated) return listsNull ? `(${text} AND ${column} IS NOT NULL)` : `(${text} OR ${column} IS NULL)`
  return listsNull ? `(${text} OR ${column} IS NULL)` : text
}
