import { Type, type Static } from 'typebox'
import {
  code,
  flag,
  guid,
  inputSchema,
  integer,
  key,
  lines,
  outputSchema,
  personalDataTypes,
  text,
} from '../metadata/fields.ts'
import { operation } from '../platform/operation.ts'
import { page, pageQuery } from '../platform/page.ts'

/** The entities that can have custom fields. */
export const fieldEntities = [
  'debtor',
  'address',
  'case',
  'client',
  'thirdparty',
  'account',
  'customer',
  'purchase',
  'object',
  'note',
  'user',
] as const

/** The types of fields (S9). */
export const fieldTypes = [
  'string',
  'text',
  'integer',
  'decimal',
  'money',
  'boolean',
  'date',
  'datetime',
  'guid',
  'lookup',
] as const

const label = (language: string) => text(100, `Label, ${language}`)
const kinds = Object.fromEntries(Object.entries(personalDataTypes).map(([kind, id]) => [id, kind]))

const fields = {
  fieldGuid: guid('Field', { readOnly: true }),
  entity: text(50, 'Entity', { lookup: 'fieldentity' }),
  code: text(50, 'Code'),
  type: Type.Unsafe<(typeof fieldTypes)[number] | null>({
    type: ['string', 'null'],
    enum: [...fieldTypes, null],
    title: 'Type',
    'x-field': { lookup: 'fieldtype' },
  }),
  textEn: label('English'),
  textSv: label('Swedish'),
  textNo: label('Norwegian'),
  textDa: label('Danish'),
  textFi: label('Finnish'),
  textDe: label('German'),
  length: integer('Length', { minimum: 1, maximum: 100_000 }),
  minValue: text(40, 'Least value'),
  maxValue: text(40, 'Greatest value'),
  specificValues: lines(4000, 'Only these values'),
  lookupCode: text(50, 'Lookup', { lookup: 'lookup' }),
  mustMatchLookup: flag('Only values of the lookup'),
  required: flag('Required'),
  defaultValue: text(4000, 'Default'),
  fieldOrder: integer('Order', { minimum: 0, maximum: 1000 }),
  hidden: flag('Hidden'),
  indexed: flag('Fast to search'),
  audit: flag('Values in the audit trail'),
  personalDataTypeId: code('Kind of personal data', { 0: 'none', ...kinds }, { lookup: 'personaldatatype' }),
}
/** The dictionary of custom fields and of overrides of built-in fields. */
export const userFieldFields = fields

const changeable = [
  'textEn',
  'textSv',
  'textNo',
  'textDa',
  'textFi',
  'textDe',
  'length',
  'minValue',
  'maxValue',
  'specificValues',
  'lookupCode',
  'mustMatchLookup',
  'required',
  'defaultValue',
  'fieldOrder',
  'hidden',
  'indexed',
  'audit',
  'personalDataTypeId',
] as const
export const UserFieldInput = inputSchema(fields, ['entity', 'code', 'type', ...changeable])
export type UserFieldInput = Static<typeof UserFieldInput>
/** Entity, code and type cannot change: stored values depend on them. */
export const UserFieldChange = inputSchema(fields, changeable)
export type UserFieldChange = Static<typeof UserFieldChange>

export const UserFieldListItem = outputSchema(
  { ...fields, entity: key(50, 'Entity', { lookup: 'fieldentity' }), code: key(50, 'Code') },
  ['fieldGuid', 'entity', 'code', 'type', ...changeable],
  { $id: 'UserFieldListItem' },
)
export type UserFieldListItem = Static<typeof UserFieldListItem>

export const listUserFields = operation({
  id: 'listUserFields',
  name: 'listUserFields',
  method: 'GET',
  path: '/system/fields',
  area: 'System',
  summary: 'List custom fields and overrides',
  description:
    'Custom fields of the agency, and its overrides of built-in fields, which have no `type`. They are created and changed by the forms of `field`.',
  access: ['form.admin'],
  query: pageQuery,
  status: 200,
  response: page(UserFieldListItem),
  example: { query: { $filter: "entity eq 'debtor' and type ne null", $orderby: 'code' } },
})
