import { editDistance } from '../../../core/text/edit-distance.ts'
import { fieldMeta } from '../../../contract/metadata/fields.ts'

export type PropertyType = 'string' | 'int32' | 'number' | 'boolean' | 'date-time' | 'guid'

/**
 * A member of a list item that can be filtered and sorted. `column` is a trusted SQL expression such as `d.full_name`.
 */
export interface Property {
  name: string
  type: PropertyType
  nullable: boolean
  column: string
  /** Whether its index is in the order of texts: equality is then asked for in that collation, to use it. */
  hasOrderIndex?: boolean
  /** A calendar day, which is stored or sent as midnight UTC. */
  isDay?: boolean
  /** Where the column has no index of its own: how else its rows are found. */
  lookup?: Lookup
}

/** Finds the keys of rows that may have a value: all that have it, and perhaps others. */
export interface Lookup {
  /** The key's column, such as `d.id`. */
  key: string
  /** Selects the keys for an array of values, or for the beginnings of values. `values` is SQL with a cast. */
  select(values: string, match: 'whole' | 'beginning'): string
  /** A shorter beginning matches so many rows that reading all of them is cheaper. */
  shortestBeginning?: number
}

/** Keyed by the member name in lower case, because names are case-insensitive. */
export type Properties = ReadonlyMap<string, Property>

interface MemberSchema {
  type?: string | readonly string[]
  format?: string
}

/**
 * The filterable members of a list item: every scalar with a column that is not `unfilterable`.
 *
 * @param schema an object schema with members of the dictionary.
 * @param columns the SQL expression of each member, by name.
 * @param orderIndexed the texts whose only index is in the order of texts.
 */
export function filterableProperties(
  schema: object,
  columns: Record<string, string>,
  orderIndexed: readonly string[] = [],
): Properties {
  const members = (schema as { properties?: Record<string, MemberSchema> }).properties ?? {}
  const properties = new Map<string, Property>()
  for (const [name, member] of Object.entries(members)) {
    const type = scalarType(member)
    const column = Object.hasOwn(columns, name) ? columns[name] : undefined
    if (!type || column === undefined || fieldMeta(member).unfilterable) continue
    const key = name.toLowerCase()
    if (properties.has(key))
      throw new Error(`The members of a list need names that differ by more than case: ${name} does not.`)
    const nullable = schemaTypes(member).includes('null')
    const hasOrderIndex = orderIndexed.includes(name)
    const isDay = fieldMeta(member).kind === 'date'
    const marks = { ...(hasOrderIndex && { hasOrderIndex }), ...(isDay && { isDay }) }
    properties.set(key, { name, type, nullable, column, ...marks })
  }
  return properties
}

/** @param lookups by the member's name in lower case. */
export const withLookups = (properties: Properties, lookups: ReadonlyMap<string, Lookup>): Properties =>
  new Map(
    [...properties].map(([key, property]) => {
      const lookup = lookups.get(key)
      return [key, lookup ? { ...property, lookup } : property]
    }),
  )

const schemaTypes = (member: MemberSchema) => [member.type ?? []].flat()

function scalarType(member: MemberSchema): PropertyType | undefined {
  const [type, ...others] = schemaTypes(member).filter((name) => name !== 'null')
  if (others.length > 0) return undefined
  switch (type) {
    case 'string':
      if (member.format === 'uuid') return 'guid'
      return member.format === 'date-time' ? 'date-time' : 'string'
    case 'integer':
      return 'int32'
    case 'number':
    case 'boolean':
      return type
    default:
      return undefined
  }
}

/** The property's SQL, safe beside any operator. */
export const columnExpression = ({ column }: Property) => (/^[\w."]+$/.test(column) ? column : `(${column})`)

/** The hint for an unknown name: similar names, or all. */
export function suggestProperties(properties: Properties, name: string): string {
  const names = [...properties.values()].map((property) => property.name)
  const close = closeNames(name, names)
  return close.length > 0 ? `Did you mean ${close.join(', ')}` : `The properties are ${names.join(', ')}`
}

/** At most three of `names` that are a few letters away from `name` or share its beginning, closest first. */
export function closeNames(name: string, names: readonly string[]): string[] {
  // A longer word is not a misspelling, and comparing it takes time.
  if (name.length > 64) return []
  const wanted = name.toLowerCase()
  const allowed = Math.max(1, Math.floor(wanted.length / 3))
  return names
    .map((candidate) => ({ candidate, distance: editDistance(wanted, candidate.toLowerCase()) }))
    .filter(({ candidate, distance }) => distance <= allowed || sharesStart(wanted, candidate.toLowerCase()))
    .toSorted((a, b) => a.distance - b.distance)
    .slice(0, 3)
    .map(({ candidate }) => candidate)
}

const sharesStart = (a: string, b: string) =>
  Math.min(a.length, b.length) >= 3 && (a.startsWith(b) || b.startsWith(a))
