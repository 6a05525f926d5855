import { Value } from 'typebox/value'
import { fieldMeta } from '../metadata/fields.ts'
import type { JsonSchema } from './openapi-document.ts'
import { exampleValues, lookupExamples, otherGuid } from './openapi-example-values.data.ts'

interface ValueContext {
  /** The nearest named schema around the value; for a path parameter, the segment before it. */
  owner?: string
  /** The member with the value. */
  name?: string
}

/**
 * A value that is valid against the schema, the same every time: from the tables where their entry is valid, otherwise the
 * simplest value. Patterns are not solved: a member with a narrow pattern needs an entry in the table.
 */
export function createExample(source: object, place: ValueContext = {}): unknown {
  const schema = source as JsonSchema
  const { name = '' } = place
  const known = findValue(schema, place)
  if (known !== undefined) return known
  if (schema.const !== undefined) return schema.const
  if (Array.isArray(schema.enum)) return schema.enum[0]
  const [branch] = schemaBranches(schema)
  if (branch !== undefined) return createExample(branch, place)
  const owner = typeof schema.$id === 'string' ? schema.$id : place.owner
  switch (schemaTypes(schema).find((type) => type !== 'null')) {
    case 'object':
      return exampleObject(schema, owner)
    case 'array':
      return isObject(schema.items) ? [createExample(schema.items, { owner, name })] : []
    case 'string':
      return exampleText(schema, place)
    case 'integer':
    case 'number':
      return Math.min(Math.max(1, Number(schema.minimum ?? 1)), Number(schema.maximum ?? Infinity))
    case 'boolean':
      return false
    default:
      return null
  }
}

/** The member of an object whose members have no names of their own. */
const freeMember = 'email'

function exampleObject(schema: JsonSchema, owner: string | undefined): unknown {
  const members = Object.entries((schema.properties ?? {}) as Record<string, object>)
  const known = members.map(([name, member]) => [name, createExample(member, { owner, name })])
  const [free] = [schema.additionalProperties, ...Object.values(schema.patternProperties ?? {})].filter(
    isObject,
  )
  if (!free || known.length > 0) return Object.fromEntries(known)
  return { [freeMember]: createExample(free, { owner, name: freeMember }) }
}

const formattedText: Record<string, string> = {
  'date-time': '2026-03-02T00:00:00Z',
  date: '2026-03-02',
  uuid: otherGuid,
  email: 'name@example.com',
  uri: 'https://example.com/',
}

/** The value of the tables. A name may have another meaning in another schema, so each entry is checked. */
function findValue(schema: JsonSchema, { owner, name = '' }: ValueContext): unknown {
  const lookup = schema['x-lookup'] ?? fieldMeta(schema).lookup
  const entries = [
    exampleValues[`${owner}.${name}`],
    typeof lookup === 'string' ? lookupExamples[lookup] : undefined,
    exampleValues[name],
  ]
  const fitting = entries.find((value) => value !== undefined && Value.Check(schema, value))
  // A form sends a text that is not set as the empty string.
  return fitting ?? (exampleValues[name] === null && Value.Check(schema, '') ? '' : fitting)
}

function exampleText(schema: JsonSchema, { name = '' }: ValueContext): string | null {
  const { format, pattern, minLength, maxLength } = schema
  if (typeof format === 'string' && formattedText[format] !== undefined) return formattedText[format]
  if (/guid$/i.test(name) && Value.Check(schema, otherGuid)) return otherGuid
  if (schemaTypes(schema).includes('null')) return null
  const day = formattedText['date']!
  if (pattern !== undefined && !Value.Check(schema, name) && Value.Check(schema, day)) return day
  return (name || 'text').padEnd(Number(minLength ?? 0), '.').slice(0, Number(maxLength ?? Infinity))
}

const isObject = (value: unknown): value is object =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
const schemaTypes = ({ type }: JsonSchema): unknown[] => (Array.isArray(type) ? type : [type])
const schemaBranches = ({ anyOf, oneOf }: JsonSchema): JsonSchema[] =>
  [anyOf, oneOf].flatMap((branches) => (Array.isArray(branches) ? branches : []))
