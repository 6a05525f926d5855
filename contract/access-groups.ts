import { Type, type Static } from 'typebox'
import { allAccessCodes } from './access.ts'
import { guid, inputOf, key, text } from './fields.ts'

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
