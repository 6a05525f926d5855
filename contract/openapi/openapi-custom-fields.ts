import { operationsOfForms } from '../metadata/form-operations.ts'
import type { Operation } from '../platform/operation.ts'
import type { JsonSchema, OpenApiDocument, ParameterObject, PathItem } from './openapi-document.ts'
import { SchemaCollection, type Direction } from './openapi-schemas.ts'

/** Entity to field code to schema: the custom fields of an installation. */
export type CustomFieldSchemas = ReadonlyMap<string, Readonly<Record<string, object>>>

/** The lists whose `$filter` and `$orderby` accept custom fields of an entity. */
const listPaths: Record<string, string> = {
  debtor: '/debtors',
  address: '/debtors/{debtorGuid}/addresses',
  user: '/users',
  client: '/clients',
  thirdparty: '/thirdparties',
  account: '/accounts',
  customer: '/customers',
  purchase: '/purchases',
  object: '/objects',
}

/** Adds the installation's custom fields to the document: in form values and in the members of `$filter`. Pure. */
export function withCustomFields(document: OpenApiDocument, own: CustomFieldSchemas): OpenApiDocument {
  if (own.size === 0) return document
  const copy = structuredClone(document)
  const schemas = copy.components.schemas as Record<string, JsonSchema>
  for (const [name, direction] of [
    ['FormInput', 'request'],
    ['FormValues', 'response'],
  ] as const) {
    schemas[name] = { ...schemas[name], properties: customProperties(own, direction) }
  }
  for (const { form, operations } of operationsOfForms) addToForm(copy, operations, own.get(form.entity))
  for (const [entity, path] of Object.entries(listPaths)) {
    const codes = Object.keys(own.get(entity) ?? {})
    if (codes.length === 0) continue
    const parameters = (copy.paths[path]?.get?.parameters ?? []) as ParameterObject[]
    const filter = parameters.find(({ name }) => name === '$filter')
    if (filter) filter.description += ` Custom fields: ${codes.map((code) => `\`${code}\``).join(', ')}.`
  }
  return copy
}

/** Adds an entity's custom fields to the body and the answers of the operations of its form. */
function addToForm(
  { components, paths }: OpenApiDocument,
  operations: readonly Operation[],
  fields: Readonly<Record<string, object>> = {},
): void {
  const added = (direction: Direction) =>
    Object.fromEntries(
      Object.entries(fields).map(([code, schema]) => [
        code,
        new SchemaCollection().include(schema, direction),
      ]),
    )
  for (const { path, method } of operations) {
    const operation = paths[path]?.[method.toLowerCase() as keyof PathItem]
    const bodies = Object.values(operation?.requestBody?.content ?? {})
    const answers = Object.entries(operation?.responses ?? {}).flatMap(([status, answer]) =>
      Number(status) < 400 && 'content' in answer ? Object.values(answer.content ?? {}) : [],
    )
    for (const [media, direction] of [
      [bodies, 'request'],
      [answers, 'response'],
    ] as const) {
      for (const { schema } of media) {
        const name = String(schema.$ref).split('/').at(-1)!
        const named = components.schemas[name]
        if (!named || name === 'Problem') continue
        components.schemas[name] = {
          ...named,
          properties: { ...(named.properties as object), ...added(direction) },
        }
      }
    }
  }
}

/** A code with different meanings in two entities is only described in words. */
function customProperties(
  own: CustomFieldSchemas,
  direction: 'request' | 'response',
): Record<string, JsonSchema> {
  const properties: Record<string, JsonSchema> = {}
  for (const [entity, fields] of own) {
    for (const [code, schema] of Object.entries(fields)) {
      const described = new SchemaCollection().include(schema, direction)
      const description = `A custom field of ${entity}.`
      const known = properties[code]
      if (!known) properties[code] = { ...described, description }
      else {
        const both = `${String(known.description)} ${description}`
        const { description: _, ...rest } = known
        const same = JSON.stringify(rest) === JSON.stringify(described)
        properties[code] = same ? { ...rest, description: both } : { description: both }
      }
    }
  }
  return properties
}
