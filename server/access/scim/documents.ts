/** Resources as documents: reading what a directory sends, and matching values against filters. */
import { findAttribute } from './attribute-path.ts'
import { badFilter, type Comparison, type Filter } from './filter-syntax.ts'
import { badRequest } from './scim-failure.ts'
import type { Attribute, ResourceType } from './schemas.ts'

/** Attributes by their exact names; those of an extension are in an object named by its schema. */
export type Document = Record<string, unknown>
export type Element = Record<string, unknown>

/** At most so many values of one attribute are taken, such as members of a group in one request. */
export const valuesMax = 1_000
const textMax = 1_000

/** Reads a value for an attribute; null for none. Unknown parts of it are ignored. */
export function readValue(attribute: Attribute, value: unknown, path: string): unknown {
  if (value === null || value === undefined) return null
  if (!attribute.multiValued) return readSingle(attribute, value, path)
  const values = Array.isArray(value) ? value : [value]
  if (values.length > valuesMax)
    throw badRequest(
      'invalidValue',
      `${path} has more than ${valuesMax} values. Send them in several requests.`,
    )
  return values.map((one) => readSingle(attribute, one, path))
}

export function readSingle(attribute: Attribute, value: unknown, path: string): unknown {
  if (attribute.type === 'complex') return readComplex(attribute, value, path)
  if (attribute.type === 'boolean') return readFlag(value, path)
  if (typeof value === 'number') return String(value)
  if (typeof value !== 'string') throw badRequest('invalidValue', `${path} must be a text.`)
  if (value.length > textMax) throw badRequest('invalidValue', `${path} has more than ${textMax} characters.`)
  return value
}

/** Microsoft Entra sends "True" and "False". */
function readFlag(value: unknown, path: string): boolean {
  if (typeof value === 'boolean') return value
  const text = typeof value === 'string' ? value.toLowerCase() : ''
  if (text !== 'true' && text !== 'false') throw badRequest('invalidValue', `${path} must be true or false.`)
  return text === 'true'
}

function readComplex(attribute: Attribute, value: unknown, path: string): Element {
  // A value of its own stands for the member `value`.
  const given = typeof value === 'string' && attribute.multiValued ? { value } : value
  if (typeof given !== 'object' || given === null || Array.isArray(given))
    throw badRequest('invalidValue', `${path} must be an object.`)
  const element: Element = {}
  for (const [name, part] of Object.entries(given)) {
    const sub = attribute.subAttributes?.find((one) => one.name.toLowerCase() === name.toLowerCase())
    if (sub && part !== null && part !== undefined)
      element[sub.name] = readSingle(sub, part, `${path}.${sub.name}`)
  }
  return element
}

/** The container of an attribute: the document itself, or the object of an extension. */
export function findContainer(document: Document, schema: string | null): Document {
  if (schema === null) return document
  return (document[schema] ??= {}) as Document
}

/**
 * Reads a whole resource. What the service alone sets, and what it does not know, is ignored (RFC 7644 sections 3.3 and
 * 3.5.1).
 */
export function readDocument(type: ResourceType, body: unknown): Document {
  if (typeof body !== 'object' || body === null || Array.isArray(body))
    throw badRequest('invalidSyntax', 'Send the resource as a JSON object.')
  const document: Document = {}
  for (const [path, value] of flattenBody(type, body)) {
    const found = findAttribute(type, path)
    if (!found || found.sub || found.attribute.mutability === 'readOnly') continue
    const read = readValue(found.attribute, value, found.attribute.name)
    if (read !== null) findContainer(document, found.schema)[found.attribute.name] = read
  }
  return document
}

/** Members with their paths; those of an extension have its schema before their name. */
export function flattenBody(type: ResourceType, body: object): [path: string, value: unknown][] {
  return Object.entries(body).flatMap(([name, value]): [string, unknown][] => {
    const schema = [type.schema, ...type.extensions].find(({ id }) => id.toLowerCase() === name.toLowerCase())
    if (!schema || typeof value !== 'object' || value === null) return [[name, value]]
    return Object.entries(value).map(([own, part]) => [`${schema.id}:${own}`, part])
  })
}

/** Whether a value of a multi-valued attribute matches a filter. */
export function matchesFilter(attribute: Attribute, element: Element, filter: Filter): boolean {
  switch (filter.kind) {
    case 'and':
      return filter.parts.every((part) => matchesFilter(attribute, element, part))
    case 'or':
      return filter.parts.some((part) => matchesFilter(attribute, element, part))
    case 'not':
      return !matchesFilter(attribute, element, filter.part)
    case 'within':
      throw badFilter('[ ] cannot stand within [ ].')
    default: {
      const sub = attribute.subAttributes?.find(
        ({ name }) => name.toLowerCase() === filter.path.toLowerCase(),
      )
      if (!sub) throw badFilter(`${attribute.name} has no ${filter.path}.`)
      const value = element[sub.name]
      if (filter.kind === 'present') return value !== undefined && value !== ''
      const expected =
        sub.type === 'boolean' && typeof filter.value === 'string'
          ? readFlag(filter.value, sub.name)
          : filter.value
      return compare(value ?? null, expected, filter.comparison)
    }
  }
}

function compare(value: unknown, expected: unknown, comparison: Comparison): boolean {
  const [one, other] = [value, expected].map((side) =>
    typeof side === 'string' ? side.toLowerCase() : side,
  ) as [unknown, unknown]
  if (comparison === 'eq') return one === other
  if (comparison === 'ne') return one !== other
  if (typeof one !== 'string' || typeof other !== 'string') return false
  if (comparison === 'co') return one.includes(other)
  if (comparison === 'sw') return one.startsWith(other)
  if (comparison === 'ew') return one.endsWith(other)
  throw badFilter(`${comparison} compares moments only.`)
}
