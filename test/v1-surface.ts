/**
 * What of the OpenAPI document a caller of v1 relies on, in a form that is small enough to keep, and the comparison of
 * two of them. A change breaks when a request that was taken is refused, or an answer lacks or changes what it had.
 */
import type { JsonSchema, OpenApiDocument, OperationObject } from '../contract/openapi/openapi-document.ts'

export interface SurfaceOperation {
  id: string
  /** `public`, `session`, or the access codes of which a caller needs one. */
  access: string | string[]
  /** By place and name: `query $top`, `path debtorGuid`, `header Idempotency-Key`. */
  inputs: Record<string, SurfaceInput>
  body?: SurfaceInput
  /** By status and content type, such as `200 application/json`. */
  answers: Record<string, JsonSchema>
}
export interface SurfaceInput {
  required: boolean
  schema: JsonSchema
}
export interface Surface {
  operations: Record<string, SurfaceOperation>
  schemas: Record<string, JsonSchema>
}

/** What of a schema decides which values are right; the rest explains. */
const deciding = [
  '$ref',
  'type',
  'const',
  'enum',
  'format',
  'pattern',
  'minimum',
  'maximum',
  'minLength',
  'maxLength',
  'minItems',
  'maxItems',
  'required',
]
const isSchema = (value: unknown): value is JsonSchema => typeof value === 'object' && value !== null

/** `enum` beside a branch for null takes the same values as `enum` with null. */
function joinNullable(schema: JsonSchema): JsonSchema {
  const { anyOf, ...rest } = schema
  const [named, empty, ...others] = (anyOf ?? []) as JsonSchema[]
  const values = named?.['enum']
  if (others.length > 0 || !Array.isArray(values) || empty?.['type'] !== 'null') return schema
  return { ...rest, ...named, type: [named!['type'], 'null'].flat(), enum: [...(values as unknown[]), null] }
}

function prune(given: JsonSchema): JsonSchema {
  const schema = joinNullable(given)
  const kept: JsonSchema = {}
  for (const keyword of deciding) if (schema[keyword] !== undefined) kept[keyword] = schema[keyword]
  if (isSchema(schema['properties'])) kept['properties'] = mapValues(schema['properties'], prune)
  if (isSchema(schema['items'])) kept['items'] = prune(schema['items'])
  const rest = schema['additionalProperties']
  if (rest !== undefined) kept['additionalProperties'] = isSchema(rest) ? prune(rest) : rest
  for (const keyword of ['anyOf', 'oneOf', 'allOf']) {
    if (Array.isArray(schema[keyword])) kept[keyword] = (schema[keyword] as JsonSchema[]).map(prune)
  }
  return kept
}

const mapValues = <T>(record: JsonSchema, change: (schema: JsonSchema) => T): Record<string, T> =>
  Object.fromEntries(Object.entries(record).map(([name, value]) => [name, change(value as JsonSchema)]))

export function readSurface(document: OpenApiDocument): Surface {
  const operations: Surface['operations'] = {}
  for (const [path, item] of Object.entries(document.paths)) {
    for (const [method, operation] of Object.entries(item) as [string, OperationObject][]) {
      operations[`${method.toUpperCase()} ${path}`] = describeOperation(document, operation)
    }
  }
  const schemas = mapValues(document.components.schemas as JsonSchema, prune)
  return JSON.parse(JSON.stringify({ operations, schemas })) as Surface
}

function describeOperation(document: OpenApiDocument, operation: OperationObject): SurfaceOperation {
  const parameters = (operation.parameters ?? []).map((parameter) =>
    '$ref' in parameter ? document.components.parameters[parameter.$ref.split('/').at(-1)!]! : parameter,
  )
  const { kind, codes } = operation['x-access']!
  const [bodySchema] = Object.values(operation.requestBody?.content ?? {}).map(({ schema }) => schema)
  const answers = Object.entries(operation.responses)
    .filter(([status]) => Number(status) < 400)
    .flatMap(([status, response]) =>
      Object.entries(('content' in response ? response.content : undefined) ?? { none: { schema: {} } }).map(
        ([type, { schema }]) => [`${status} ${type}`, prune(schema)] as const,
      ),
    )
  return {
    id: operation.operationId,
    access: kind === 'codes' ? codes.toSorted() : kind,
    inputs: Object.fromEntries(
      parameters.map(({ name, in: place, required, schema }) => [
        `${place} ${name}`,
        { required, schema: prune(schema) },
      ]),
    ),
    ...(bodySchema && { body: { required: operation.requestBody!.required, schema: prune(bodySchema) } }),
    answers: Object.fromEntries(answers),
  }
}

/** What of `now` breaks a caller who was made for `before`; none when everything is as it was or was added. */
export function findBreaks(before: Surface, now: Surface): string[] {
  const breaks: string[] = []
  for (const [key, old] of Object.entries(before.operations)) {
    const operation = now.operations[key]
    if (!operation) breaks.push(`${key} is gone`)
    else new Comparison(before, now, breaks).compareOperation(key, old, operation)
  }
  return [...new Set(breaks)]
}

type Direction = 'request' | 'answer'
interface Place {
  direction: Direction
  at: string
}
const upperLimits = ['maximum', 'maxLength', 'maxItems']
const lowerLimits = ['minimum', 'minLength', 'minItems']

class Comparison {
  readonly #before: Surface
  readonly #now: Surface
  readonly #breaks: string[]
  readonly #seen = new Set<string>()

  constructor(before: Surface, now: Surface, breaks: string[]) {
    this.#before = before
    this.#now = now
    this.#breaks = breaks
  }

  compareOperation(key: string, old: SurfaceOperation, now: SurfaceOperation): void {
    if (old.id !== now.id) this.#breaks.push(`${key}: operationId ${old.id} became ${now.id}`)
    if (isNarrowerAccess(old.access, now.access))
      this.#breaks.push(`${key}: access ${String(old.access)} became ${String(now.access)}`)
    for (const [name, input] of Object.entries(now.inputs)) {
      if (input.required && !old.inputs[name]?.required) this.#breaks.push(`${key}: ${name} became required`)
    }
    for (const [name, input] of Object.entries(old.inputs)) {
      const other = now.inputs[name]
      const place: Place = { direction: 'request', at: `${key}: ${name}` }
      if (!other) this.#breaks.push(`${place.at} is gone`)
      else this.#compare(input.schema, other.schema, place)
    }
    this.#compareBodies(key, old.body, now.body)
    for (const [type, schema] of Object.entries(old.answers)) {
      const other = now.answers[type]
      if (!other) this.#breaks.push(`${key}: answer ${type} is gone`)
      else this.#compare(schema, other, { direction: 'answer', at: `${key}: ${type}` })
    }
  }

  #compareBodies(key: string, old: SurfaceInput | undefined, now: SurfaceInput | undefined): void {
    if (now?.required && !old?.required) this.#breaks.push(`${key}: the body became required`)
    if (old && !now) this.#breaks.push(`${key}: the body is gone`)
    if (old && now) this.#compare(old.schema, now.schema, { direction: 'request', at: `${key}: body` })
  }

  #compare(old: JsonSchema, now: JsonSchema, place: Place): void {
    const pair = `${JSON.stringify(old)} ${JSON.stringify(now)} ${place.direction}`
    if ((old['$ref'] ?? now['$ref']) !== undefined) {
      if (this.#seen.has(pair)) return
      this.#seen.add(pair)
      return this.#compare(resolve(this.#before, old), resolve(this.#now, now), place)
    }
    this.#compareValues(old, now, place)
    this.#compareMembers(old, now, place)
    if (isSchema(old['items']))
      this.#compare(old['items'], (now['items'] ?? {}) as JsonSchema, { ...place, at: `${place.at}[]` })
    if (isSchema(old['additionalProperties']) && isSchema(now['additionalProperties']))
      this.#compare(old['additionalProperties'], now['additionalProperties'], {
        ...place,
        at: `${place.at}.*`,
      })
    for (const keyword of ['anyOf', 'oneOf', 'allOf']) this.#compareBranches(keyword, { old, now, place })
  }

  /** In a request a value that was right must stay so; in an answer none may come that could not come before. */
  #compareValues(old: JsonSchema, now: JsonSchema, { direction, at }: Place): void {
    const [narrower, wider] = direction === 'request' ? [now, old] : [old, now]
    const lost = listTypes(wider).filter((type) => !accepts(listTypes(narrower), type))
    const word = direction === 'request' ? 'no longer takes' : 'may now be'
    if (lost.length > 0) this.#breaks.push(`${at} ${word} ${lost.join(', ')}`)
    // An answer may bring values that were not known before: an enumeration grows.
    if (direction === 'answer') return
    for (const keyword of ['format', 'pattern']) {
      if (now[keyword] !== undefined && now[keyword] !== old[keyword])
        this.#breaks.push(`${at}: ${keyword} ${String(old[keyword])} became ${String(now[keyword])}`)
    }
    const gone = listValues(old)?.filter((value) => listValues(now)?.includes(value) === false) ?? []
    if (gone.length > 0 || (!listValues(old) && listValues(now)))
      this.#breaks.push(`${at} takes fewer values than before`)
    for (const limit of upperLimits)
      if (Number(now[limit] ?? Infinity) < Number(old[limit] ?? Infinity)) this.#tell(at, limit, { old, now })
    for (const limit of lowerLimits)
      if (Number(now[limit] ?? -Infinity) > Number(old[limit] ?? -Infinity))
        this.#tell(at, limit, { old, now })
  }

  #tell(at: string, keyword: string, { old, now }: { old: JsonSchema; now: JsonSchema }): void {
    this.#breaks.push(`${at}: ${keyword} ${String(old[keyword] ?? 'none')} became ${String(now[keyword])}`)
  }

  #compareMembers(old: JsonSchema, now: JsonSchema, { direction, at }: Place): void {
    const [before, after] = [getMembers(old), getMembers(now)]
    const [neededBefore, neededNow] = [listRequired(old), listRequired(now)]
    const becameStricter =
      direction === 'request'
        ? neededNow
            .filter((name) => !neededBefore.includes(name))
            .map((name) => `${at}.${name} became required`)
        : neededBefore
            .filter((name) => !neededNow.includes(name))
            .map((name) => `${at}.${name} may be missing`)
    this.#breaks.push(...becameStricter)
    if (direction === 'request' && now['additionalProperties'] === false && isOpen(old))
      this.#breaks.push(`${at} no longer takes further members`)
    for (const [name, schema] of Object.entries(before)) {
      const other = after[name]
      if (other) this.#compare(schema, other, { direction, at: `${at}.${name}` })
      else this.#breaks.push(`${at}.${name} is gone`)
    }
  }

  /** Branches are compared in order: an added one widens, which only an answer's callers would notice. */
  #compareBranches(
    keyword: string,
    { old, now, place }: { old: JsonSchema; now: JsonSchema; place: Place },
  ): void {
    const [before, after] = [listBranches(old, keyword), listBranches(now, keyword)]
    if (before.length === 0 && after.length === 0) return
    const fewer = keyword === 'allOf' ? after.length > before.length : after.length < before.length
    if (fewer && place.direction === 'request')
      this.#breaks.push(`${place.at}: ${keyword} takes less than before`)
    before.forEach((schema, index) => {
      if (after[index]) this.#compare(schema, after[index], { ...place, at: `${place.at}(${index + 1})` })
    })
  }
}

const isOpen = (schema: JsonSchema) => schema['additionalProperties'] !== false
const listBranches = (schema: JsonSchema, keyword: string) => (schema[keyword] ?? []) as JsonSchema[]
const getMembers = (schema: JsonSchema) => (schema['properties'] ?? {}) as Record<string, JsonSchema>
const listRequired = (schema: JsonSchema) => (schema['required'] ?? []) as string[]
const resolve = (surface: Surface, schema: JsonSchema): JsonSchema =>
  typeof schema['$ref'] === 'string' ? (surface.schemas[schema['$ref'].split('/').at(-1)!] ?? {}) : schema

const every = 'anything'
const listTypes = ({ type }: JsonSchema): string[] =>
  type === undefined ? [every] : ([type].flat() as string[])
const accepts = (types: string[], type: string) =>
  types.includes(type) || types.includes(every) || (type === 'integer' && types.includes('number'))
const listValues = (schema: JsonSchema): unknown[] | undefined =>
  schema['const'] === undefined ? (schema['enum'] as unknown[] | undefined) : [schema['const']]

function isNarrowerAccess(old: string | string[], now: string | string[]): boolean {
  if (old === 'public') return now !== 'public'
  if (old === 'session') return Array.isArray(now)
  return Array.isArray(now) && [old].flat().some((code) => !now.includes(code))
}

const formatLines = (record: object) =>
  Object.entries(record)
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, value]) => `    ${JSON.stringify(name)}: ${JSON.stringify(value)}`)
    .join(',\n')

/** One line for each operation and schema, so that a change of one is a change of one line. */
export function writeSurface({ operations, schemas }: Surface): string {
  return `{\n  "operations": {\n${formatLines(operations)}\n  },\n  "schemas": {\n${formatLines(schemas)}\n  }\n}\n`
}
