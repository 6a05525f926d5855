/** The declarations of the packaged client that are made from the document: its types, and a method per operation. */
import type {
  JsonSchema,
  OpenApiDocument,
  OperationObject,
  ParameterObject,
} from '../../contract/openapi/openapi-document.ts'
import { eventFilters } from '../../contract/platform/event-types.ts'
import { dryRunMediaType } from '../../contract/platform/dry-run.ts'
import { problems } from '../../contract/platform/problem.ts'
import { comment, declareMember, declareType, typescriptType } from './typescript-types.ts'

interface Named {
  method: string
  operation: OperationObject
}

/** The package's own file beside it. */
const optionsFile = ['.', 'call-options.js'].join('/')

/** The text of `operations.d.ts`. Pure. */
export function writeOperations(document: OpenApiDocument): string {
  const all: Named[] = Object.values(document.paths).flatMap((item) =>
    Object.entries(item as Record<string, OperationObject>).map(([method, operation]) => ({
      method,
      operation,
    })),
  )
  const redirects = all.filter(({ operation }) => '302' in operation.responses)
  const called = all.filter((one) => !redirects.includes(one))
  const list = (some: readonly Named[]) =>
    some.map(({ operation }) => `'${operation.operationId}'`).join(' | ')
  const { schemas } = document.components
  return [
    '/** Bodies, answers and operations of the API. Made from its document; changes are lost. */',
    `import type { CallOptions } from '${optionsFile}'`,
    '',
    ...Object.entries(schemas).map(([name, schema]) => declareType(name, schema)),
    `export type ProblemKind = ${Object.keys(problems)
      .map((kind) => `'${kind}'`)
      .join(' | ')}\n`,
    '/** A type of event, or all types of an entity with a star. */',
    `export type EventFilter = ${eventFilters.map((filter) => `'${filter}'`).join(' | ')}`,
    '/** Several of them, comma-separated. */',
    'export type EventFilters = EventFilter | `${EventFilter},${string}`\n',
    '/** Every operation of the service by its name. */',
    'export interface Methods {',
    ...called.map(({ operation }) => declareMethod(operation)),
    '}\n',
    '/** Lists, which are read page by page. */',
    `export type ListName = ${list(called.filter(({ operation }) => isList(operation, schemas)))}\n`,
    '/** Operations that change something. Those without a dry run (files, jobs, sign-in, secrets) refuse it with 400. */',
    `export type WriteName = ${list(called.filter(({ method }) => method !== 'get'))}\n`,
    '/** What the operations take that a browser opens. */',
    'export interface RedirectInputs {',
    ...redirects.map(({ operation }) => `${operation.operationId}: ${inputType(operation).type}`),
    '}\n',
  ].join('\n')
}

function declareMethod(operation: OperationObject): string {
  const { summary, description = '', operationId } = operation
  const { type, isNeeded } = inputType(operation)
  const text = [`${summary}.`, description].filter((part) => part !== '').join('\n\n')
  return `${comment(text)}${operationId}(input${isNeeded ? '' : '?'}: ${type}, options?: CallOptions): Promise<${answerType(operation)}>`
}

/** Parameters of path and query side by side, and the body as `body`. */
function inputType({ operationId, parameters = [], requestBody }: OperationObject) {
  const given = parameters.filter((one): one is ParameterObject => !('$ref' in one) && one.in !== 'header')
  const members = given.map(({ name, required, schema, description }) =>
    operationId === 'listEvents' && name === 'types'
      ? `${comment(description)}types?: EventFilters`
      : declareMember(name, { ...parameterSchema(schema), description }, required),
  )
  const [[bodyType, media] = []] = Object.entries(requestBody?.content ?? {})
  if (media) {
    const isFile = bodyType === 'application/octet-stream'
    members.push(`body: ${isFile ? 'Blob | Uint8Array' : typescriptType(media.schema)}`)
  }
  const isNeeded = media !== undefined || given.some(({ required }) => required)
  return { type: members.length === 0 ? 'object' : `{\n${members.join('\n')}\n}`, isNeeded }
}

/** A parameter is left out, and never null. */
const parameterSchema = (schema: JsonSchema): JsonSchema =>
  Array.isArray(schema.type) ? { ...schema, type: schema.type.filter((one) => one !== 'null') } : schema

/** JSON where the operation has it, else the bytes of a file. */
function answerType({ responses }: OperationObject): string {
  for (const [status, response] of Object.entries(responses)) {
    if (Number(status) >= 400 || '$ref' in response || !response.content) continue
    const { 'application/json': json, [dryRunMediaType]: _dryRun, ...files } = response.content
    if (json) return typescriptType(json.schema)
    if (Object.keys(files).length > 0) return 'Uint8Array'
  }
  return 'unknown'
}

function isList(operation: OperationObject, schemas: Record<string, JsonSchema>): boolean {
  const members = (schemas[answerType(operation)]?.properties ?? {}) as Record<string, JsonSchema>
  return 'total' in members && members['value']?.type === 'array'
}
