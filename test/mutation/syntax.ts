/** A source file as a syntax tree (ESTree with TypeScript nodes, by the parser that Vite brings along). */
import { parseSync } from 'vite'

export interface Node {
  type: string
  start: number
  end: number
  [member: string]: unknown
}

export const isNode = (value: unknown): value is Node =>
  typeof value === 'object' && value !== null && typeof (value as Node).type === 'string'

/** Throws SyntaxError for a text that is no TypeScript. */
export function parse(file: string, text: string): Node {
  const { program, errors } = parseSync(file, text, { lang: 'ts', sourceType: 'module' })
  if (errors.length > 0) throw new SyntaxError(`${file}: ${errors[0]!.message}`)
  return program as unknown as Node
}

/** Of these nodes only the expression runs; every other node of a type `TS…` is a type. */
const typed = ['TSAsExpression', 'TSNonNullExpression', 'TSSatisfiesExpression', 'TSTypeAssertion']

/** The child nodes that run, with the member that holds them. */
export function runningChildren(node: Node): [member: string, child: Node][] {
  if (typed.includes(node.type)) return [['expression', node.expression as Node]]
  if (node.type === 'ImportDeclaration' || /^TS|^Export(All|Default)/.test(node.type)) return []
  return Object.entries(node).flatMap(([member, value]) =>
    (Array.isArray(value) ? value : [value]).filter(isNode).map((child): [string, Node] => [member, child]),
  )
}

export interface Edit {
  start: number
  end: number
  text: string
}

/** The text with edits that do not overlap; of insertions at one place the first given comes first. */
export function applyEdits(source: string, edits: readonly Edit[]): string {
  const parts: string[] = []
  let at = 0
  for (const { start, end, text } of edits.toSorted((a, b) => a.start - b.start)) {
    parts.push(source.slice(at, start), text)
    at = end
  }
  return [...parts, source.slice(at)].join('')
}
