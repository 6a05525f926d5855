/** The operations that assistants get as tools, with their own descriptions and schemas. */
import { operations, type DeclaredOperation } from '../../../contract/api.ts'
import type { JsonSchema } from '../../../contract/openapi/openapi-document.ts'
import type { Operation } from '../../../contract/platform/operation.ts'
import { slimSchema } from './slim-answer.ts'

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

type WritingTool = (typeof writingTools)[number]
type ToolName = (typeof readingTools)[number] | WritingTool

/** `destructiveHint`: changes what is there, and does not only add. `idempotentHint`: a repeated call changes no more. */
const hints: Record<WritingTool, { destructiveHint: boolean; idempotentHint: boolean }> = {
  createDebtor: { destructiveHint: false, idempotentHint: false },
  updateDebtor: { destructiveHint: true, idempotentHint: true },
  // A new default address takes that place from another.
  createAddress: { destructiveHint: true, idempotentHint: false },
  updateAddress: { destructiveHint: true, idempotentHint: true },
  createPaymentPlan: { destructiveHint: false, idempotentHint: false },
  activatePaymentPlan: { destructiveHint: true, idempotentHint: true },
  cancelPaymentPlan: { destructiveHint: true, idempotentHint: true },
  // A credit note lowers a debt, and a reversal takes a payment back.
  createFromForm: { destructiveHint: true, idempotentHint: false },
}

/**
 * The values of a parameter that a tool takes, where they are fewer than the operation's. An assistant registers work on
 * cases. It makes no users, rights, webhooks, schedules or rules: they would outlive its connection, or carry data away.
 */
const choices: Partial<Record<ToolName, Record<string, readonly string[]>>> = {
  createFromForm: {
    entity: [
      'case',
      'debtor',
      'address',
      'extrafield',
      'invoice',
      'payment',
      'note',
      'objection',
      'paymentplan',
    ],
  },
}

export interface Tool {
  name: ToolName
  title: string
  description: string
  inputSchema: { type: 'object'; properties: Record<string, object>; required: string[] }
  /** The answer's schema. Its root is an object, as the protocol demands. */
  outputSchema: { type: 'object' }
  annotations: Annotations
  operation: Operation
  /** The only values of a parameter, where the tool takes fewer than its operation. */
  choices: Record<string, readonly string[]>
  /** Maps the tool's input names to those of the operation: `filter` to `$filter`. */
  readInput(given: Record<string, unknown>): Record<string, unknown>
}

interface Annotations {
  readOnlyHint: boolean
  destructiveHint: boolean
  idempotentHint: boolean
  openWorldHint: boolean
}

/** No tool sends anything or asks another service: nothing leaves the house by it. */
const closedWorld = { openWorldHint: false } as const
const readingHints = { readOnlyHint: true, destructiveHint: false, idempotentHint: true, ...closedWorld }

let created: { reading: readonly Tool[]; writing: readonly Tool[] } | undefined

export function listTools(allowWrites: boolean): readonly Tool[] {
  created ??= {
    reading: readingTools.map((name) => createTool(name, readingHints)),
    writing: writingTools.map((name) =>
      createTool(name, { readOnlyHint: false, ...hints[name], ...closedWorld }),
    ),
  }
  return allowWrites ? [...created.reading, ...created.writing] : created.reading
}

function createTool(name: ToolName, annotations: Annotations): Tool {
  const operation = operations.find((one) => one.name === name)!
  const members = { ...toolProperties(operation.params), ...toolProperties(operation.query) }
  const properties: Record<string, object> = {}
  for (const [member, schema] of Object.entries(members)) properties[plain(member)] = cleaned(schema)
  const own = choices[name] ?? {}
  for (const [member, values] of Object.entries(own))
    properties[member] = { ...properties[member], enum: values }
  if (operation.body) properties['body'] = cleaned(operation.body as JsonSchema)
  return {
    name,
    operation,
    title: operation.summary,
    description: [operation.summary, operation.description].filter(Boolean).join('. '),
    inputSchema: { type: 'object', properties, required: requiredMembers(operation) },
    outputSchema: slimSchema(name, operation.response as JsonSchema) as Tool['outputSchema'],
    annotations,
    choices: own,
    readInput: (given) =>
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
