/** What a condition means, by the specification and without SQL: the other opinion in the tests against PostgreSQL. */
import type { Comparison, Expression } from '../../platform/odata/tree.ts'
import { expressionType } from '../../platform/odata/tree.ts'

export type Value = string | number | boolean | null
/** Keyed by property name: numbers of money as text, date-times as RFC 3339 in UTC. */
export type Row = Record<string, Value>

const swedish = new Intl.Collator('sv-SE')

export function evaluate(node: Expression, row: Row): Value {
  switch (node.kind) {
    case 'property':
      return row[node.property.name] ?? null
    case 'literal':
      return node.value
    case 'call': {
      const given = node.takes.map((operand) => evaluate(operand, row))
      return given.includes(null) ? null : evaluateCall(node.name, given as NonNullable<Value>[])
    }
    case 'comparison': {
      const type = [expressionType(node.left), expressionType(node.right)].find((name) => name !== 'null')
      return compare(node.operator, type, evaluate(node.left, row), evaluate(node.right, row))
    }
    case 'in': {
      const left = evaluate(node.left, row)
      return node.items.some(({ value }) => compare('eq', expressionType(node.left), left, value))
    }
    case 'not': {
      const operand = evaluate(node.operand, row)
      return operand === null ? null : !operand
    }
    default: {
      const terms = node.terms.map((term) => evaluate(term, row))
      const decisive = node.kind === 'or'
      if (terms.includes(decisive)) return decisive
      return terms.includes(null) ? null : !decisive
    }
  }
}

function compare(operator: Comparison, type: string | undefined, left: Value, right: Value): boolean {
  const isNull = left === null || right === null
  const same = isNull ? left === right : type === 'string' ? left === right : order(type, left, right) === 0
  if (operator === 'eq' || operator === 'ne') return same === (operator === 'eq')
  if (isNull) return false
  const sign = order(type, left, right)
  return { gt: sign > 0, ge: sign >= 0, lt: sign < 0, le: sign <= 0 }[operator]
}

function order(type: string | undefined, left: NonNullable<Value>, right: NonNullable<Value>): number {
  if (type === 'string') return swedish.compare(String(left), String(right))
  const [one, other] =
    type === 'int32' || type === 'number'
      ? [hundredths(left), hundredths(right)]
      : type === 'date-time'
        ? [microseconds(left), microseconds(right)]
        : [left, right]
  return one < other ? -1 : one > other ? 1 : 0
}

/** Exact: 9007199254740993.01 is no JavaScript number. */
function hundredths(value: NonNullable<Value>): bigint {
  const [whole = '', fraction = ''] = String(value).split('.')
  return BigInt(whole + fraction.slice(0, 2).padEnd(2, '0'))
}

function microseconds(value: NonNullable<Value>): bigint {
  const fraction = /\.(\d+)Z$/.exec(String(value))?.[1] ?? ''
  const seconds = Date.parse(String(value).replace(/\.\d+Z$/, 'Z')) / 1000
  return BigInt(seconds) * 1_000_000n + BigInt(fraction.padEnd(6, '0'))
}

function evaluateCall(name: string, [first, second]: NonNullable<Value>[]): Value {
  const one = String(first)
  const other = String(second)
  const instant = new Date(one)
  const results: Record<string, () => Value> = {
    contains: () => one.includes(other),
    startswith: () => one.startsWith(other),
    endswith: () => one.endsWith(other),
    tolower: () => one.toLowerCase(),
    toupper: () => one.toUpperCase(),
    trim: () => one.trim(),
    length: () => one.length,
    indexof: () => one.indexOf(other),
    concat: () => one + other,
    year: () => instant.getUTCFullYear(),
    month: () => instant.getUTCMonth() + 1,
    day: () => instant.getUTCDate(),
    hour: () => instant.getUTCHours(),
    minute: () => instant.getUTCMinutes(),
    second: () => instant.getUTCSeconds(),
    date: () => one.slice(0, 10),
  }
  return results[name]!()
}
