import { userRoles, roleAccessCodes, type UserRole, allUserRoles } from '../access/access.ts'
import { basePath, operations } from '../api.ts'
import { formOperationList } from '../metadata/form-operations.ts'
import type { Operation } from '../platform/operation.ts'
import { givesETag, takesDryRun, takesIdempotencyKey, takesIfMatch } from '../platform/operation-rules.ts'
import type {
  AccessObject,
  JsonSchema,
  MediaType,
  OpenApiDocument,
  OperationObject,
  ParameterObject,
  PathItem,
  Reference,
  ResponseObject,
} from './openapi-document.ts'
import { exampleRequestId } from './openapi-example-values.data.ts'
import { createExample } from './openapi-examples.ts'
import { requestHeaders, responseHeaders } from './openapi-headers.ts'
import { ProblemCollection } from './openapi-problems.ts'
import { SchemaCollection } from './openapi-schemas.ts'
import { securitySchemes } from './openapi-security.ts'
import { findTag, tagObjects } from './openapi-tags.ts'
import { introduction } from './openapi-texts.ts'
import { describeWebhooks } from './openapi-webhooks.ts'
import { DryRun, dryRunMediaType } from '../platform/dry-run.ts'
import { Problem } from '../platform/problem.ts'

/** The success of an update, delete or command. */
const problemId = '#/components/schemas/Problem'

/**
 * The OpenAPI 3.1 document of every operation. `serverUrl` is the installation's origin, without a path. Without it,
 * every address is relative to the origin of the document.
 */
export function openApiDocument(options: { version: string; serverUrl?: string }): OpenApiDocument {
  const origin = options.serverUrl?.replace(/\/+$/, '') ?? ''
  const schemas = new SchemaCollection()
  const answers = new ProblemCollection(origin)
  schemas.include(Problem, 'response')
  const paths: Record<string, PathItem> = {}
  for (const operation of [...sortOperations(operations), ...formOperationList]) {
    const path = (paths[pathTemplate(operation.path)] ??= {})
    path[methodName(operation)] = operationObject(operation, schemas, answers)
  }
  const webhooks = describeWebhooks(schemas)
  return {
    openapi: '3.1.0',
    info: {
      title: 'Fordra',
      version: options.version,
      summary: 'The HTTP API of the Fordra debt-collection platform.',
      description: introduction,
      license: { name: 'Apache 2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: `${origin}${basePath}`, description: 'This installation' }],
    security: [{ bearer: [] }, { cookie: [] }, { apiUser: [] }],
    tags: tagObjects,
    paths,
    webhooks,
    components: {
      schemas: sorted(schemas.schemas),
      parameters: requestHeaders,
      headers: responseHeaders,
      responses: sorted(answers.responses),
      securitySchemes,
    },
  }
}

/** By specification number within each area, because the modules export in alphabetical order. */
function sortOperations(list: readonly Operation[]): Operation[] {
  const areas = [...new Set(list.map(({ area }) => area))]
  const rankOperation = (operation: Operation) =>
    areas.indexOf(operation.area) * 1000 + operationNumber(operation)
  return list.toSorted((a, b) => rankOperation(a) - rankOperation(b))
}

const operationNumber = ({ id }: Operation) => Number(/^[SUD](\d+)$/.exec(id)?.[1] ?? 0)
const pathTemplate = (path: string) => path.replaceAll(/:(\w+)/g, '{$1}')
const methodName = ({ method }: Operation) =>
  method.toLowerCase() as 'get' | 'post' | 'put' | 'patch' | 'delete'
const sorted = <T>(record: Record<string, T>): Record<string, T> =>
  Object.fromEntries(Object.entries(record).toSorted(([a], [b]) => (a < b ? -1 : 1)))
const parameterRef = (name: keyof typeof requestHeaders): Reference => ({
  $ref: `#/components/parameters/${name}`,
})

function operationObject(
  operation: Operation,
  schemas: SchemaCollection,
  answers: ProblemCollection,
): OperationObject {
  const { id, name, summary, access, basic, body, status } = operation
  return {
    operationId: name,
    tags: [findTag(operation)],
    summary,
    description: operationDescription(operation),
    ...(access === 'public' && { security: basic ? [{ basic: [] }, {}] : [] }),
    parameters: operationParameters(operation, schemas),
    ...(body && { requestBody: requestBody(operation, body, schemas) }),
    responses: {
      [status]: successResponse(operation, schemas),
      ...(takesDryRun(operation) && status !== 200 && { 200: dryRunResponse(schemas) }),
      ...(operation.accepts && {
        202: { ...successResponse(operation, schemas), description: 'Accepted: the work is done later.' },
      }),
      ...answers.include(operation),
    },
    'x-access': accessObject(operation),
    ...(/^[SUD]\d+$/.test(id) && { 'x-specification-number': id }),
  }
}

const accessObject = ({ access, roles = [] }: Operation): AccessObject =>
  typeof access === 'string'
    ? { kind: access, codes: [], roles: [] }
    : { kind: 'codes', codes: access, roles }

function operationDescription(operation: Operation): string {
  return [operation.description, accessText(operation)].filter((part) => part !== undefined).join('\n\n')
}

function accessText({ access, roles = [], unrestricted }: Operation): string {
  if (access === 'public') return 'Access: everyone, without signing in.'
  if (access === 'session') return 'Access: everyone who is signed in.'
  const bringing = rolesBy((role) => roleAccessCodes[role].some((code) => access.includes(code)))
  const isAll = bringing.length === Object.keys(userRoles).length
  const who = isAll ? 'which every role brings' : `which the roles ${bringing.join(', ')} bring`
  const codes = access.map((code) => `\`${code}\``).join(' or ')
  const admitted = roles.map((role) => `${role} (${userRoles[role]})`).join(', ')
  const byName = admitted === '' ? '' : ` Also admitted: role ${admitted}.`
  const whole = unrestricted ? ' Not for callers who are restricted to clients.' : ''
  return `Access: ${codes}, ${who}.${byName}${whole}`
}

const rolesBy = (applies: (role: UserRole) => boolean): UserRole[] => allUserRoles.filter(applies)

function operationParameters(
  operation: Operation,
  schemas: SchemaCollection,
): (ParameterObject | Reference)[] {
  const headers = Object.entries(operation.headers ?? {}).map(([name, description]): ParameterObject => ({
    name,
    in: 'header',
    required: false,
    description,
    schema: { type: 'string' },
  }))
  return [
    ...pathParameters(operation, schemas),
    ...queryParameters(operation, schemas),
    ...headers,
    ...(takesIfMatch(operation) ? [parameterRef('IfMatch')] : []),
    ...(takesIdempotencyKey(operation) ? [parameterRef('IdempotencyKey')] : []),
    ...(takesDryRun(operation) ? [parameterRef('DryRun')] : []),
    parameterRef('RequestId'),
  ]
}

/** The members of an object schema; none without a schema. */
const schemaMembers = (schema: object | undefined) =>
  Object.entries(((schema as JsonSchema | undefined)?.properties ?? {}) as Record<string, JsonSchema>)

function pathParameters(
  { path, params, example: given }: Operation,
  schemas: SchemaCollection,
): ParameterObject[] {
  const segments = path.split('/')
  return schemaMembers(params).map(([name, schema]) => {
    const owner = segments[segments.indexOf(`:${name}`) - 1]
    const { title, description = title, ...rest } = schemas.include(schema, 'request')
    const example = examplePart(given, name) ?? createExample(schema, { owner, name })
    return { name, in: 'path', required: true, ...describe(description), schema: rest, example }
  })
}

const examplePart = (example: Operation['example'], name: string): unknown =>
  (example?.params as Record<string, unknown> | undefined)?.[name]

function queryParameters(
  { query, response, example }: Operation,
  schemas: SchemaCollection,
): ParameterObject[] {
  const required = ((query as JsonSchema | undefined)?.required ?? []) as string[]
  const examples = (example?.query ?? {}) as Record<string, unknown>
  return schemaMembers(query).map(([name, schema]) => {
    const { description, ...rest } = schemas.include(schema, 'request')
    const isRequired = required.includes(name)
    const shown = examples[name] ?? (isRequired ? createExample(rest, { name }) : undefined)
    const members = name === '$filter' ? filterableMembers(response).map((member) => `\`${member}\``) : []
    return {
      name,
      in: 'query',
      required: isRequired,
      ...describe(
        members.length === 0 ? description : `${String(description)} Members: ${members.join(', ')}.`,
      ),
      schema: rest,
      ...(shown !== undefined && { example: shown }),
    }
  })
}

const describe = (description: unknown) => (typeof description === 'string' ? { description } : {})

/** The members of a list item that `$filter` and `$orderby` accept: every scalar one that is not excluded. */
export function filterableMembers(page: object): string[] {
  const rows = schemaMembers(page).find(([name]) => name === 'value')?.[1].items
  return schemaMembers(rows as object | undefined)
    .filter(([, { type, 'x-field': meta }]) => {
      const types = [type].flat()
      const excepted = (meta as { unfilterable?: boolean } | undefined)?.unfilterable === true
      return !excepted && !types.includes('array') && !types.includes('object')
    })
    .map(([name]) => name)
}

function requestBody(operation: Operation, body: object, schemas: SchemaCollection) {
  const isUpdate = operation.method === 'PATCH'
  const example = operation.example?.body ?? createExample(body)
  return {
    ...(isUpdate && {
      description:
        'A member that is omitted or null stays unchanged. The empty string clears a text or a date-time; an array replaces the whole array.',
    }),
    required: operation.bodyOptional !== true,
    content: {
      [operation.bodyType ?? 'application/json']: { schema: schemas.include(body, 'request'), example },
    },
  }
}

const byteExamples = {
  'application/pdf': '%PDF-1.7 …',
  'application/octet-stream': '%PDF-1.7 …',
  'text/csv; charset=utf-8': 'line,sourceReference,field,reason\r\n',
  'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet': 'PK…',
  'text/csv': 'Client,Currency,Month,Sum\r\nNordia,SEK,2026-06,1200.00',
  'application/xml': '<Document xmlns="urn:iso:std:iso:20022:tech:xsd:pain.001.001.09">…</Document>',
}

function describeSuccess({ status, responseType, formats }: Operation, isProblem: boolean): string {
  if (status === 202) return 'Accepted: the work is done later.'
  if (status === 201) return 'Created.'
  if (isProblem) return 'Done.'
  if (responseType) return 'The requested file.'
  return formats ? 'The answer, in the requested format.' : 'The answer.'
}

function successResponse(operation: Operation, schemas: SchemaCollection): ResponseObject {
  if (operation.status === 302) return redirect
  const schema = schemas.include(operation.response, 'response')
  const isProblem = schema.$ref === problemId
  const names = ['X-Request-Id', 'RateLimit-Limit', 'RateLimit-Remaining', 'RateLimit-Reset']
  if (givesETag(operation)) names.unshift('ETag')
  if (operation.status === 201) names.unshift('Location')
  if (takesIdempotencyKey(operation)) names.push('Idempotency-Replayed')
  const example =
    operation.example?.response ?? (isProblem ? doneExample(operation) : createExample(operation.response))
  const media: MediaType = { schema, example }
  return {
    description: describeSuccess(operation, isProblem),
    headers: Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }])),
    content: {
      ...(operation.responseType
        ? { [operation.responseType]: { schema, example: byteExamples[operation.responseType] } }
        : { 'application/json': media }),
      ...Object.fromEntries(
        (operation.formats ?? []).map((format) => [
          format,
          { schema: { type: 'string', contentMediaType: format }, example: byteExamples[format] },
        ]),
      ),
      ...(operation.status === 200 && takesDryRun(operation) && dryRunContent(schemas)),
      ...(operation.eventStream && {
        'text/event-stream': {
          schema: { type: 'string' },
          example: operation.eventExample ?? `id: 4711\nevent: debtor.updated\ndata: {…}\n\n`,
        },
      }),
    },
  }
}

const dryRunContent = (schemas: SchemaCollection): Record<string, MediaType> => ({
  [dryRunMediaType]: { schema: schemas.include(DryRun, 'response'), example: createExample(DryRun) },
})

const dryRunResponse = (schemas: SchemaCollection): ResponseObject => ({
  description: 'What the change would do, for `dryRun=true`.',
  headers: { 'X-Request-Id': { $ref: '#/components/headers/X-Request-Id' } },
  content: dryRunContent(schemas),
})

const redirect: ResponseObject = {
  description: 'Continue at the address in `Location`.',
  headers: Object.fromEntries(
    ['Location', 'X-Request-Id'].map((name) => [name, { $ref: `#/components/headers/${name}` }]),
  ),
}

const outcomes: Record<Operation['method'], string> = {
  GET: 'Read.',
  POST: 'Done.',
  PUT: 'Updated.',
  PATCH: 'Updated.',
  DELETE: 'Deleted.',
}

function doneExample({ method, path, params, example }: Operation): object {
  const segments = path.split('/')
  const instance = segments.map((segment, index) => {
    const name = segment.slice(1)
    const schema = segment.startsWith(':') && schemaMembers(params).find(([member]) => member === name)?.[1]
    if (!schema) return segment
    return String(examplePart(example, name) ?? createExample(schema, { owner: segments[index - 1], name }))
  })
  return {
    type: 'about:blank',
    title: 'OK',
    status: 200,
    detail: outcomes[method],
    instance: `${basePath}${instance.join('/')}`,
    traceId: exampleRequestId,
  }
}
