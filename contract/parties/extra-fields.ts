import { Type, type Static } from 'typebox'
import { ofDebtor } from './debtors.ts'
import { key, type Demands } from '../metadata/fields.ts'
import { operation } from '../platform/operation.ts'
import { page, pageQuery } from '../platform/page.ts'
import { Problem } from '../platform/problem.ts'

const value = Type.Array(Type.String({ maxLength: 4000 }), {
  maxItems: 100,
  title: 'Values',
  'x-field': { unfilterable: true },
})
const name = { minLength: 1, maxLength: 100, pattern: '^[^\\u0000-\\u001f\\u007f]*$', title: 'Name' }

export const ExtraField = Type.Object({ name: key(100, 'Name'), value }, { $id: 'ExtraField' })
export type ExtraField = Static<typeof ExtraField>

const members = {
  name: Type.Optional(Type.Unsafe<string | null>({ ...name, type: ['string', 'null'] })),
  value: Type.Optional(Type.Unsafe<string[] | null>({ ...value, type: ['array', 'null'] })),
}
export const ExtraFieldInput = Type.Object(members, {
  $id: 'ExtraFieldInput',
  additionalProperties: false,
  'x-demands': { required: ['name'] } satisfies Demands,
})
export const ExtraFieldChange = Type.Object(members, { $id: 'ExtraFieldChange', additionalProperties: false })
export type ExtraFieldInput = Static<typeof ExtraFieldInput>

const ofExtraField = Type.Object({
  ...ofDebtor.properties,
  name: Type.String({ ...name, title: 'Name of the extra field, in any case' }),
})
const write = { access: ['debtor.write'], roles: [14] } as const

export const listExtraFields = operation({
  id: 'D20',
  name: 'listExtraFields',
  method: 'GET',
  path: '/debtors/:debtorGuid/extrafields',
  area: 'Debtors',
  summary: "List a debtor's extra fields",
  access: ['debtor.read'],
  params: ofDebtor,
  query: pageQuery,
  status: 200,
  response: page(ExtraField),
  example: { query: { $filter: "startswith(name,'employer')" } },
})
export const createExtraField = operation({
  id: 'D21',
  name: 'createExtraField',
  method: 'POST',
  path: '/debtors/:debtorGuid/extrafields',
  area: 'Debtors',
  summary: 'Create an extra field',
  description: 'Names are unique per debtor, ignoring letter case.',
  ...write,
  params: ofDebtor,
  body: ExtraFieldInput,
  status: 201,
  response: ExtraField,
  problems: ['conflict'],
  versioned: true,
  example: { body: { name: 'employer', value: ['Skåne Bageri AB'] } },
})
export const getExtraField = operation({
  id: 'D22',
  name: 'getExtraField',
  method: 'GET',
  path: '/debtors/:debtorGuid/extrafields/:name',
  area: 'Debtors',
  summary: 'Get an extra field',
  access: ['debtor.read'],
  params: ofExtraField,
  status: 200,
  response: ExtraField,
  versioned: true,
})
export const updateExtraField = operation({
  id: 'D23',
  name: 'updateExtraField',
  method: 'PATCH',
  path: '/debtors/:debtorGuid/extrafields/:name',
  area: 'Debtors',
  summary: 'Update an extra field',
  description: 'A new `name` renames it; a new `value` replaces all its values.',
  ...write,
  params: ofExtraField,
  body: ExtraFieldChange,
  status: 200,
  response: Problem,
  problems: ['conflict'],
  versioned: true,
  example: { body: { value: ['Skåne Bageri AB', 'Lunds Konditori AB'] } },
})
export const deleteExtraField = operation({
  id: 'D24',
  name: 'deleteExtraField',
  method: 'DELETE',
  path: '/debtors/:debtorGuid/extrafields/:name',
  area: 'Debtors',
  summary: 'Delete an extra field',
  ...write,
  params: ofExtraField,
  status: 200,
  response: Problem,
  versioned: true,
})
