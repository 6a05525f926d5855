import type { JsonSchema, OpenApiDocument, ParameterObject } from './openapi-document.ts'
import { SchemaCollection } from './openapi-schemas.ts'

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
  for (const [entity, path] of Object.entries(listPaths)) {
    const codes = Object.keys(own.get(entity) ?? {})
    if (codes.length === 0) continue
    const parameters = (copy.paths[path]?.get?.parameters ?? []) as ParameterObject[]
    const filter = parameters.find(({ name }) => name === '$filter')
    if (filter) filter.description += ` Custom fields: ${codes.map((code) => `\`${code}\``).join(', ')}.`
  }
  return copy
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
