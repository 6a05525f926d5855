/** Every place in the server that sends SQL, with the texts it sends and the type of its rows. */
import { relative } from 'node:path'
import type { CallExpression, Expression, Node, TaggedTemplateExpression } from 'typescript/unstable/ast'
import * as is from 'typescript/unstable/ast/is'
import type { Type } from 'typescript/unstable/sync'
import { statementText } from './calls.ts'
import { Evaluator } from './evaluate.ts'
import { Open, Unreadable } from './values.ts'
import { root, type Source } from './source.ts'

export interface FoundStatement {
  /** `server/x/y.ts:12` */
  place: string
  /** As PostgreSQL's parser takes them; more than one where the text depends on what only a running program knows. */
  texts: string[]
  /** Why the text is not known. */
  unread?: string
  /** Undefined where nothing is said of the rows, and null where they are the type parameter of a function. */
  rowType: Type | undefined | null
}

/** The functions that take a text or a source of rows, and where among their arguments. */
const senders: Record<string, (evaluator: Evaluator, node: CallExpression) => string> = {
  runStatement: (evaluator, node) => evaluator.asText(evaluator.evaluate(node.arguments[1]!)),
  findRow: readSource,
  findVisible: readSource,
  listRows: readSource,
}

/** What `findRow` and `listRows` make of a source: the select list and the rows, with the key compared. */
function readSource(evaluator: Evaluator, node: CallExpression): string {
  const source = evaluator.evaluate(node.arguments[1]!)
  if (source instanceof Open) throw new Unreadable(node.arguments[1]!)
  const { select, from, key, joins = {} } = source as Record<string, unknown>
  const joined = Object.values(joins as Record<string, { join: unknown }>).map(({ join }) => join)
  const [list, table, guid, ...tables] = [select, from, key, ...joined].map((one) => evaluator.asText(one))
  return `select ${list} from ${[table, ...tables].join(' ')} where ${guid} = $1`
}

export function findStatements(source: Source, known: ReadonlyMap<string, unknown>): FoundStatement[] {
  const evaluator = new Evaluator(source, known)
  return source.files.flatMap((file) => {
    const found: FoundStatement[] = []
    const visit = (node: Node): undefined => {
      const read = findReader(source, evaluator, node)
      if (read) {
        const place = `${relative(root, file.fileName)}:${file.getLineAndCharacterOfPosition(node.getStart()).line + 1}`
        found.push({
          place,
          ...readTexts(evaluator, read),
          rowType: findRowType(source, node as CallExpression),
        })
      }
      node.forEachChild(visit)
    }
    visit(file)
    return found
  })
}

function findReader(source: Source, evaluator: Evaluator, node: Node): (() => string) | undefined {
  if (is.isTaggedTemplateExpression(node))
    return isStatement(source, node) ? () => statementText(evaluator, node.template) : undefined
  if (!is.isCallExpression(node) || !is.isIdentifier(node.expression)) return undefined
  const read = Object.hasOwn(senders, node.expression.text) ? senders[node.expression.text] : undefined
  return read && (() => read(evaluator, node))
}

/** Not a piece of another one, which begins otherwise or stands within it. */
function isStatement({ typeAt, typeText }: Source, node: TaggedTemplateExpression): boolean {
  const type = typeAt(node)
  if (!type || !typeText(type).startsWith('PendingQuery<')) return false
  const { template } = node
  const beginning = is.isTemplateExpression(template)
    ? template.head.text
    : (template as { text: string }).text
  if (
    !/^\s*(select|insert|update|delete|with|listen|notify|set|lock|truncate|create|drop|alter|analyze|vacuum|copy|savepoint|rollback|release|merge|begin|commit)\b/i.test(
      beginning,
    )
  )
    return false
  return !is.isTemplateSpan(node.parent)
}

function readTexts(evaluator: Evaluator, read: () => string): Pick<FoundStatement, 'texts' | 'unread'> {
  try {
    return { texts: [...new Set(evaluator.ways.everyWay(read))] }
  } catch (error) {
    if (!(error instanceof Unreadable)) return { texts: [], unread: String((error as Error).stack) }
    return { texts: [], unread: error.message }
  }
}

/** The type of the rows that a call promises: `T` of `PendingQuery<T[]>`, `Promise<T | undefined>` or `Promise<Page<T>>`. */
function findRowType({ checker, typeAt, typeText }: Source, node: Expression): Type | undefined | null {
  const promised = typeAt(node)
  let [type] = promised?.isTypeReference() ? checker.getTypeArguments(promised) : []
  if (type?.isUnionType()) type = type.getTypes().find((one) => typeText(one) !== 'undefined')
  if (!type) return undefined
  for (const name of ['value', 'row']) {
    const member = checker.getPropertyOfType(type, name)
    const isPage =
      name === 'value' ? checker.getPropertyOfType(type, 'total') : checker.getPropertyOfType(type, 'guid')
    if (member && isPage) type = checker.getTypeOfSymbol(member)!
  }
  if (checker.isArrayLikeType(type) && type.isTypeReference()) type = checker.getTypeArguments(type)[0]
  if (type?.isUnionType()) type = type.getTypes().find((one) => typeText(one) !== 'undefined')
  if (!type || typeText(type) === 'object' || checker.getIndexInfosOfType(type).length > 0) return undefined
  return type.isTypeParameter() || checker.getPropertiesOfType(type).length === 0 ? null : type
}
