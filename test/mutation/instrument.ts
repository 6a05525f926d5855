/** Counts the steps of a source file: each call of a function and each turn of a loop calls `$step` with a number. */
import { stripTypeScriptTypes } from 'node:module'
import { isFunction } from './mutants.ts'
import { applyEdits, runningChildren, parse, type Edit, type Node } from './syntax.ts'

const loops = ['ForStatement', 'ForOfStatement', 'ForInStatement', 'WhileStatement', 'DoWhileStatement']

export interface FunctionRange {
  id: number
  start: number
  end: number
}

/** The functions of a file, numbered from `first` on; inner ones after those they stand in. */
export function findFunctions(file: string, source: string, first: number): FunctionRange[] {
  const found: FunctionRange[] = []
  const visit = (node: Node): void => {
    if (isFunction(node)) found.push({ id: first + found.length, start: node.start, end: node.end })
    for (const [, child] of runningChildren(node)) visit(child)
  }
  visit(parse(file, source))
  return found
}

/** The file as JavaScript that counts its steps. Functions are numbered as `findFunctions` does. */
export function instrument(file: string, source: string, first = 0): string {
  const edits: Edit[] = []
  let id = first
  const insert = (at: number, text: string) => edits.push({ start: at, end: at, text })
  const visit = (node: Node): void => {
    const body = node.body as Node
    const counted = isFunction(node) || loops.includes(node.type)
    const step = `$step(${isFunction(node) ? id++ : -1})`
    const isBlock = counted && body.type === 'BlockStatement'
    if (isBlock) insert(body.start + 1, `${step};`)
    else if (counted) insert(body.start, isFunction(node) ? `(${step}, ` : `{ ${step}; `)
    for (const [, child] of runningChildren(node)) visit(child)
    if (counted && !isBlock) insert(body.end, isFunction(node) ? ')' : ' }')
  }
  visit(parse(file, source))
  return stripTypeScriptTypes(applyEdits(source, edits))
}
