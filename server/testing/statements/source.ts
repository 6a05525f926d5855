/** The server's sources as the compiler sees them. The compiler's API is of the very version that checks the types. */
import { createRequire } from 'node:module'
import { join, relative } from 'node:path'
import type { CallExpression, Node, SourceFile } from 'typescript/unstable/ast'
import {
  isCallExpression,
  isIdentifier,
  isShorthandPropertyAssignment,
  isSourceFile,
  isVariableDeclaration,
} from 'typescript/unstable/ast/is'
import {
  API,
  SymbolFlags,
  type Checker,
  type Project,
  type Symbol,
  type Type,
} from 'typescript/unstable/sync'

export const root = join(import.meta.dirname, '..', '..', '..')

export interface Source {
  checker: Checker
  files: SourceFile[]
  typeAt(node: Node): Type | undefined
  /** A type as it would be written. */
  typeText(type: Type): string
  /** The declaration of what a name stands for, in whichever file. */
  findDeclaration(name: Node): { symbol: Symbol; declaration: Node } | undefined
  /** The calls of a function, by its name. */
  findCalls(called: Node): readonly CallExpression[]
  /** The value of what a module exports. */
  realValue(declaration: Node): unknown
  close(): void
}

/** Everything in server/ that is shipped. */
export function openSource(): Source {
  const api = new API({ cwd: root })
  const config = join(root, 'server', 'tsconfig.json')
  const project = api.updateSnapshot({ openProjects: [config] }).getProject(config)!
  const { checker, program } = project
  const files = program
    .getSourceFileNames()
    .filter((name) => name.startsWith(join(root, 'server/')) && !/\.test\.ts$|\/testing\//.test(name))
    .map((name) => program.getSourceFile(name)!)
  const calls = new Map<string, CallExpression[]>()
  for (const file of files) file.forEachChild((node) => collectCalls(node, calls))
  return {
    checker,
    files,
    typeAt: remember((node) => checker.getTypeAtLocation(node)),
    typeText: remember((type) => checker.typeToString(type)),
    findDeclaration: remember((name) => findDeclaration(project, name)),
    findCalls: remember((called) => findCalls(project, called, calls)),
    realValue: remember(realValue),
    close: () => api.close(),
  }
}

/** Asks the compiler once: each question is a round trip to its process. */
function remember<Asked, Answer>(ask: (asked: Asked) => Answer): (asked: Asked) => Answer {
  const answers = new Map<Asked, Answer>()
  return (asked) => {
    if (!answers.has(asked)) answers.set(asked, ask(asked))
    return answers.get(asked)!
  }
}

function findDeclaration(project: Project, name: Node) {
  const { checker } = project
  const found =
    name.parent !== undefined && isShorthandPropertyAssignment(name.parent)
      ? checker.getShorthandAssignmentValueSymbol(name.parent)
      : checker.getSymbolAtLocation(name)
  if (!found) return undefined
  const symbol = found.flags & SymbolFlags.Alias ? checker.getAliasedSymbol(found) : found
  const declaration = symbol.valueDeclaration?.resolve(project)
  return declaration && { symbol, declaration }
}

function collectCalls(node: Node, calls: Map<string, CallExpression[]>): undefined {
  if (isCallExpression(node) && isIdentifier(node.expression)) {
    const { text } = node.expression
    calls.set(text, [...(calls.get(text) ?? []), node])
  }
  node.forEachChild((child) => collectCalls(child, calls))
}

function findCalls(project: Project, called: Node, calls: ReadonlyMap<string, CallExpression[]>) {
  const { name } = (isVariableDeclaration(called.parent) ? called.parent : called) as {
    name?: Node & { text?: string }
  }
  const own = name && project.checker.getSymbolAtLocation(name)
  if (!own) return []
  return (calls.get(name.text ?? '') ?? []).filter(
    (call) => findDeclaration(project, call.expression)?.symbol.id === own.id,
  )
}

const load = createRequire(import.meta.url)

/** Of a module's top level, and only what can be loaded without starting anything. */
function realValue(declaration: Node): unknown {
  const path = declaration.getSourceFile().fileName
  const inTypes = /\/node_modules\/\.cache\/types\/(.+)\.d\.ts$/.exec(path)
  const file = inTypes ? join(root, `${inTypes[1]}.ts`) : path
  if (!/^(contract|core|server)\//.test(relative(root, file))) return undefined
  if (isSourceFile(declaration)) return load(file)
  const { name } = declaration as { name?: { text?: string } }
  const list = isVariableDeclaration(declaration) ? declaration.parent.parent : declaration
  if (name?.text === undefined || !list.getText().startsWith('export ')) return undefined
  return (load(file) as Record<string, unknown>)[name.text]
}
