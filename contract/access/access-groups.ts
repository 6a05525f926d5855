import { Type, type Static } from 'typebox'
import { allAccessCodes } from './access.ts'
import { guid, inputSchema, key, outputSchema, text } from '../metadata/fields.ts'
import { operation } from '../platform/operation.ts'
import { page, pageQuery } from '../platform/page.ts'

const fields = {
  accessGroupGuid: guid('Access group', { readOnly: true }),
  code: text(50, 'Code'),
  name: text(200, 'Name'),
  accessCodes: Type.Unsafe<string[] | null>({
    type: ['array', 'null'],
    items: { ...key(50, 'Access code'), enum: allAccessCodes },
    maxItems: allAccessCodes.length,
    title: 'Access codes',
    'x-field': { lookup: 'accesscode' },
  }),
}
/** The dictionary of an access group: a set of access codes that an agency defines. */
export const accessGroupFields = fields

export const AccessGroupInput = inputSchema(fields, ['code', 'name', 'accessCodes'])
export type AccessGroupInput = Static<typeof AccessGroupInput>

const accessCode = Type.String({ enum: allAccessCodes })
export const AccessGroupListItem = outputSchema(
  {
    accessGroupGuid: fields.accessGroupGuid,
    code: key(50, 'Code'),
    name: key(200, 'Name'),
    accessCodes: Type.Array(accessCode, { title: 'Access codes', 'x-field': { unfilterable: true } }),
    users: Type.Integer({ title: 'Users that have it' }),
  },
  ['accessGroupGuid', 'code', 'name', 'accessCodes', 'users'],
  { $id: 'AccessGroupListItem' },
)
export type AccessGroupListItem = Static<typeof AccessGroupListItem>

export const listAccessGroups = operation({
  id: 'listAccessGroups',
  name: 'listAccessGroups',
  method: 'GET',
  path: '/accessgroups',
  area: 'Users',
  summary: 'List access groups',
  description: 'Access groups are created and changed by the forms of `accessgroup`.',
  access: ['user.admin'],
  query: pageQuery,
  status: 200,
  response: page(AccessGroupListItem),
  example: { query: { $filter: 'users eq 0', $orderby: 'code' } },
})
