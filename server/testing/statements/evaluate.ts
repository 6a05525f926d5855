/**
 * Evaluates the expressions that texts of SQL are put together from, without running the functions they stand in: constants
 * and functions of any file, with what is known only at run time left open. A statement that depends on such a value is
 * evaluated once for each way it can go.
 */
import {
  SyntaxKind,
  type Expression,
  type Identifier,
  type Node,
  type ObjectLiteralExpression,
  type TemplateExpression,
} from 'typescript/unstable/ast'
import * as is from 'typescript/unstable/ast/is'
import { readCall, readTagged } from './calls.ts'
import { globals, makeFunction, readName } from './names.ts'
import type { Source } from './source.ts'
import {
  Fragment,
  isNumber,
  listLiterals,
  Open,
  openWhereUnreadable,
  Unreadable,
  type Reader,
  type Values,
} from './values.ts'
import { Ways } from './ways.ts'

export class Evaluator implements Reader {
  readonly source: Source
  readonly known: ReadonlyMap<string, unknown>
  readonly ways = new Ways()
  /** The functions whose callers are being asked what they gave. */
  readonly asked = new Set<Node>()

  /** @param known values of names that only a running program knows, by `file name` */
  constructor(source: Source, known: ReadonlyMap<string, unknown>) {
    this.source = source
    this.known = known
  }

  /** A value as a part of a text. */
  asText(value: unknown): string {
    if (value instanceof Fragment) return value.text
    if (!(value instanceof Open)) return String(value)
    const type = this.source.typeAt(value.node)
    const literals = type && listLiterals(type)
    if (literals) return literals[this.ways.choose(value.node.getText(), literals.length)]!
    if (type && isNumber(type)) return String(this.ways.freshNumber())
    // Of a restriction, which is a condition.
    if (is.isPropertyAccessExpression(value.node) && value.node.name.text === 'text') return 'true'
    throw new Unreadable(value.node)
  }

  evaluate(node: Expression, values: Values = new Map()): unknown {
    if (is.isStringLiteral(node) || is.isNoSubstitutionTemplateLiteral(node)) return node.text
    if (is.isNumericLiteral(node)) return Number(node.text.replaceAll('_', ''))
    if (is.isBigIntLiteral(node)) return BigInt(node.text.replaceAll('_', '').replace('n', ''))
    if (is.isRegularExpressionLiteral(node)) return regularExpression(node.text)
    if (node.kind === SyntaxKind.TrueKeyword) return true
    if (node.kind === SyntaxKind.FalseKeyword) return false
    if (node.kind === SyntaxKind.NullKeyword) return null
    if (is.isTemplateExpression(node)) return this.#template(node, values)
    if (is.isIdentifier(node)) return readName(this, node, values)
    if (
      is.isParenthesizedExpression(node) ||
      is.isAsExpression(node) ||
      is.isSatisfiesExpression(node) ||
      is.isNonNullExpression(node)
    )
      return this.evaluate(node.expression, values)
    if (is.isConditionalExpression(node))
      return this.evaluate(this.decide(node.condition, values) ? node.whenTrue : node.whenFalse, values)
    if (is.isPrefixUnaryExpression(node) && node.operator === SyntaxKind.ExclamationToken) {
      const value = this.evaluate(node.operand, values)
      return value instanceof Open ? new Open(node) : !value
    }
    if (is.isBinaryExpression(node)) return this.#binary(node, values)
    if (is.isPropertyAccessExpression(node) || is.isElementAccessExpression(node))
      return this.#member(node, values)
    if (is.isObjectLiteralExpression(node)) return this.#object(node, values)
    if (is.isArrayLiteralExpression(node)) return this.list(node.elements, values)
    if (is.isArrowFunction(node) || is.isFunctionExpression(node)) return makeFunction(this, node, values)
    if (is.isTaggedTemplateExpression(node)) return readTagged(this, node, values)
    if (is.isCallExpression(node)) return readCall(this, node, values)
    if (is.isNewExpression(node) && is.isIdentifier(node.expression) && node.expression.text in globals) {
      const given = this.list(node.arguments ?? [], values)
      if (given.some((one) => one instanceof Open)) return new Open(node)
      return Reflect.construct(globals[node.expression.text] as typeof Set, given)
    }
    return new Open(node)
  }

  decide(node: Expression, values: Values): unknown {
    const value = this.evaluate(node, values)
    return value instanceof Open || value instanceof Fragment
      ? this.ways.choose(node.getText(), 2) === 0
      : value
  }

  #template(node: TemplateExpression, values: Values): string {
    const parts = node.templateSpans.map(
      ({ expression, literal }) => this.asText(this.evaluate(expression, values)) + literal.text,
    )
    return node.head.text + parts.join('')
  }

  #binary(
    node: Node & { left: Expression; right: Expression; operatorToken: Node },
    values: Values,
  ): unknown {
    const left = this.evaluate(node.left, values)
    const operator = node.operatorToken.kind
    if (operator === SyntaxKind.QuestionQuestionToken)
      return left instanceof Open ? left : (left ?? this.evaluate(node.right, values))
    if (operator === SyntaxKind.AmpersandAmpersandToken || operator === SyntaxKind.BarBarToken) {
      if (left instanceof Open)
        return this.ways.choose(node.getText(), 2) === 0 ? this.evaluate(node.right, values) : undefined
      return Boolean(left) === (operator === SyntaxKind.BarBarToken)
        ? left
        : this.evaluate(node.right, values)
    }
    const right = this.evaluate(node.right, values)
    if (operator === SyntaxKind.PlusToken) {
      if (typeof left === 'number' && typeof right === 'number') return left + right
      if (left instanceof Open && typeof right === 'number') return this.ways.freshNumber()
      return this.asText(left) + this.asText(right)
    }
    if (left instanceof Open || right instanceof Open) return new Open(node)
    if (operator === SyntaxKind.EqualsEqualsEqualsToken) return left === right
    if (operator === SyntaxKind.ExclamationEqualsEqualsToken) return left !== right
    if (operator === SyntaxKind.MinusToken) return (left as number) - (right as number)
    if (operator === SyntaxKind.AsteriskToken) return (left as number) * (right as number)
    if (operator === SyntaxKind.AsteriskAsteriskToken) return (left as number) ** (right as number)
    return new Open(node)
  }

  #member(node: Expression & { expression: Expression }, values: Values): unknown {
    const object = this.evaluate(node.expression, values)
    if (object === undefined || object === null) return undefined
    if (object instanceof Open || object instanceof Fragment) return new Open(node)
    const name = is.isPropertyAccessExpression(node)
      ? node.name.text
      : this.evaluate((node as unknown as { argumentExpression: Expression }).argumentExpression, values)
    if (name instanceof Open) {
      const all = Object.values(object)
      return all.length === 0 ? new Open(node) : all[this.ways.choose(name.node.getText(), all.length)]
    }
    return (object as Record<string, unknown>)[String(name)]
  }

  #object(node: ObjectLiteralExpression, values: Values): unknown {
    const result: Record<string, unknown> = {}
    for (const member of node.properties) {
      if (is.isSpreadAssignment(member)) {
        const spread = this.evaluate(member.expression, values)
        if (spread instanceof Open) return new Open(node)
        Object.assign(result, spread)
        continue
      }
      const name =
        member.name && is.isComputedPropertyName(member.name)
          ? this.asText(this.evaluate(member.name.expression, values))
          : nodeText(member.name)
      if (is.isPropertyAssignment(member)) result[name] = this.evaluate(member.initializer, values)
      else if (is.isMethodDeclaration(member)) result[name] = makeFunction(this, member, values)
      else if (is.isShorthandPropertyAssignment(member))
        result[name] = readName(this, member.name as Identifier, values)
    }
    return result
  }

  list(nodes: readonly Expression[], values: Values): unknown[] {
    return nodes.flatMap((node) => {
      if (!is.isSpreadElement(node)) return [openWhereUnreadable(node, () => this.evaluate(node, values))]
      const spread = this.evaluate(node.expression, values)
      return spread instanceof Open ? [spread] : [...(spread as unknown[])]
    })
  }
}

const nodeText = (name: Node | undefined) => (name as { text?: string } | undefined)?.text ?? ''

function regularExpression(text: string): RegExp {
  const end = text.lastIndexOf('/')
  return new RegExp(text.slice(1, end), text.slice(end + 1))
}
