/** The service document and `$metadata` (CSDL 4.0 in XML). */
import type { Property, PropertyType } from '../../platform/odata/properties.ts'
import type { EntitySet } from './entity-sets.ts'

const edmTypes: Record<PropertyType, string> = {
  string: 'Edm.String',
  int32: 'Edm.Int32',
  number: 'Edm.Decimal',
  boolean: 'Edm.Boolean',
  'date-time': 'Edm.DateTimeOffset',
  guid: 'Edm.Guid',
}

const edmType = ({ type, isDay }: Property) => (isDay ? 'Edm.Date' : edmTypes[type])

/** Facets without which the type would mean something else: whole numbers, and whole seconds. */
const facets: Partial<Record<string, string>> = {
  'Edm.Decimal': ' Scale="variable"',
  'Edm.DateTimeOffset': ' Precision="6"',
}

const escapeXml = (text: string) =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;')

function writeProperty(property: Property, isKey: boolean): string {
  const type = edmType(property)
  const nullable = property.nullable && !isKey ? '' : ' Nullable="false"'
  return `<Property Name="${escapeXml(property.name)}" Type="${type}"${nullable}${facets[type] ?? ''}/>`
}

const writeType = ({ type, key, properties }: EntitySet) => `<EntityType Name="${type}">
<Key><PropertyRef Name="${key.name}"/></Key>
${[...properties.values()].map((property) => writeProperty(property, property === key)).join('\n')}
</EntityType>`

export const namespace = 'Fordra'

export const writeMetadata = (sets: readonly EntitySet[]): string => `<?xml version="1.0" encoding="utf-8"?>
<edmx:Edmx xmlns:edmx="http://docs.oasis-open.org/odata/ns/edmx" Version="4.0">
<edmx:DataServices>
<Schema xmlns="http://docs.oasis-open.org/odata/ns/edm" Namespace="${namespace}">
${sets.map(writeType).join('\n')}
<EntityContainer Name="Container">
${sets.map(({ set, type }) => `<EntitySet Name="${set}" EntityType="${namespace}.${type}"/>`).join('\n')}
</EntityContainer>
</Schema>
</edmx:DataServices>
</edmx:Edmx>
`

export const writeServiceDocument = (
  root: string,
  sets: readonly EntitySet[],
  withContext: boolean,
): object => ({
  ...(withContext && { '@odata.context': `${root}/$metadata` }),
  value: sets.map(({ set }) => ({ name: set, kind: 'EntitySet', url: set })),
})

/** A row as an entity: the given members, days as dates. */
export function toEntity(row: Record<string, unknown>, members: Iterable<Property>): Record<string, unknown> {
  const entity: Record<string, unknown> = {}
  for (const { name, isDay } of members) {
    const value = row[name] ?? null
    entity[name] = isDay && typeof value === 'string' ? value.slice(0, 10) : value
  }
  return entity
}
