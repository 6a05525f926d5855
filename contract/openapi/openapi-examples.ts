import { Value } from 'typebox/value'
import { createDebtor } from '../parties/debtors.ts'
import type { JsonSchema } from './openapi-document.ts'

const debtorGuid = '0198f2c4-7c1e-7a3b-9d52-3f60c1a2b4e1'
const addressGuid = '0198f2c4-7c2a-7e10-8b17-5a0d9c4e77f2'
const otherGuid = '0198f2c4-7c35-7d44-a6c9-1e2f3a4b5c6d'

/** The request id in every example. */
export const exampleRequestId = '0198f2c5-01ab-7c22-b7e4-90d1f3a5c8e6'

/** An invented debtor and her records, by member name, or by owner and member name for names with several meanings. */
const values: Record<string, unknown> = {
  debtorGuid,
  addressGuid,
  debtorReference: '1000017',
  idNumber: createDebtor.example.body.idNumber,
  juridicalType: 0,
  placeOfBirth: 'Lund',
  dateOfBirth: '1990-01-01T00:00:00Z',
  gender: 2,
  cultureCode: 'sv-SE',
  fullName: 'Åsa Lindqvist',
  firstname: 'Åsa',
  middlename: null,
  lastname: 'Lindqvist',
  nameSuffix: null,
  street: 'Storgatan',
  houseNo: '12',
  houseNoExtension: null,
  city: 'Malmö',
  zipCode: '211 42',
  stateCode: null,
  countryCode: 'SE',
  fullAddress: 'Storgatan 12, 211 42 Malmö, Sverige',
  domicile: 'Malmö',
  municipalCode: '1280',
  vatNumber: null,
  naceCode: null,
  homePhone: null,
  workPhone: null,
  cellularPhone: '+46701740605',
  telefax: null,
  email: 'asa.lindqvist@example.com',
  languageCode: 'sv',
  currencyCode: 'SEK',
  underAged: false,
  preferredChannel: 'EMAIL',
  conversationNotificationChannel: 1,
  conversationNotificationEmail: 'asa.lindqvist@example.com',
  conversationNotificationCellularPhone: null,
  regDate: '2026-01-15T00:00:00Z',
  'Link.type': 'GET',
  'Link.name': 'addresses',
  'Link.href': `/api/v1/debtors/${debtorGuid}/addresses`,
  'Link.resource': 'addresses',
  'Link.guid': debtorGuid,
  addressType: 'LEGAL',
  'Address.street': 'Kungsgatan',
  'Address.houseNo': '4',
  'Address.zipCode': '111 43',
  'Address.city': 'Stockholm',
  'Address.fullAddress': 'Kungsgatan 4, 111 43 Stockholm, Sverige',
  'Address.validFrom': '2026-01-01T00:00:00Z',
  addressNotValidDate: null,
  defaultAddress: true,
  validFrom: '2026-01-15T00:00:00Z',
  validTo: null,
  validatedAt: '2026-01-15T09:30:00Z',
  lastUpdatedAt: '2026-01-15T09:30:00Z',
  validOverride: false,
  'TimelineEntry.changes': { email: [null, 'asa.lindqvist@example.com'] },
  'AuditEntry.changes': { email: [null, 'asa.lindqvist@example.com'] },
  'ExtraField.name': 'employer',
  'ExtraField.value': ['Skåne Bageri AB'],
  'extrafields.name': 'employer',
  count: 1,
  skip: 0,
  total: 1,
  accessToken: 'the-access-token-of-this-session',
  refreshToken: 'the-refresh-token-of-this-session',
  expiresIn: 900,
  version: '1.0.0',
  copyright: '© 2026 the Fordra contributors',
  fullCopyright: '© 2026 the Fordra contributors. Licensed under the Apache License 2.0.',
  systemName: 'Fordra',
  systemDescription: 'Debt-collection platform',
  licensedTo: 'Demo Inkasso AB',
  customerNo: '100',
  languages: 'en,sv,no,da,fi,de',
  systemTimeZoneCode: 'Europe/Stockholm',
  systemTimeZoneDescription: 'Central European Time',
  systemTimeZone: 60,
  validUntilCollect: null,
  validUntilEdge: null,
  validUntilCredit: null,
  systemDate: '2026-03-02T00:00:00Z',
}

interface ValueContext {
  /** The nearest named schema around the value; for a path parameter, the segment before it. */
  owner?: string
  /** The member with the value. */
  name?: string
}

/**
 * A value that is valid against the schema, the same every time: from the table where its entry is valid, otherwise the
 * simplest value. Patterns are not solved: a member with a narrow pattern needs an entry in the table.
 */
export function createExample(source: object, place: ValueContext = {}): unknown {
  const schema = source as JsonSchema
  const { name = '' } = place
  for (const entry of [`${place.owner}.${name}`, name]) {
    // A name in the table may have another meaning in another schema.
    if (Object.hasOwn(values, entry) && Value.Check(schema, values[entry])) return values[entry]
  }
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
      return exampleText(schema, name)
    case 'integer':
    case 'number':
      return Math.min(Math.max(1, Number(schema.minimum ?? 1)), Number(schema.maximum ?? Infinity))
    case 'boolean':
      return false
    default:
      return null
  }
}

function exampleObject(schema: JsonSchema, owner: string | undefined): unknown {
  const members = Object.entries((schema.properties ?? {}) as Record<string, object>)
  const known = members.map(([name, member]) => [name, createExample(member, { owner, name })])
  const [free] = [schema.additionalProperties, ...Object.values(schema.patternProperties ?? {})].filter(
    isObject,
  )
  return Object.fromEntries(free ? [...known, ['member', createExample(free, { owner })]] : known)
}

const formattedText: Record<string, string> = {
  'date-time': '2026-03-02T00:00:00Z',
  date: '2026-03-02',
  uuid: otherGuid,
  email: 'name@example.com',
  uri: 'https://example.com/',
}

function exampleText({ format, minLength, maxLength }: JsonSchema, name: string): string {
  if (typeof format === 'string' && formattedText[format] !== undefined) return formattedText[format]
  return (name || 'text').padEnd(Number(minLength ?? 0), '.').slice(0, Number(maxLength ?? Infinity))
}

const isObject = (value: unknown): value is object =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
const schemaTypes = ({ type }: JsonSchema): unknown[] => (Array.isArray(type) ? type : [type])
const schemaBranches = ({ anyOf, oneOf }: JsonSchema): JsonSchema[] =>
  [anyOf, oneOf].flatMap((branches) => (Array.isArray(branches) ? branches : []))
