/** The mutants of a source file: every small change of its meaning that our operators know. */
import { runningChildren, parse, type Edit, type Node } from './syntax.ts'

export interface Mutant extends Edit {
  file: string
  /** The line, counted from 1, and the lines that change, before and after, without needless spaces. */
  line: number
  before: string
  after: string
}

const binary: Record<string, readonly string[]> = {
  '+': ['-'],
  '-': ['+'],
  '*': ['/'],
  '/': ['*'],
  '%': ['*'],
  '**': ['*'],
  '<<': ['>>'],
  '>>': ['<<'],
  '<': ['<=', '>='],
  '<=': ['<', '>'],
  '>': ['>=', '<='],
  '>=': ['>', '<'],
  '===': ['!=='],
  '!==': ['==='],
  '==': ['!='],
  '!=': ['=='],
  '&&': ['||'],
  '||': ['&&'],
  '+=': ['-='],
  '-=': ['+='],
  '*=': ['/='],
  '/=': ['*='],
  '++': ['--'],
  '--': ['++'],
}

/** Methods that are taken for each other; an empty text leaves the call out. */
const methods: Record<string, readonly string[]> = {
  some: ['every'],
  every: ['some'],
  min: ['max'],
  max: ['min'],
  floor: ['ceil'],
  ceil: ['floor'],
  round: ['floor'],
  find: ['findLast'],
  startsWith: ['endsWith'],
  padStart: ['padEnd'],
  push: ['unshift'],
  shift: ['pop'],
  filter: [''],
  slice: [''],
  toSorted: [''],
  sort: [''],
  toReversed: [''],
  replace: [''],
}

type Place = { parent: Node; member: string; source: string; optional: boolean }

/** The mutants of one file, in the order of their places. Every one of them parses. */
export function findMutants(file: string, source: string): Mutant[] {
  const found: Edit[] = []
  const visit = (node: Node, place: Place): void => {
    found.push(...findEdits(node, place))
    const optional = isFunction(node) ? returnsNothing(node) : place.optional
    for (const [member, child] of runningChildren(node)) {
      // The wording of an exception is no computation.
      if (child.type === 'ThrowStatement') continue
      visit(child, { parent: node, member, source, optional })
    }
  }
  const program = parse(file, source)
  visit(program, { parent: program, member: '', source, optional: false })
  return found
    .toSorted((a, b) => a.start - b.start || a.end - b.end)
    .flatMap((edit) => describe(file, source, edit))
}

const plain = (text: string) => text.trim().replaceAll(/\s+/g, ' ')

/** A change that says nothing, or no longer parses, is none. */
function describe(file: string, source: string, edit: Edit): Mutant[] {
  if (source.slice(edit.start, edit.end) === edit.text) return []
  try {
    parse(file, source.slice(0, edit.start) + edit.text + source.slice(edit.end))
  } catch {
    return []
  }
  const from = source.lastIndexOf('\n', edit.start - 1) + 1
  const to = (source.indexOf('\n', edit.end) + 1 || source.length + 1) - 1
  return [
    {
      ...edit,
      file,
      line: source.slice(0, edit.start).split('\n').length,
      before: plain(source.slice(from, to)),
      after: plain(source.slice(from, edit.start) + edit.text + source.slice(edit.end, to)),
    },
  ]
}

function findEdits(node: Node, place: Place): Edit[] {
  const { source } = place
  const text = (part: unknown) => source.slice((part as Node).start, (part as Node).end)
  const replace = (...texts: string[]): Edit[] =>
    texts.map((by) => ({ start: node.start, end: node.end, text: by }))
  switch (node.type) {
    case 'BinaryExpression':
    case 'LogicalExpression':
    case 'AssignmentExpression':
      return operators(node, source, text)
    case 'UpdateExpression':
      return replace(text(node).replace(/\+\+|--/, (operator) => binary[operator]![0]!))
    case 'UnaryExpression':
      return node.operator === '!' || node.operator === '-' ? replace(`(${text(node.argument)})`) : []
    case 'Literal':
      return replace(...literals(node, place))
    case 'TemplateLiteral':
      return replace("''")
    case 'ConditionalExpression':
      return replace(`(${text(node.consequent)})`, `(${text(node.alternate)})`)
    case 'IfStatement':
      return conditions(node.test as Node, ['true', 'false'])
    case 'WhileStatement':
      return conditions(node.test as Node, ['false'])
    case 'ExpressionStatement':
    case 'BreakStatement':
    case 'ContinueStatement':
      return replace(';')
    case 'ReturnStatement':
      return place.optional && node.argument && !isNothing(node.argument) ? replace('return null') : []
    case 'CallExpression':
      return calls(node, text)
    case 'SpreadElement':
      return place.parent.type === 'CallExpression'
        ? []
        : replace(text(node).startsWith('...') ? '...[]' : '')
    default:
      return []
  }
}

function operators(node: Node, source: string, text: (part: unknown) => string): Edit[] {
  const [left, right, operator] = [node.left as Node, node.right as Node, String(node.operator)]
  const whole = (by: string): Edit => ({ start: node.start, end: node.end, text: by })
  if (operator === '??') return [whole(`(${text(left)})`), whole(`(${text(right)})`)]
  if (operator === '+' && [left, right].some(isText)) return []
  const at = source.indexOf(operator, left.end)
  return (binary[operator] ?? []).map((by) => ({ start: at, end: at + operator.length, text: by }))
}

function literals(node: Node, { parent, member }: Place): string[] {
  const { value } = node
  // A member's name and an index of a tuple type are no values.
  if (parent.type.startsWith('Import') || parent.type === 'ImportAttribute') return []
  if (member === 'key' || (member === 'id' && parent.type.startsWith('TS'))) return []
  if (typeof value === 'boolean') return [String(!value)]
  if (typeof value === 'number') return value === 0 ? ['1', '(-1)'] : [String(value + 1), String(value - 1)]
  if (typeof value === 'bigint') return [`${value + 1n}n`, value === 0n ? '(-1n)' : `${value - 1n}n`]
  if (typeof value === 'string') return [value === '' ? "'?'" : "''"]
  return []
}

function calls(node: Node, text: (part: unknown) => string): Edit[] {
  const callee = node.callee as Node
  const property = callee.property as Node | undefined
  if (callee.type !== 'MemberExpression' || callee.computed || !property) return []
  return (methods[String(property.name)] ?? []).map((by) =>
    by === ''
      ? { start: node.start, end: node.end, text: text(callee.object) }
      : { start: property.start, end: property.end, text: by },
  )
}

const conditions = (test: Node, values: string[]): Edit[] =>
  values.map((value) => ({ start: test.start, end: test.end, text: value }))

const isText = (node: Node) =>
  node.type === 'TemplateLiteral' || (node.type === 'Literal' && typeof node.value === 'string')

const isNothing = (node: unknown) =>
  (node as Node).type === 'Literal' ? (node as Node).value === null : (node as Node).name === 'undefined'

export const isFunction = (node: Node) =>
  ['FunctionDeclaration', 'FunctionExpression', 'ArrowFunctionExpression'].includes(node.type)

/** Whether a function sometimes returns null or undefined: then each of its other returns may be wrong in that way. */
function returnsNothing(node: Node): boolean {
  const search = (one: Node): boolean =>
    one.type === 'ReturnStatement'
      ? one.argument !== null && isNothing(one.argument)
      : runningChildren(one).some(([, child]) => !isFunction(child) && search(child))
  return search(node.body as Node)
}
