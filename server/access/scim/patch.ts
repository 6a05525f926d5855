/** Applies the operations of a PATCH to a document (RFC 7644 section 3.5.2), as Microsoft Entra and Okta send them. */
import { findTarget, type TargetPath } from './attribute-path.ts'
import {
  findContainer,
  flattenBody,
  matchesFilter,
  readSingle,
  readValue,
  type Document,
  type Element,
} from './documents.ts'
import type { Filter } from './filter-syntax.ts'
import { badRequest } from './scim-failure.ts'
import type { ResourceType } from './schemas.ts'

type Action = 'add' | 'remove' | 'replace'
export interface PatchOperation {
  action: Action
  path: string | null
  value: unknown
}

const patchSchema = 'urn:ietf:params:scim:api:messages:2.0:PatchOp'
const operationsMax = 100

/** Reads the body of a PATCH. Operators are taken in any letter case: Entra sends `Replace`. */
export function readPatch(body: unknown): PatchOperation[] {
  const { schemas, Operations: operations } = (body ?? {}) as { schemas?: unknown; Operations?: unknown }
  if (!Array.isArray(schemas) || !schemas.includes(patchSchema))
    throw badRequest('invalidSyntax', `schemas must have ${patchSchema}.`)
  if (!Array.isArray(operations) || operations.length === 0)
    throw badRequest('invalidSyntax', 'Operations must be an array with at least one operation.')
  if (operations.length > operationsMax)
    throw badRequest('invalidSyntax', `Operations has more than ${operationsMax}. Send several requests.`)
  return operations.map(readOperation)
}

function readOperation(given: unknown): PatchOperation {
  const { op, path, value } = (given ?? {}) as { op?: unknown; path?: unknown; value?: unknown }
  const action = typeof op === 'string' ? op.toLowerCase() : ''
  if (action !== 'add' && action !== 'remove' && action !== 'replace')
    throw badRequest('invalidSyntax', 'op must be add, remove or replace.')
  if (path !== undefined && path !== null && typeof path !== 'string')
    throw badRequest('invalidPath', 'path must be a text.')
  if (action === 'remove' && !path) throw badRequest('noTarget', 'A remove needs a path.')
  if (action !== 'remove' && value === undefined) throw badRequest('invalidValue', `${action} needs a value.`)
  return { action, path: path || null, value }
}

/** The changed document; the given one stays as it is. */
export function applyPatch(
  type: ResourceType,
  document: Document,
  operations: readonly PatchOperation[],
): Document {
  const changed = structuredClone(document)
  for (const { action, path, value } of operations) {
    if (path !== null) applyAt(type, changed, { action, path, value })
    else {
      if (typeof value !== 'object' || value === null || Array.isArray(value))
        throw badRequest('invalidValue', 'Without a path the value must be an object of attributes.')
      for (const [own, part] of flattenBody(type, value)) {
        const target = findTarget(type, own)
        // Okta repeats the id; what the service does not know is ignored, as in whole resources.
        if (target && target.attribute.mutability !== 'readOnly') change(changed, target, action, part)
      }
    }
  }
  return changed
}

function applyAt(
  type: ResourceType,
  document: Document,
  { action, path, value }: PatchOperation & { path: string },
): void {
  const target = findTarget(type, path)
  if (target === null) return
  if (target === undefined)
    throw badRequest('invalidPath', `${path.slice(0, 100)} is not an attribute of a ${type.name}.`)
  const { attribute, sub } = target
  if (attribute.mutability === 'readOnly' || sub?.mutability === 'readOnly')
    throw badRequest('mutability', `${path} is set by the service alone.`)
  if (target.filter && !attribute.multiValued)
    throw badRequest('invalidPath', `${attribute.name} has one value. Leave out the filter.`)
  change(document, target, action, value)
}

function change(document: Document, target: TargetPath, action: Action, value: unknown): void {
  const { attribute, filter, sub, schema } = target
  const container = findContainer(document, schema)
  const { name } = attribute
  if (attribute.multiValued) {
    const elements = (container[name] as Element[] | undefined) ?? []
    container[name] =
      filter || sub
        ? changeSelected(elements, target, action, value)
        : changeElements(elements, target, action, value)
  } else if (sub) {
    const complex = (container[name] ??= {}) as Element
    if (action === 'remove') delete complex[sub.name]
    else setOrUnset(complex, sub.name, readValue(sub, value, `${name}.${sub.name}`))
  } else if (action === 'remove') delete container[name]
  else {
    const read = readValue(attribute, value, name)
    if (attribute.type === 'complex' && read !== null)
      container[name] = { ...(container[name] as Element | undefined), ...(read as Element) }
    else setOrUnset(container, name, read)
  }
}

function setOrUnset(at: Record<string, unknown>, name: string, value: unknown): void {
  if (value === null) delete at[name]
  else at[name] = value
}

/** All values of an attribute. */
function changeElements(
  elements: Element[],
  { attribute }: TargetPath,
  action: Action,
  value: unknown,
): Element[] {
  const given = (readValue(attribute, value, attribute.name) ?? []) as Element[]
  if (action === 'replace') return given
  // Entra and older clients name the values to remove in the body.
  if (action === 'remove')
    return given.length === 0
      ? []
      : elements.filter(({ value: own }) => !given.some((one) => isSameText(one['value'], own)))
  const others = elements.filter(({ value: own }) => !given.some((one) => isSameText(one['value'], own)))
  const isPrimary = given.some((one) => one['primary'] === true)
  return [...others.map((one) => (isPrimary ? { ...one, primary: false } : one)), ...given]
}

const isSameText = (one: unknown, other: unknown) =>
  typeof one === 'string' && typeof other === 'string' && one.toLowerCase() === other.toLowerCase()

/** The values that a filter selects; all of them without one. */
function changeSelected(elements: Element[], target: TargetPath, action: Action, value: unknown): Element[] {
  const { attribute, filter, sub } = target
  const isSelected = (one: Element) => filter === undefined || matchesFilter(attribute, one, filter)
  if (action === 'remove') {
    if (!sub) return elements.filter((one) => !isSelected(one))
    return elements.map((one) => (isSelected(one) ? { ...one, [sub.name]: undefined } : one))
  }
  const part: Element = sub
    ? { [sub.name]: readSingle(sub, value ?? '', `${attribute.name}.${sub.name}`) }
    : (readSingle(attribute, value, attribute.name) as Element)
  if (elements.some(isSelected)) return elements.map((one) => (isSelected(one) ? { ...one, ...part } : one))
  // Entra names a value that does not exist yet: it becomes one, with what the filter says of it.
  const made = filter && describeValue(filter)
  if (made) return [...elements, { ...(readSingle(attribute, made, attribute.name) as Element), ...part }]
  throw badRequest('noTarget', `No value of ${attribute.name} matches the filter of the path.`)
}

/** What a filter of equalities says of a value; undefined for another filter. */
function describeValue(filter: Filter): Element | undefined {
  if (filter.kind === 'compare' && filter.comparison === 'eq') return { [filter.path]: filter.value }
  if (filter.kind !== 'and') return undefined
  const parts = filter.parts.map(describeValue)
  return parts.includes(undefined) ? undefined : (Object.assign({}, ...parts) as Element)
}
