import type { Demands, FieldMeta } from '../metadata/fields.ts'
import type { JsonSchema } from './openapi-document.ts'

/** A member may differ between request and response: a date-time in a request may also be a plain date. */
export type Direction = 'request' | 'response'

const offsetTime = String.raw`[Tt]\d{2}:\d{2}:\d{2}(\.\d+)?([Zz]|[+\-]\d{2}:\d{2})`
const dateOrDateTime = String.raw`\d{4}-\d{2}-\d{2}(${offsetTime})?`
const dateTimeHelp =
  'RFC 3339 with any offset (`2026-03-01T10:15:00+01:00`), or a plain date (`2026-03-01`), which means midnight UTC.'

const dayHelp = 'A day, such as `2026-06-30`. Of a date-time its date counts as written, whatever the offset.'

/** Collects the named schemas of a document. */
export class SchemaCollection {
  readonly schemas: Record<string, JsonSchema> = {}
  readonly #sources = new Map<string, string>()

  /**
   * The schema for the document. A schema with an `$id` becomes a reference to `components.schemas`. Throws when two
   * different schemas have the same `$id`.
   */
  include(source: object, direction: Direction): JsonSchema {
    const schema = { ...source } as JsonSchema
    const id = schema.$id
    if (typeof id !== 'string') return this.#convert(schema, direction)
    delete schema.$id
    const converted = this.#convert(schema, direction)
    const text = JSON.stringify(converted)
    const known = this.#sources.get(id)
    if (known !== undefined && known !== text) {
      throw new Error(`Two different schemas are named ${id}: give one of them another $id.`)
    }
    this.#sources.set(id, text)
    this.schemas[id] = converted
    return { $ref: `#/components/schemas/${id}` }
  }

  #convert(source: JsonSchema, direction: Direction): JsonSchema {
    if (source.$ref !== undefined) throw new Error('A schema may not use $ref: name the target with $id.')
    const { 'x-field': meta, 'x-demands': demands, ...schema } = source
    const include = (child: unknown) =>
      isSchema(child) && !Array.isArray(child) ? this.include(child, direction) : child
    const includeEach = (children: unknown) =>
      Object.fromEntries(Object.entries(children as object).map(([name, child]) => [name, include(child)]))
    for (const keyword of ['properties', 'patternProperties']) {
      if (schema[keyword] !== undefined) schema[keyword] = includeEach(schema[keyword])
    }
    for (const keyword of ['items', 'additionalProperties', 'not', 'contains', 'propertyNames']) {
      if (schema[keyword] !== undefined) schema[keyword] = include(schema[keyword])
    }
    for (const keyword of ['anyOf', 'oneOf', 'allOf', 'prefixItems']) {
      if (Array.isArray(schema[keyword])) schema[keyword] = schema[keyword].map(include)
    }
    if (demands !== undefined) Object.assign(schema, addDemands(schema, demands as Demands))
    const simple = splitNullable(simplifyRecord(simplifyUnion(schema)))
    const isDay = (meta as FieldMeta | undefined)?.kind === 'date'
    const dated =
      direction === 'request' ? loosenDateTime(simple, isDay) : isDay ? describeDay(simple) : simple
    return { ...dated, ...documentExtensions(meta) }
  }
}

const isSchema = (value: unknown): value is object => typeof value === 'object' && value !== null

/** The schema with what the rules behind it demand too. */
function addDemands(schema: JsonSchema, { required = [], members = {} }: Demands): JsonSchema {
  const properties = { ...(schema.properties as Record<string, JsonSchema>) }
  for (const name of required) properties[name] = withoutNull(properties[name]!)
  for (const [name, keywords] of Object.entries(members))
    properties[name] = { ...properties[name], ...keywords }
  const known = (schema.required ?? []) as string[]
  return { properties, required: [...new Set([...known, ...required])] }
}

/** Of a nullable member, which has null among its types or as a branch of its own. */
function withoutNull({ anyOf, type, ...rest }: JsonSchema): JsonSchema {
  if (Array.isArray(anyOf)) {
    const [only, ...others] = anyOf.filter((branch: JsonSchema) => branch.type !== 'null') as JsonSchema[]
    return others.length === 0 ? { ...rest, ...only } : { ...rest, anyOf: [only, ...others] }
  }
  const types = [type].flat().filter((one) => one !== 'null')
  return { ...rest, type: types.length === 1 ? types[0] : types }
}

/** Code generators support `additionalProperties` for maps, but ignore `patternProperties`. */
function simplifyRecord(schema: JsonSchema): JsonSchema {
  const { patternProperties, ...rest } = schema
  if (!isSchema(patternProperties)) return schema
  const [[pattern, values] = [], ...others] = Object.entries(patternProperties)
  return pattern === '^.*$' && others.length === 0 ? { ...rest, additionalProperties: values } : schema
}

/** Writes `anyOf` of plain types as a list of types, which every generator reads as a nullable member. */
function simplifyUnion(schema: JsonSchema): JsonSchema {
  const { anyOf, ...rest } = schema
  if (!Array.isArray(anyOf)) return schema
  const types = anyOf.map((branch: JsonSchema) =>
    Object.keys(branch).length === 1 ? branch.type : undefined,
  )
  if (!types.every((type) => typeof type === 'string')) return schema
  const distinct = [...new Set(types)]
  return { type: distinct.length === 1 ? distinct[0] : distinct, ...rest }
}

/** Generators make a type of an `enum` only when null is not one of its values: it becomes a branch of its own. */
function splitNullable(schema: JsonSchema): JsonSchema {
  const { enum: values, type, title, description, ...rest } = schema
  if (!Array.isArray(values) || !values.includes(null)) return schema
  const types = [type].flat().filter((one) => one !== 'null')
  const named = {
    type: types.length === 1 ? types[0] : types,
    enum: values.filter((value) => value !== null),
    ...rest,
  }
  return {
    ...(title !== undefined && { title }),
    ...(description !== undefined && { description }),
    anyOf: [named, { type: 'null' }],
  }
}

const describe = (schema: JsonSchema, text: string): JsonSchema => ({
  ...schema,
  description: schema.description === undefined ? text : `${String(schema.description)} ${text}`,
})

const describeDay = (schema: JsonSchema) => describe(schema, 'A day, sent as midnight UTC.')

/** In a request the empty string clears a nullable member. */
function loosenDateTime(schema: JsonSchema, isDay: boolean): JsonSchema {
  if (schema.format !== 'date-time') return schema
  const { format: _format, ...rest } = schema
  const nullable = Array.isArray(schema.type) && schema.type.includes('null')
  const help = isDay ? dayHelp : dateTimeHelp
  const pattern = nullable ? `^(${dateOrDateTime})?$` : `^${dateOrDateTime}$`
  return describe({ ...rest, pattern }, nullable ? `${help} In an update the empty string clears it.` : help)
}

/** The parts of `x-field` that help readers of the document. */
function documentExtensions(meta: unknown): JsonSchema {
  const { lookup, personalData, kind } = (meta ?? {}) as FieldMeta
  return {
    ...(kind === 'date' && { 'x-day': true }),
    ...(lookup !== undefined && { 'x-lookup': lookup }),
    ...(personalData !== undefined && { 'x-personal-data': personalData }),
  }
}
