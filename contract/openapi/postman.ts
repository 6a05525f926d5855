/**
 * Converts the OpenAPI document to a Postman collection (format 2.1, schema.getpostman.com/json/collection/v2.1.0): a
 * folder per area, a request per operation with its example. A script stores the token of a sign-in for all other
 * requests.
 */
import type {
  JsonSchema,
  OpenApiDocument,
  OperationObject,
  ParameterObject,
  PathItem,
} from './openapi-document.ts'

export interface PostmanValue {
  key: string
  value: string
  description?: string
  disabled?: boolean
}
export interface PostmanRequest {
  name: string
  event?: { listen: 'test'; script: { type: 'text/javascript'; exec: string[] } }[]
  request: {
    method: string
    description?: string
    auth?: { type: 'noauth' }
    header: PostmanValue[]
    url: { raw: string; host: string[]; path: string[]; query: PostmanValue[]; variable: PostmanValue[] }
    body?:
      | { mode: 'raw'; raw: string; options: { raw: { language: 'json' } } }
      | { mode: 'urlencoded'; urlencoded: PostmanValue[] }
  }
  response: []
}
export interface PostmanCollection {
  info: { name: string; description: string; version: string; schema: string }
  auth: { type: 'bearer'; bearer: { key: 'token'; value: string; type: 'string' }[] }
  variable: PostmanValue[]
  item: { name: string; description: string; item: PostmanRequest[] }[]
}

/** `origin` is the address of the service, such as `https://collections.example`. Users can change it in Postman. */
export function postmanCollection(document: OpenApiDocument, origin: string): PostmanCollection {
  const base = document.servers[0]!.url.replace(/^https?:\/\/[^/]+/, '')
  const entries = Object.entries(document.paths).flatMap(([path, item]) =>
    (Object.entries(item) as [keyof PathItem, OperationObject][]).map(([method, operation]) => ({
      area: operation.tags[0],
      request: requestOf(document, { path, method, operation }),
    })),
  )
  return {
    info: {
      name: document.info.title,
      description: document.info.description,
      version: document.info.version,
      schema: 'https://schema.getpostman.com/json/collection/v2.1.0/collection.json',
    },
    auth: { type: 'bearer', bearer: [{ key: 'token', value: '{{accessToken}}', type: 'string' }] },
    variable: [
      { key: 'baseUrl', value: origin.replace(/\/+$/, '') + base },
      { key: 'accessToken', value: '' },
    ],
    item: document.tags.map(({ name, description }) => ({
      name,
      description,
      item: entries.filter(({ area }) => area === name).map(({ request }) => request),
    })),
  }
}

interface Entry {
  path: string
  method: string
  operation: OperationObject
}

function requestOf(document: OpenApiDocument, { path, method, operation }: Entry): PostmanRequest {
  const parameters = (operation.parameters ?? []).map((parameter) =>
    '$ref' in parameter ? document.components.parameters[parameter.$ref.split('/').at(-1)!]! : parameter,
  )
  const placed = (place: ParameterObject['in']) =>
    parameters.filter((parameter) => parameter.in === place).map(valueOf)
  const segments = path
    .slice(1)
    .replaceAll(/\{(\w+)\}/g, ':$1')
    .split('/')
  const [[type, media] = []] = Object.entries(operation.requestBody?.content ?? {})
  const content = type === undefined ? [] : [{ key: 'Content-Type', value: type }]
  return {
    name: operation.summary,
    ...(takesToken(document, operation) && { event: [keepToken(operation.operationId)] }),
    request: {
      method: method.toUpperCase(),
      ...(operation.description !== undefined && { description: operation.description }),
      ...(operation.security?.length === 0 && { auth: { type: 'noauth' as const } }),
      header: [...content, ...placed('header').map(optional)],
      url: {
        raw: `{{baseUrl}}/${segments.join('/')}`,
        host: ['{{baseUrl}}'],
        path: segments,
        query: placed('query'),
        variable: placed('path'),
      },
      ...(media && { body: bodyOf(type!, media.example) }),
    },
    response: [],
  }
}

/** Optional parameters are disabled, with the example if there is one. */
function valueOf({ name, description, required, example }: ParameterObject): PostmanValue {
  return {
    key: name,
    value: example === undefined ? '' : String(example),
    ...(description !== undefined && { description }),
    ...(!required && { disabled: true }),
  }
}
const optional = (value: PostmanValue): PostmanValue => ({ ...value, disabled: true })

function bodyOf(type: string, example: unknown = {}): PostmanRequest['request']['body'] {
  if (type === 'application/json') {
    return { mode: 'raw', raw: JSON.stringify(example, null, 2), options: { raw: { language: 'json' } } }
  }
  const members = Object.entries(example as Record<string, unknown>)
  return {
    mode: 'urlencoded',
    urlencoded: members.map(([key, value]) => ({ key, value: String(value) })),
  }
}

/** True if the answer has the tokens of a session or of an API client. */
function takesToken(document: OpenApiDocument, operation: OperationObject): boolean {
  const answer = operation.responses['200']
  const schema = answer && 'content' in answer ? answer.content?.['application/json']?.schema : undefined
  return operation.security?.length === 0 && schema !== undefined && hasToken(document, schema)
}

function hasToken(document: OpenApiDocument, schema: JsonSchema): boolean {
  if (typeof schema.$ref === 'string')
    return hasToken(document, document.components.schemas[schema.$ref.split('/').at(-1)!]!)
  const members = (schema.properties ?? {}) as object
  const branches = [schema.anyOf, schema.oneOf].flat().filter((branch) => branch !== undefined)
  if ('accessToken' in members || 'access_token' in members) return true
  return (branches as JsonSchema[]).some((branch) => hasToken(document, branch))
}

function keepToken(operationId: string): NonNullable<PostmanRequest['event']>[number] {
  const exec = [
    `// Keeps the token that ${operationId} gives for all other requests.`,
    'const answer = pm.response.json()',
    'const token = answer.accessToken ?? answer.access_token',
    "if (token) pm.collectionVariables.set('accessToken', token)",
  ]
  return { listen: 'test', script: { type: 'text/javascript', exec } }
}
