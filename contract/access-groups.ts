import { Type, type Static } from 'typebox'
import { allAccessCodes } from './access.ts'
import { guid, inputOf, key, text } from './fields.ts'
import { operation } from './operation.ts'
import { page, pageQuery } from './page.ts'

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
/** The dictionary of an access group: a set of access codes that an agency names for itself. */
export const accessGroupFields = fields

export const AccessGroupInput = inputOf(fields, ['code', 'name', 'accessCodes'])
export type AccessGroupInput = Static<typeof AccessGroupInput>

export const AccessGroup = Type.Object(
  {
    accessGroupGuid: fields.accessGroupGuid,
    code: key(50, 'Code'),
    name: key(200, 'Name'),
    accessCodes: Type.Array(key(50, 'Access code'), { 'x-field': { unfilterable: true } }),
  },
  { $id: 'AccessGroup' },
)
export type AccessGroup = Static<typeof AccessGroup>

export const listAccessGroups = operation({
  id: 'listAccessGroups',
  name: 'listAccessGroups',
  method: 'GET',
  path: '/accessgroups',
  area: 'Users',
  summary: 'List access groups',
  description: 'Each with its access codes. Made, changed and deleted with the forms of `accessgroup`.',
  access: ['user.admin'],
  query: pageQuery,
  status: 200,
  response: page(AccessGroup),
  example: { query: { $orderby: 'name' } },
})
