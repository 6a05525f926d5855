/**
 * Parses `$filter` to a typed tree: the subset of OData 4.01 that the server supports. Each precedence level is a
 * function, loosest first: or, and, eq ne, gt ge lt le, not, in, then values, calls and parentheses.
 */
import { describe, joinCall, joinComparison, joinIn, requireCondition } from './check-types.ts'
import { readLiteral } from './literals.ts'
import { ODataError } from './odata-error.ts'
import type { Properties } from './properties.ts'
import { describeToken, operatorWords, readTokens, type Token } from './tokens.ts'
import {
  functions,
  expressionType,
  type Comparison,
  type Expression,
  type FunctionName,
  type LiteralNode,
} from './tree.ts'
import { functionError, missingOperand, operatorError, propertyError } from './unsupported.ts'

export const maxDepth = 32
const maxNodes = 400
const maxListItems = 100

interface Reader {
  properties: Properties
  tokens: Token[]
  index: number
  nodes: number
}

/** A precedence level. `depth` counts the enclosing parentheses, calls and nots. */
type Level = (reader: Reader, depth: number) => Expression

/**
 * Parses a condition.
 *
 * @throws ODataError for anything malformed, of the wrong type, unknown, unsupported or too large.
 */
export function parseFilter(properties: Properties, source: string): Expression {
  const reader: Reader = { properties, tokens: readTokens('$filter', source), index: 0, nodes: 0 }
  const condition = parseOr(reader, 0)
  const rest = peek(reader)
  if (rest.kind !== 'end') throw operatorError(rest, false)
  return requireCondition(condition, compareIt)
}

const compareIt = 'Compare it with a value, as in … eq …'

const parseRelation: Level = (reader, depth) =>
  parseComparisons(reader, depth, ['gt', 'ge', 'lt', 'le'], parseNot)
const parseEquality: Level = (reader, depth) => parseComparisons(reader, depth, ['eq', 'ne'], parseRelation)
const parseAnd: Level = (reader, depth) => parseJunction(reader, depth, 'and', parseEquality)
const parseOr: Level = (reader, depth) => parseJunction(reader, depth, 'or', parseAnd)

/** One node for a whole sequence of `and` or `or`, so that a long sequence makes no deep tree. */
function parseJunction(reader: Reader, depth: number, kind: 'and' | 'or', parseTerm: Level): Expression {
  const first = parseTerm(reader, depth)
  if (!takeOperator(reader, [kind])) return first
  const terms = [requireCondition(first, compareIt)]
  do terms.push(requireCondition(parseTerm(reader, depth), compareIt))
  while (takeOperator(reader, [kind]))
  return { kind, at: first.at, terms }
}

function parseComparisons(
  reader: Reader,
  depth: number,
  operators: readonly Comparison[],
  parseSide: Level,
): Expression {
  let left = parseSide(reader, depth)
  for (;;) {
    const operator = takeOperator(reader, operators)
    if (!operator) return left
    left = joinComparison(operator, left, parseSide(reader, depth))
  }
}

function parseNot(reader: Reader, depth: number): Expression {
  const token = peek(reader)
  if (!isWord(token, 'not')) return parseIn(reader, depth)
  countNode(reader, token)
  reader.index++
  const operand = parseNot(reader, deepen(depth, token))
  if (expressionType(operand) === 'boolean') return { kind: 'not', at: token.at, operand }
  const name = operand.kind === 'property' ? operand.property.name : '…'
  const next = peek(reader)
  const operator = operatorWords.has(next.text.toLowerCase()) ? next.text.toLowerCase() : 'eq'
  throw new ODataError(
    '$filter',
    operand.at,
    `not binds to ${describe(operand)} alone, which is not a condition`,
    `Put the comparison in parentheses: not (${name} ${operator} …)`,
  )
}

function parseIn(reader: Reader, depth: number): Expression {
  let left = parseOperand(reader, depth)
  while (takeOperator(reader, ['in'])) left = joinIn(left, parseList(reader))
  return left
}

function parseList(reader: Reader): LiteralNode[] {
  const open = peek(reader)
  if (open.kind !== '(') {
    throw new ODataError(
      '$filter',
      open.at,
      describeToken(open),
      "Write a list in parentheses, as in ('a','b')",
    )
  }
  reader.index++
  const items: LiteralNode[] = []
  do {
    const token = peek(reader)
    const item = readLiteral(token)
    if (!item) {
      throw new ODataError(
        '$filter',
        token.at,
        describeToken(token),
        'Write a value: the list takes one or more values',
      )
    }
    if (items.length === maxListItems) {
      throw new ODataError(
        '$filter',
        token.at,
        'the list goes on',
        `At most ${maxListItems} values are taken`,
      )
    }
    countNode(reader, token)
    items.push(item)
    reader.index++
  } while (takeMark(reader, ','))
  if (takeMark(reader, ')')) return items
  const token = peek(reader)
  throw new ODataError(
    '$filter',
    token.at,
    describeToken(token),
    'Write , before the next value, or ) after the last',
  )
}

function parseOperand(reader: Reader, depth: number): Expression {
  const token = peek(reader)
  if (token.kind === '(') return parseParentheses(reader, deepen(depth, token))
  const next = reader.tokens[reader.index + 1]
  if (token.kind === 'word' && next?.kind === '(' && next.at === token.end) {
    return parseCall(reader, depth, token)
  }
  countNode(reader, token)
  const operand = readLiteral(token) ?? findProperty(reader, token)
  reader.index++
  return operand
}

function parseParentheses(reader: Reader, depth: number): Expression {
  reader.index++
  const inner = parseOr(reader, depth)
  if (!takeMark(reader, ')')) throw operatorError(peek(reader), true)
  return inner
}

function parseCall(reader: Reader, depth: number, token: Token): Expression {
  const name = token.text.toLowerCase()
  if (operatorWords.has(name)) throw missingOperand(token)
  if (!isFunctionName(name)) throw functionError(token)
  countNode(reader, token)
  const inner = deepen(depth, token)
  reader.index += 2
  const given: Expression[] = []
  if (peek(reader).kind !== ')') {
    do given.push(parseOr(reader, inner))
    while (takeMark(reader, ','))
  }
  const close = peek(reader)
  if (!takeMark(reader, ')')) throw operatorError(close, true)
  return joinCall(name, token.at, close.at, given)
}

const isFunctionName = (name: string): name is FunctionName => Object.hasOwn(functions, name)

function findProperty({ properties }: Reader, token: Token): Expression {
  const name = token.text.toLowerCase()
  if (token.kind !== 'word' || operatorWords.has(name)) throw missingOperand(token)
  const property = properties.get(name)
  if (property) return { kind: 'property', at: token.at, property }
  throw propertyError(token, properties)
}

const peek = (reader: Reader): Token => reader.tokens[reader.index]!

const isWord = (token: Token, word: string) => token.kind === 'word' && token.text.toLowerCase() === word

function takeMark(reader: Reader, mark: ',' | ')'): boolean {
  if (peek(reader).kind !== mark) return false
  reader.index++
  return true
}

/** Consumes the next token if it is one of `words`, which need a space on either side. */
function takeOperator<const W extends string>(reader: Reader, words: readonly W[]): W | undefined {
  const token = peek(reader)
  const word = words.find((candidate) => isWord(token, candidate))
  if (!word) return undefined
  if (reader.tokens[reader.index - 1]?.end === token.at) {
    throw new ODataError('$filter', token.at, `no blank stands before '${word}'`, 'Put one there')
  }
  const next = reader.tokens[reader.index + 1]!
  if (next.kind !== 'end' && next.at === token.end) {
    throw new ODataError('$filter', token.end, `no blank stands after '${word}'`, 'Put one there')
  }
  countNode(reader, token)
  reader.index++
  return word
}

function countNode(reader: Reader, { at }: Token) {
  reader.nodes++
  if (reader.nodes <= maxNodes) return
  throw new ODataError(
    '$filter',
    at,
    'the filter goes on',
    `At most ${maxNodes} properties, values and operators are taken`,
  )
}

function deepen(depth: number, { at }: Token): number {
  if (depth < maxDepth) return depth + 1
  throw new ODataError(
    '$filter',
    at,
    'the filter is nested too deeply',
    `At most ${maxDepth} levels are taken`,
  )
}
