/** Schemas of the document as TypeScript types. */
import type { JsonSchema } from '../../contract/openapi/openapi-document.ts'

const literal = (value: unknown): string => JSON.stringify(value)
const identifier = /^[A-Za-z_$][\w$]*$/
const memberName = (name: string): string => (identifier.test(name) ? name : literal(name))

const simple: Record<string, string> = {
  string: 'string',
  integer: 'number',
  number: 'number',
  boolean: 'boolean',
  null: 'null',
  object: 'Record<string, unknown>',
}

const union = (types: readonly string[]): string => {
  const distinct = [...new Set(types)]
  return distinct.includes('unknown') ? 'unknown' : distinct.join(' | ')
}

const isSchema = (value: unknown): value is JsonSchema => typeof value === 'object' && value !== null

/** The type of a schema. Named ones are interfaces of the same file. */
export function typescriptType(schema: JsonSchema): string {
  const { $ref, type, items, properties } = schema
  if (typeof $ref === 'string') return $ref.split('/').at(-1)!
  if (schema.const !== undefined) return literal(schema.const)
  if (Array.isArray(schema.enum)) return union(schema.enum.map(literal))
  // Later versions may have more values.
  const known = schema['x-extensible-enum']
  if (Array.isArray(known)) return `${union(known.map(literal))} | (string & Record<never, never>)`
  const branches = (schema.anyOf ?? schema.oneOf) as JsonSchema[] | undefined
  if (branches) return union(branches.map(typescriptType))
  if (Array.isArray(type)) return union(type.map((one: string) => typescriptType({ ...schema, type: one })))
  if (type === 'array') return arrayType(schema, isSchema(items) ? typescriptType(items) : 'unknown')
  if (type === 'object' && isSchema(properties)) return objectType(schema)
  if (type === 'object' && isSchema(schema.additionalProperties))
    return `Record<string, ${typescriptType(schema.additionalProperties)}>`
  return simple[String(type)] ?? 'unknown'
}

/** A list of a fixed length is a tuple. */
const arrayType = ({ minItems, maxItems }: JsonSchema, item: string): string =>
  typeof minItems === 'number' && minItems > 0 && minItems === maxItems
    ? `[${Array.from({ length: minItems }, () => item).join(', ')}]`
    : `(${item})[]`

function objectType(schema: JsonSchema): string {
  const required = (schema.required ?? []) as string[]
  const members = Object.entries(schema.properties as Record<string, JsonSchema>).map(([name, member]) =>
    declareMember(name, member, required.includes(name)),
  )
  const known = members.length === 0 ? 'object' : `{\n${members.join('\n')}\n}`
  const { additionalProperties: more } = schema
  if (more === true) return `${known} & Record<string, unknown>`
  // Custom fields of the installation.
  return isSchema(more) ? `${known} & Record<string, ${typescriptType(more)}>` : known
}

export const declareMember = (name: string, schema: JsonSchema, isRequired: boolean): string =>
  `${comment(schema.title ?? schema.description)}${memberName(name)}${isRequired ? '' : '?'}: ${typescriptType(schema)}`

/** A comment before a declaration; nothing without a text. */
export const comment = (text: unknown): string =>
  typeof text === 'string' && text !== '' ? `/** ${text.replaceAll('*/', '* /')} */\n` : ''

/** A named schema as an exported type. */
export const declareType = (name: string, schema: JsonSchema): string =>
  `${comment(schema.description)}export type ${name} = ${typescriptType(schema)}\n`
