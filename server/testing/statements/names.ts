/** What a name stands for: a constant or function of any file, or what the callers of a function give its parameters. */
import type {
  BindingElement,
  BindingPattern,
  Block,
  Expression,
  FunctionLikeDeclaration,
  Node,
  ParameterDeclaration,
  Statement,
} from 'typescript/unstable/ast'
import * as is from 'typescript/unstable/ast/is'
import { root } from './source.ts'
import { Fragment, isKnown, Open, openWhereUnreadable, type Reader, type Values } from './values.ts'

export const globals: Record<string, unknown> = {
  Object,
  Array,
  String,
  Number,
  JSON,
  Math,
  Set,
  Map,
  undefined,
}

/** Functions that are interpreted, and so take what is open. */
export const interpreted = new WeakSet<object>()

export function readName(reader: Reader, node: Node & { text: string }, values: Values): unknown {
  const found = reader.source.findDeclaration(node)
  if (!found) return node.text in globals ? globals[node.text] : new Open(node)
  if (values.has(found.symbol.id)) return values.get(found.symbol.id)
  const known = knownFor(reader, node, node.text)
  if (known !== undefined) return known
  const { declaration } = found
  if (node.text in globals && isOfLanguage(declaration)) return globals[node.text]
  if (is.isFunctionDeclaration(declaration) && declaration.body)
    return makeFunction(reader, declaration, values, reader.source.realValue(declaration))
  if (
    is.isVariableDeclaration(declaration) ||
    is.isBindingElement(declaration) ||
    is.isParameterDeclaration(declaration)
  )
    return readDeclaration(reader, declaration, values) ?? new Open(node)
  return reader.source.realValue(declaration) ?? new Open(node)
}

/** What a declaration gives its name; undefined where only a running program knows. */
function readDeclaration(reader: Reader, declaration: Node, values: Values): unknown {
  if (is.isParameterDeclaration(declaration)) return readParameter(reader, declaration)
  if (is.isBindingElement(declaration)) return readElement(reader, declaration, values)
  if (!is.isVariableDeclaration(declaration)) return undefined
  const statement = declaration.parent.parent
  if (is.isForOfStatement(statement)) {
    const all = reader.evaluate(statement.expression, values)
    return Array.isArray(all) && all.length > 0 ? all[reader.ways.choose(statement, all.length)] : undefined
  }
  const real = reader.source.realValue(declaration)
  if (real !== undefined && typeof real !== 'function') return real
  const { initializer } = declaration
  if (!initializer || !isConstant(declaration)) return real
  return is.isArrowFunction(initializer)
    ? makeFunction(reader, initializer, values, real)
    : reader.evaluate(initializer, values)
}

/** What `const { from, key: other = x } = source` gave a name. */
function readElement(reader: Reader, element: BindingElement, values: Values): unknown {
  const pattern = element.parent
  const whole = readDeclaration(reader, pattern.parent, values)
  if (whole instanceof Open || whole instanceof Fragment || whole === null || whole === undefined)
    return undefined
  const elements = (pattern as BindingPattern).elements as readonly BindingElement[]
  const keys = is.isArrayBindingPattern(pattern) ? [...elements.keys()] : elements.map(readKey)
  if (element.dotDotDotToken) return without(whole, keys)
  const key = keys[elements.indexOf(element)]!
  const value = (whole as Record<string, unknown>)[key]
  return value === undefined && element.initializer ? reader.evaluate(element.initializer, values) : value
}

/** What a caller of a function gives it: each is a way of its own. */
function readParameter(reader: Reader, declaration: ParameterDeclaration): unknown {
  const example = declaration.type && knownFor(reader, declaration, declaration.type.getText())
  if (example !== undefined) return example
  const called = declaration.parent
  const calls = reader.source.findCalls(called)
  if (calls.length === 0 || declaration.dotDotDotToken || reader.asked.has(called)) return undefined
  const call = calls[reader.ways.choose(called, calls.length)]!
  const argument =
    call.arguments[(called as unknown as FunctionLikeDeclaration).parameters.indexOf(declaration)]
  reader.asked.add(called)
  try {
    const value = argument && openWhereUnreadable(argument, () => reader.evaluate(argument))
    return value === undefined && declaration.initializer ? reader.evaluate(declaration.initializer) : value
  } finally {
    reader.asked.delete(called)
  }
}

/** Undefined where the function refuses what stands for a value that is known only at run time. */
function callReal(real: (...given: unknown[]) => unknown, given: readonly unknown[]): unknown {
  try {
    return real(...given)
  } catch {
    return undefined
  }
}

export function makeFunction(
  reader: Reader,
  node: FunctionLikeDeclaration,
  values: Values,
  real?: unknown,
): (...given: unknown[]) => unknown {
  const called = (...given: unknown[]): unknown => {
    if (typeof real === 'function' && given.every(isKnown)) return callReal(real as typeof called, given)
    const inner = new Map(values)
    for (const [index, one] of node.parameters.entries())
      bind(reader, one, one.dotDotDotToken ? given.slice(index) : given[index], inner)
    const { body } = node as { body: Block | Expression }
    if (!is.isBlock(body)) return reader.evaluate(body, inner)
    const returned = run(reader, body.statements, inner)
    return returned === undefined ? undefined : returned.value
  }
  interpreted.add(called)
  return called
}

function bind(
  reader: Reader,
  target: Node & { name?: Node; initializer?: Expression | undefined },
  given: unknown,
  values: Map<number, unknown>,
): void {
  const value =
    given === undefined && target.initializer ? reader.evaluate(target.initializer, values) : given
  const name = target.name!
  if (is.isIdentifier(name)) {
    const found = reader.source.findDeclaration(name)
    if (found) values.set(found.symbol.id, value)
  } else if (is.isObjectBindingPattern(name) || is.isArrayBindingPattern(name)) {
    const isOpen = value instanceof Open || value instanceof Fragment || value === undefined || value === null
    for (const [index, element] of [...name.elements].entries()) {
      if (!is.isBindingElement(element) || !element.name) continue
      const key = is.isArrayBindingPattern(name) ? index : readKey(element)
      if (element.dotDotDotToken) bind(reader, element as never, new Open(element.name!), values)
      else
        bind(
          reader,
          element as never,
          isOpen ? new Open(element.name!) : (value as Record<string, unknown>)[key],
          values,
        )
    }
  }
}

/** Runs a function's statements up to its return. */
function run(
  reader: Reader,
  statements: readonly Statement[],
  values: Map<number, unknown>,
): { value: unknown } | undefined {
  for (const statement of statements) {
    if (is.isReturnStatement(statement))
      return { value: statement.expression && reader.evaluate(statement.expression, values) }
    if (is.isIfStatement(statement)) {
      const branch = reader.decide(statement.expression, values)
        ? statement.thenStatement
        : statement.elseStatement
      const returned = branch && run(reader, is.isBlock(branch) ? branch.statements : [branch], values)
      if (returned) return returned
    } else if (is.isVariableStatement(statement)) {
      for (const one of statement.declarationList.declarations)
        bind(
          reader,
          one,
          one.initializer && isConstant(one) ? reader.evaluate(one.initializer, values) : new Open(one.name),
          values,
        )
    } else if (!is.isFunctionDeclaration(statement)) return { value: new Open(statement) }
  }
  return undefined
}

const knownFor = ({ known }: Reader, node: Node, name: string) =>
  known.get(`${node.getSourceFile().fileName.slice(root.length + 1)} ${name}`)

const isOfLanguage = (declaration: Node) =>
  /(^|\/)lib\.[\w.]+\.d\.ts$/.test(declaration.getSourceFile().fileName)

const readKey = (element: BindingElement) =>
  ((element.propertyName ?? element.name) as { text?: string }).text ?? ''

const without = (whole: object, keys: readonly (string | number)[]) =>
  Object.fromEntries(Object.entries(whole).filter(([key]) => !keys.includes(key)))

function isConstant(declaration: Node): boolean {
  const list = declaration.parent
  return list !== undefined && is.isVariableDeclarationList(list) && /^const\b/.test(list.getText())
}
