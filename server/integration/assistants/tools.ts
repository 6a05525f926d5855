/** The operations that assistants get as tools, with their own descriptions and schemas. */
import { operations, type DeclaredOperation } from '../../../contract/api.ts'
import type { JsonSchema } from '../../../contract/openapi/openapi-document.ts'
import type { Operation } from '../../../contract/platform/operation.ts'

type Name = DeclaredOperation['name']

/** Tools that find and read; the preview of a plan stores nothing. */
export const readingTools = [
  'searchItems',
  'listDebtors',
  'getDebtor',
  'listAddresses',
  'listDebtorNotes',
  'getCaseOverview',
  'listCases',
  'listAllCases',
  'getCaseByGuid',
  'explainCase',
  'getCasePermissions',
  'listCaseMovements',
  'listCaseNotes',
  'listPaymentPlans',
  'getPaymentPlan',
  'calculatePaymentPlan',
  'listClients',
  'getCurrentUser',
  'getSystemInformation',
] as const satisfies Name[]

/** Tools that change data, offered only where the operator allows it. */
export const writingTools = [
  'createDebtor',
  'updateDebtor',
  'createAddress',
  'updateAddress',
  'createPaymentPlan',
  'activatePaymentPlan',
  'cancelPaymentPlan',
  'createFromForm',
] as const satisfies Name[]

type ToolName = (typeof readingTools | typeof writingTools)[number]

export interface Tool {
  name: ToolName
  title: string
  description: string
  inputSchema: { type: 'object'; properties: Record<string, object>; required: string[] }
  annotations: { readOnlyHint: boolean; destructiveHint: boolean; openWorldHint: boolean }
  operation: Operation
  /** Maps the tool's input names to those of the operation: `filter` to `$filter`. */
  inputOf(given: Record<string, unknown>): Record<string, unknown>
}

let created: { reading: readonly Tool[]; writing: readonly Tool[] } | undefined

export function listTools(allowWrites: boolean): readonly Tool[] {
  created ??= {
    reading: readingTools.map((name) => createTool(name, true)),
    writing: writingTools.map((name) => createTool(name, false)),
  }
  return allowWrites ? [...created.reading, ...created.writing] : created.reading
}

function createTool(name: ToolName, readOnly: boolean): Tool {
  const operation = operations.find((one) => one.name === name)!
  const members = { ...toolProperties(operation.params), ...toolProperties(operation.query) }
  const properties: Record<string, object> = {}
  for (const [member, schema] of Object.entries(members)) properties[plain(member)] = cleaned(schema)
  if (operation.body) properties['body'] = cleaned(operation.body as JsonSchema)
  return {
    name,
    operation,
    title: operation.summary,
    description: [operation.summary, operation.description].filter(Boolean).join('. '),
    inputSchema: { type: 'object', properties, required: requiredMembers(operation) },
    annotations: { readOnlyHint: readOnly, destructiveHint: !readOnly, openWorldHint: false },
    inputOf: (given) =>
      Object.fromEntries(
        Object.entries(given).map(([member, value]) => [
          `$${member}` in members ? `$${member}` : member,
          value,
        ]),
      ),
  }
}

/** Some assistants do not accept `$` in member names. */
const plain = (member: string) => member.replace(/^\$/, '')
const toolProperties = (schema: unknown) =>
  ((schema as JsonSchema | undefined)?.['properties'] ?? {}) as Record<string, JsonSchema>
const requiredNames = (schema: unknown) =>
  ((schema as JsonSchema | undefined)?.['required'] ?? []) as string[]

const requiredMembers = ({ params, query, body, bodyOptional }: Operation): string[] => [
  ...requiredNames(params),
  ...requiredNames(query).map(plain),
  ...(body && !bodyOptional ? ['body'] : []),
]

/** Without the service's internal keywords. */
function cleaned(value: JsonSchema): JsonSchema {
  const clean = (child: unknown): unknown => {
    if (Array.isArray(child)) return child.map(clean)
    return typeof child === 'object' && child !== null ? cleaned(child as JsonSchema) : child
  }
  return Object.fromEntries(
    Object.entries(value)
      .filter(([keyword]) => keyword !== '$id' && keyword !== 'x-field' && keyword !== 'x-demands')
      .map(([keyword, child]) => [keyword, clean(child)]),
  )
}
