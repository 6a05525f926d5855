import type { Static } from 'typebox'
import { guid, inputSchema, integer, key, outputSchema, text } from './fields.ts'
import { operation } from '../platform/operation.ts'
import { page, pageQuery } from '../platform/page.ts'

const description = (language: string) => text(200, `Description, ${language}`)

const fields = {
  lookupValueGuid: guid('Lookup value', { readOnly: true }),
  lookupCode: text(50, 'Lookup', { lookup: 'extensiblelookup' }),
  lookupKey: text(100, 'Key'),
  position: integer('Position', { minimum: 0, maximum: 100_000 }),
  textEn: description('English'),
  textSv: description('Swedish'),
  textNo: description('Norwegian'),
  textDa: description('Danish'),
  textFi: description('Finnish'),
  textDe: description('German'),
}
/** The dictionary of a custom lookup value. */
export const lookupValueFields = fields

const changeable = ['position', 'textEn', 'textSv', 'textNo', 'textDa', 'textFi', 'textDe'] as const
export const LookupValueInput = inputSchema(fields, ['lookupCode', 'lookupKey', ...changeable])
export type LookupValueInput = Static<typeof LookupValueInput>
/** Lookup and key cannot change: records refer to them. */
export const LookupValueChange = inputSchema(fields, changeable)
export type LookupValueChange = Static<typeof LookupValueChange>

export const LookupValueListItem = outputSchema(
  { ...fields, lookupCode: key(50, 'Lookup'), lookupKey: key(100, 'Key') },
  ['lookupValueGuid', 'lookupCode', 'lookupKey', ...changeable],
  { $id: 'LookupValueListItem' },
)
export type LookupValueListItem = Static<typeof LookupValueListItem>

export const listLookupValues = operation({
  id: 'listLookupValues',
  name: 'listLookupValues',
  method: 'GET',
  path: '/system/lookupvalues',
  area: 'System',
  summary: 'List custom lookup values',
  description:
    'The values that the agency has added, by lookup and in their order. `GET /system/lookups/{lookupcode}/{key}` returns built-in values. Custom values are created and changed by the forms of `lookupvalue`.',
  access: ['lookup.write'],
  unrestricted: true,
  query: pageQuery,
  status: 200,
  response: page(LookupValueListItem),
  example: { query: { $filter: "lookupCode eq 'addresstype'" } },
})
