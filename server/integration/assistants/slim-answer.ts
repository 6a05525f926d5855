/**
 * Answers for assistants: a member without a value is left out, and rows of lists have the members that help to choose
 * one. Schema and answer follow the same two rules. What an assistant reads costs tokens and leaves the house.
 */
import type { Static } from 'typebox'
import type { DeclaredOperation } from '../../../contract/api.ts'
import type { JsonSchema } from '../../../contract/openapi/openapi-document.ts'

type Named<N extends DeclaredOperation['name']> = Extract<DeclaredOperation, { name: N }>
type Answered<N extends DeclaredOperation['name']> = Static<Named<N>['response']>
type Row<N extends DeclaredOperation['name']> =
  Answered<N> extends { value: (infer R)[] } | { items: (infer R)[] } ? keyof R : keyof Answered<N>
type Members<N extends DeclaredOperation['name']> = readonly Row<N>[]

const party = ['caseGuid', 'caseNumber', 'clientReferenceNumber', 'clientName', 'mainDebtorName'] as const
const state = ['status', 'subStatus', 'closureCode', 'registrationDate', 'closureDate'] as const
const sums = [
  'currencyCode',
  'originalSum',
  'paidSum',
  'remainingPrincipal',
  'remainingFee',
  'remainingInterest',
  'remainingSum',
] as const

/** The members of rows, or of the answer itself where it is no list. An operation that is not named keeps them all. */
const keptMembers: Partial<Record<string, readonly string[]>> = {
  searchItems: [
    'guid',
    'type',
    'primaryDescription',
    'secondaryDescription',
    'matchedOn',
    'city',
    'debtorName',
    'caseGuid',
  ] satisfies Members<'searchItems'>,
  listDebtors: [
    'debtorGuid',
    'debtorReference',
    'fullName',
    'juridicalType',
    'city',
    'countryCode',
  ] satisfies Members<'listDebtors'>,
  listCases: [...party, ...state, ...sums] satisfies Members<'listCases'>,
  listAllCases: [
    ...party,
    'clientGuid',
    'debtorGuid',
    'hold',
    'limitationDate',
    ...state,
    ...sums,
  ] satisfies Members<'listAllCases'>,
  getCurrentUser: [
    'uniqueId',
    'partyReferenceCode',
    'email',
    'fullName',
    'languageCode',
    'userRole',
    'accessGroups',
    'accessCodes',
    'clientRestriction',
  ] satisfies Members<'getCurrentUser'>,
}

/** The members that have the rows of an answer that is a list. */
const lists = ['value', 'items'] as const

export function slimAnswer(operation: string, body: unknown): Record<string, unknown> {
  const slim = withoutEmpty(body) as Record<string, unknown>
  const kept = keptMembers[operation]
  if (!kept) return slim
  const pick = (row: Record<string, unknown>) =>
    Object.fromEntries(kept.filter((name) => Object.hasOwn(row, name)).map((name) => [name, row[name]]))
  for (const list of lists) {
    const rows = slim[list]
    if (Array.isArray(rows)) return { ...slim, [list]: rows.map(pick) }
  }
  return pick(slim)
}

/** Without members that are null. An element of a list stays: its place may count. */
function withoutEmpty(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutEmpty)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value)
      .filter(([, child]) => child !== null && child !== undefined)
      .map(([name, child]) => [name, withoutEmpty(child)]),
  )
}

/** The schema of the slim answer, derived from the operation's own. */
export function slimSchema(operation: string, response: JsonSchema): JsonSchema {
  const slim = describeSlim(response)
  const kept = keptMembers[operation]
  if (!kept) return slim
  const properties = slim['properties'] as Record<string, JsonSchema>
  for (const list of lists) {
    const rows = properties[list]
    if (!rows) continue
    const items = pickMembers(rows['items'] as JsonSchema, kept)
    return { ...slim, properties: { ...properties, [list]: { ...rows, items } } }
  }
  return pickMembers(slim, kept)
}

function pickMembers(schema: JsonSchema, kept: readonly string[]): JsonSchema {
  const properties = schema['properties'] as Record<string, JsonSchema>
  return {
    ...schema,
    properties: Object.fromEntries(kept.map((name) => [name, properties[name]])),
    required: ((schema['required'] ?? []) as string[]).filter((name) => kept.includes(name)),
  }
}

/**
 * What an answer's schema says to its reader. Limits of texts and numbers are left out: they bind who writes. A client
 * throws away an answer that breaks its schema, and a value stored before a limit came would be lost to it.
 */
const said = new Set([
  'type',
  'properties',
  'required',
  'items',
  'anyOf',
  'enum',
  'const',
  'format',
  'description',
  'additionalProperties',
  'patternProperties',
])

function describeSlim(schema: JsonSchema): JsonSchema {
  const kept = Object.entries(schema).filter(([keyword]) => said.has(keyword))
  const slim: JsonSchema = Object.fromEntries(
    kept.map(([keyword, value]) => [keyword, describePart(keyword, value)]),
  )
  const properties = schema['properties'] as Record<string, JsonSchema> | undefined
  if (properties && schema['required'])
    slim['required'] = (schema['required'] as string[]).filter((name) => !mayBeNull(properties[name]!))
  return slim
}

function describePart(keyword: string, value: unknown): unknown {
  if (keyword === 'anyOf') return (value as JsonSchema[]).map(describeSlim)
  if (keyword === 'properties' || keyword === 'patternProperties')
    return Object.fromEntries(
      Object.entries(value as Record<string, JsonSchema>).map(([name, child]) => [name, describeSlim(child)]),
    )
  const isSchema = keyword === 'items' || keyword === 'additionalProperties'
  return isSchema && typeof value === 'object' ? describeSlim(value as JsonSchema) : value
}

function mayBeNull({ type, anyOf, enum: values, const: only }: JsonSchema): boolean {
  if (Array.isArray(anyOf)) return anyOf.some((one) => mayBeNull(one as JsonSchema))
  if (Array.isArray(values)) return values.includes(null)
  if (type === undefined) return only === null || only === undefined
  return type === 'null' || (Array.isArray(type) && type.includes('null'))
}
