/** Finds attributes by the paths of filters and changes. Names match in any letter case (RFC 7643 section 2.1). */
import { parseFilter, type Filter } from './filter-syntax.ts'
import { commonAttributes, ignoredAttributes, type Attribute, type ResourceType } from './schemas.ts'

export interface AttributePath {
  /** The extension that has the attribute; null for the resource's own. */
  schema: string | null
  attribute: Attribute
  sub?: Attribute
}

const isNamed = (name: string) => (one: Attribute) => one.name.toLowerCase() === name.toLowerCase()

/** An attribute by its name; `null` for one that is ignored, `undefined` for an unknown one. */
export function findAttribute(type: ResourceType, path: string): AttributePath | null | undefined {
  const { schema, rest } = splitSchema(type, path)
  const [name = '', subName, ...more] = rest.split('.')
  if (more.length > 0) return undefined
  if (schema === undefined || ignoredAttributes.has(name.toLowerCase()))
    return schema === undefined && !/^urn:/i.test(path) ? undefined : null
  const own = schema === null ? [...commonAttributes, ...type.schema.attributes] : extension(type, schema)
  const attribute = own.find(isNamed(name))
  if (!attribute) return undefined
  if (subName === undefined) return { schema, attribute }
  const sub = attribute.subAttributes?.find(isNamed(subName))
  return sub && { schema, attribute, sub }
}

const extension = (type: ResourceType, id: string) =>
  type.extensions.find((one) => one.id === id)?.attributes ?? []

/** `schema` is undefined for a schema that the resource does not have. */
function splitSchema(type: ResourceType, path: string): { schema: string | null | undefined; rest: string } {
  if (!/^urn:/i.test(path)) return { schema: null, rest: path }
  const own = [type.schema, ...type.extensions].find(({ id }) =>
    path.toLowerCase().startsWith(`${id.toLowerCase()}:`),
  )
  if (!own) return { schema: undefined, rest: path }
  return { schema: own === type.schema ? null : own.id, rest: path.slice(own.id.length + 1) }
}

export interface TargetPath extends AttributePath {
  /** Which values of the attribute. */
  filter?: Filter
}

/** The target of a change: `emails[type eq "work"].value`. As `findAttribute`. */
export function findTarget(type: ResourceType, path: string): TargetPath | null | undefined {
  const open = path.indexOf('[')
  if (open < 0) return findAttribute(type, path)
  const close = path.lastIndexOf(']')
  const after = path.slice(close + 1)
  if (close < open || !/^(\.[\w$]+)?$/.test(after)) return undefined
  const found = findAttribute(type, path.slice(0, open) + after)
  return found && { ...found, filter: parseFilter(path.slice(open + 1, close)) }
}
