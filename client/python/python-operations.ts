/** Operations of the document as methods of a Python class. */
import type {
  JsonSchema,
  OperationObject,
  ParameterObject,
  Reference,
} from '../../contract/openapi/openapi-document.ts'
import { dryRunMediaType } from '../../contract/platform/dry-run.ts'
import { literal, pythonType, snakeCase } from './python-types.ts'

export interface DocumentOperation {
  method: string
  path: string
  operation: OperationObject
  schemas: Record<string, JsonSchema>
}

interface Argument {
  name: string
  /** As the service calls it. */
  member: string
  place: 'path' | 'query' | 'header'
  type: string
  isRequired: boolean
  /** The only value that there is. */
  fixed?: string
  text: string
}

const shared: Record<string, Omit<Argument, 'name'> & { name: string }> = {
  IfMatch: {
    name: 'if_match',
    member: 'If-Match',
    place: 'header',
    type: 'str',
    isRequired: false,
    text: 'The entity tag that you read: the change fails when somebody else was faster.',
  },
  IdempotencyKey: {
    name: 'idempotency_key',
    member: 'Idempotency-Key',
    place: 'header',
    type: 'str',
    isRequired: false,
    text: 'Made for each call unless given.',
  },
}

function readArgument(parameter: ParameterObject | Reference): Argument[] {
  if ('$ref' in parameter) {
    const known = shared[parameter.$ref.split('/').at(-1)!]
    return known ? [known] : []
  }
  const { name, in: place, required, schema, description = '' } = parameter
  const only = Array.isArray(schema.enum) && schema.enum.length === 1
  return [
    {
      name: snakeCase(name),
      member: name,
      place,
      type: place === 'header' ? 'str' : pythonType(schema).replace(/^Optional\[(.*)\]$/, '$1'),
      isRequired: required,
      ...(only && required && { fixed: literal((schema.enum as unknown[])[0]) }),
      text: description,
    },
  ]
}

const isNeeded = ({ isRequired, fixed }: Argument) => isRequired && fixed === undefined

const declareArgument = (argument: Argument): string =>
  isNeeded(argument)
    ? `${argument.name}: ${argument.type}`
    : argument.fixed === undefined
      ? `${argument.name}: Optional[${argument.type}] = None`
      : `${argument.name}: ${argument.type} = ${argument.fixed}`

interface Reply {
  type: string
  isBinary: boolean
}

/** The type of the first answer that is a success; of several media types, what a program can do with all of them. */
function readReply(responses: OperationObject['responses']): Reply {
  for (const [status, response] of Object.entries(responses)) {
    if (Number(status) >= 400) continue
    if ('$ref' in response || !response.content) return { type: 'str', isBinary: false }
    const {
      'application/json': json,
      'text/event-stream': _stream,
      [dryRunMediaType]: dryRun,
      ...files
    } = response.content
    if (dryRun && !json) continue
    const type = json ? pythonType(json.schema) : 'bytes'
    const isMixed = json !== undefined && Object.keys(files).length > 0
    return { type: isMixed ? `Union[${type}, bytes]` : type, isBinary: !json || isMixed }
  }
  return { type: 'Any', isBinary: false }
}

/** The lines of an operation's method, and for a list those of the method that gives its rows. */
export function declareMethod(described: DocumentOperation): string[] {
  const { method, path, operation } = described
  const given = (operation.parameters ?? []).flatMap(readArgument)
  const [[bodyType, media] = []] = Object.entries(operation.requestBody?.content ?? {})
  const body: Argument[] = media
    ? [
        {
          name: 'body',
          member: 'body',
          place: 'header',
          type: bodyType === 'application/octet-stream' ? 'bytes' : pythonType(media.schema),
          isRequired: operation.requestBody!.required,
          text: operation.requestBody!.description ?? '',
        },
      ]
    : []
  const all = [...given, ...body]
  const ordered = [...all.filter(isNeeded), ...all.filter((one) => !isNeeded(one))]
  const pass = (place: Argument['place'], name: string) => {
    const some = given.filter((one) => one.place === place)
    const pairs = some.map((one) => `${literal(one.member)}: ${one.name}`)
    return some.length === 0 ? [] : [`${name}={${pairs.join(', ')}}`]
  }
  const headers = given.filter(({ place }) => place === 'header')
  const reply = readReply(operation.responses)
  const name = snakeCase(operation.operationId)
  return [
    ...declareHead(name, ordered, reply.type),
    ...docstring(operation, ordered),
    `        return self._call(`,
    `            ${literal(method.toUpperCase())},`,
    `            ${literal(path)},`,
    ...[
      ...pass('path', 'parts'),
      ...pass('query', 'query'),
      ...(headers.length > 0 ? pass('header', 'headers') : []),
      ...(media ? ['body=body', `body_type=${literal(bodyType)}`] : []),
      ...(headers.some(({ member }) => member === 'Idempotency-Key') ? ['keyed=True'] : []),
      ...(operation.security?.length === 0 ? ['public=True'] : []),
      ...(reply.isBinary ? ['binary=True'] : []),
    ].map((line) => `            ${line},`),
    '        )',
    '',
    ...declareRows(described, name, ordered, reply.type),
  ]
}

const declareHead = (name: string, ordered: readonly Argument[], type: string): string[] => [
  `    def ${name}(`,
  '        self,',
  ...(ordered.length > 0 ? ['        *,', ...ordered.map((one) => `        ${declareArgument(one)},`)] : []),
  `    ) -> ${type}:`,
]

function docstring({ summary, description = '' }: OperationObject, ordered: readonly Argument[]): string[] {
  const texts = ordered.filter(({ text }) => text !== '').map(({ name, text }) => `\`${name}\`: ${text}`)
  const parts = [`${summary}.`, description, texts.join('\n')].filter((part) => part !== '').join('\n\n')
  const safe = parts.replaceAll('\\', '\\\\').replaceAll('"""', "'''")
  return [`        """${safe.replaceAll('\n', '\n        ').replaceAll(/[ ]+$/gm, '')}`, '        """']
}

/** A list has a second method that gives its rows, whatever the number of pages. */
function declareRows(
  { operation, schemas }: DocumentOperation,
  name: string,
  ordered: readonly Argument[],
  type: string,
): string[] {
  const paging = new Set(['skip', 'top'])
  if (ordered.filter((one) => paging.has(one.name)).length < 2) return []
  const page = schemas[type.replaceAll('"', '')]?.properties as Record<string, JsonSchema> | undefined
  const row = page?.value?.items
  const rowType = typeof row === 'object' && row !== null ? pythonType(row as JsonSchema) : 'Dict[str, Any]'
  const others = ordered.filter((one) => !paging.has(one.name))
  const passed = others.map((one) => `${one.name}=${one.name}`)
  return [
    ...declareHead(`each_${name}`, ordered, `Iterator[${rowType}]`),
    `        """${operation.summary}, row by row over all pages. \`top\` is the size of a page."""`,
    `        return self._pages(functools.partial(self.${name}${passed.length > 0 ? `, ${passed.join(', ')}` : ''}), skip, top)`,
    '',
  ]
}
