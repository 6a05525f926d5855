/** What an expression may be besides an ordinary value, and what is known of a value by its type. */
import type { Expression, Node } from 'typescript/unstable/ast'
import { TypeFlags, type Type } from 'typescript/unstable/sync'
import type { Source } from './source.ts'
import type { Ways } from './ways.ts'

/** Of parameters and variables of functions that are interpreted, by their symbols. */
export type Values = ReadonlyMap<number, unknown>

export interface Reader {
  source: Source
  /** Values of names that only a running program knows: by `file name`, of parameters also by `file type`. */
  known: ReadonlyMap<string, unknown>
  ways: Ways
  /** The functions whose callers are being asked what they gave. */
  asked: Set<Node>
  evaluate(node: Expression, values?: Values): unknown
  /** An open condition goes both ways. */
  decide(node: Expression, values: Values): unknown
  list(nodes: readonly Expression[], values: Values): unknown[]
  /** A value as a part of a text. Throws Unreadable. */
  asText(value: unknown): string
}

/** Known only to a running program; the type of its node tells what it can be. */
export class Open {
  readonly node: Node
  constructor(node: Node) {
    this.node = node
  }
}

/** A piece of SQL that the driver puts into a statement, with `parameter` and `rows` for its values. */
export class Fragment {
  readonly text: string
  constructor(text: string) {
    this.text = text
  }
}
export const parameter = '\u0001'
/** Rows that the driver writes out: `insert into t ${…}`, `update t set ${…}`. */
export const rows = '\u0002'

/** A text depends on what only a running program knows. */
export class Unreadable extends Error {
  constructor(node: Node) {
    super(`${node.getText().replaceAll(/\s+/g, ' ')} is known only at run time`)
  }
}

/** True if no part of a value is open. */
export function isKnown(value: unknown): boolean {
  if (value instanceof Open || value instanceof Fragment || typeof value === 'function') return false
  if (typeof value !== 'object' || value === null || value instanceof RegExp) return true
  return Object.values(value).every(isKnown)
}

export function isNumber(type: Type): boolean {
  return type.isUnionType() ? type.getTypes().some(isNumber) : (type.flags & TypeFlags.NumberLike) !== 0
}

/** The texts of a union of literals. */
export function listLiterals(type: Type): string[] | undefined {
  const types = type.isUnionType() ? type.getTypes() : [type]
  const texts = types.map((one) => (one.isStringLiteralType() ? String(one.value) : undefined))
  return texts.every((text) => text !== undefined) ? texts : undefined
}

/** Calls `work`; what it cannot read is open. */
export function openWhereUnreadable(node: Expression, work: () => unknown): unknown {
  try {
    return work()
  } catch (error) {
    if (error instanceof Unreadable) return new Open(node)
    throw error
  }
}
