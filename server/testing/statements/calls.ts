/** Calls and tagged templates: pieces of SQL, names that the driver writes, and statements. */
import type { Expression, Node } from 'typescript/unstable/ast'
import * as is from 'typescript/unstable/ast/is'
import { TypeFlags, type Type } from 'typescript/unstable/sync'
import { interpreted } from './names.ts'
import {
  Fragment,
  listLiterals,
  Open,
  parameter,
  rows,
  Unreadable,
  type Reader,
  type Values,
} from './values.ts'

export function readCall(
  reader: Reader,
  node: Expression & { expression: Expression; arguments: readonly Expression[] },
  values: Values,
): unknown {
  const called = node.expression
  if (is.isPropertyAccessExpression(called)) {
    if (called.name.text === 'unsafe')
      return new Fragment(reader.asText(reader.evaluate(node.arguments[0]!, values)))
    // Kept by their key (`KeptTexts`).
    if (called.name.text === 'prepareText')
      return { text: (reader.evaluate(node.arguments[1]!, values) as () => unknown)() }
    const object = reader.evaluate(called.expression, values)
    if (object instanceof Open || object === undefined || object === null) return new Open(node)
    const method = (object as Record<string, unknown>)[called.name.text]
    if (typeof method !== 'function') return new Open(node)
    const given = reader.list(node.arguments, values)
    if (Array.isArray(object) && called.name.text === 'join')
      return object.map((one) => reader.asText(one)).join(String(given[0]))
    if (given.some((one) => one instanceof Open)) return new Open(node)
    try {
      return Reflect.apply(method, object, given)
    } catch (error) {
      if (error instanceof Unreadable) throw error
      return new Open(node)
    }
  }
  const callee = reader.evaluate(called, values)
  if (typeof callee !== 'function') return makeHelper(reader, node, values)
  const given = reader.list(node.arguments, values)
  const isReal = !interpreted.has(callee)
  if (isReal && given.some((one) => one instanceof Open)) return new Open(node)
  return (callee as (...given: unknown[]) => unknown)(...given)
}

/** What the driver makes of a name: `db(table)`, `db(column)`. Rows stay open. */
function makeHelper(
  reader: Reader,
  node: Expression & { arguments: readonly Expression[] },
  values: Values,
): unknown {
  const type = reader.source.typeAt(node)
  const [first] = node.arguments
  if (!type || !first || !isNameHelper(reader, type)) return new Open(node)
  return new Fragment(reader.asText(reader.evaluate(first, values)))
}

export function readTagged(
  reader: Reader,
  node: Expression & { tag: Expression; template: Node },
  values: Values,
): unknown {
  if (node.tag.getText() === 'String.raw') return rawText(reader, node.template, values)
  const type = reader.source.typeAt(node)
  if (!type || !reader.source.typeText(type).startsWith('PendingQuery<')) return new Open(node)
  return new Fragment(statementText(reader, node.template, values))
}

function rawText(reader: Reader, template: Node, values: Values): string {
  if (!is.isTemplateExpression(template)) return template.getText().slice(1, -1)
  const parts = template.templateSpans.map(
    ({ expression, literal }) =>
      reader.asText(reader.evaluate(expression, values)) + literal.getText().replace(/^\}|`$|\$\{$/g, ''),
  )
  return template.head.getText().slice(1, -2) + parts.join('')
}

/** The text of a statement in a tagged template. */
export function statementText(reader: Reader, template: Node, values: Values = new Map()): string {
  if (!is.isTemplateExpression(template)) return (template as Node & { text: string }).text
  const types = reader.source.checker.getTypeAtLocation(template.templateSpans.map((span) => span.expression))
  const parts = template.templateSpans.map(({ expression, literal }, index) => {
    return pieceText(reader, expression, types[index], values) + literal.text
  })
  return template.head.text + parts.join('')
}

/** What stands for a value of a statement: another piece of SQL, a name, rows or a parameter. */
function pieceText(reader: Reader, node: Expression, type: Type | undefined, values: Values): string {
  const said = type ? reader.source.typeText(type) : ''
  if (type && (/PendingQuery<|\bany\b/.test(said) || isNameHelper(reader, type))) {
    const value = reader.evaluate(node, values)
    if (value instanceof Fragment) return value.text
    if (Array.isArray(value)) return value.map((one) => reader.asText(one)).join('')
    if (said !== 'any') throw new Unreadable(node)
  }
  return said.startsWith('Helper<') ? rows : parameter
}

/** What the driver makes of the name of a table or a column. */
function isNameHelper(reader: Reader, type: Type): boolean {
  const { checker, typeText } = reader.source
  if (!typeText(type).startsWith('Helper<') || !type.isTypeReference()) return false
  const [given] = checker.getTypeArguments(type)
  return (
    given !== undefined &&
    ((given.flags & TypeFlags.StringLike || listLiterals(given) !== undefined) as boolean)
  )
}
