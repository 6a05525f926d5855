import { Type } from 'typebox'
import { accessGroupFields, AccessGroupInput, listAccessGroups } from '../../access/access-groups.ts'
import * as users from '../../access/users.ts'
import { form, type Access } from './form.ts'

const contact = {
  code: 'contact',
  columns: 2,
  fields: ['email', 'phoneNumber', 'cellularPhoneNumber', 'pbxPhoneNumber', 'department', 'employmentNumber'],
} as const
/** A new user's e-mail stands beside the name, because the invitation goes there. */
const telephones = {
  code: 'contact',
  columns: 2,
  fields: ['phoneNumber', 'cellularPhoneNumber', 'pbxPhoneNumber', 'department', 'employmentNumber'],
} as const
const address = {
  code: 'address',
  columns: 2,
  fields: ['street', 'houseNo', 'houseNoExtension', 'zipCode', 'city', 'stateCode', 'countryCode'],
} as const
const more = {
  code: 'more',
  columns: 2,
  fields: ['languageCode', 'countryFormat', 'photoImageType', 'photoImage'],
} as const
const lists = { accessGroups: ',', clientRestriction: 'clients' } as const

/** In a form the password may be omitted, like any unchanged member. */
const change = Type.Object(
  { ...users.UserChange.properties, password: users.UserInput.properties.password },
  { additionalProperties: false },
)

export const userCreate = form({
  entity: 'user',
  type: 'create',
  fields: { ...users.userFields, ...users.UserInput.properties },
  groups: [
    {
      code: 'details',
      columns: 2,
      noTopDivider: true,
      fields: ['fullName', 'email', 'userCode', 'partyReferenceCode', 'userRole', 'disabled'],
    },
    {
      code: 'credentials',
      columns: 2,
      fields: [
        'invite',
        'password',
        'mfaType',
        'apiUser',
        'clientId',
        'clientSecret',
        'existingUserUniqueId',
      ],
    },
    { code: 'access', columns: 1, fields: ['accessGroups', 'clientRestriction'] },
    telephones,
    address,
    more,
  ],
  keys: ['uniqueId'],
  takes: {},
  open: users.createUser,
  submit: users.createUser,
  list: users.listUsers,
  required: ['fullName', 'partyReferenceCode', 'userRole', 'email'],
  lists,
})
export const userEdit = form({
  entity: 'user',
  type: 'edit',
  fields: { ...users.userFields, ...change.properties },
  groups: [
    {
      code: 'details',
      columns: 2,
      noTopDivider: true,
      fields: ['fullName', 'userCode', 'partyReferenceCode', 'userRole', 'disabled', 'apiUser'],
    },
    { code: 'credentials', columns: 2, fields: ['password'] },
    { code: 'access', columns: 1, fields: ['accessGroups', 'clientRestriction'] },
    contact,
    address,
    more,
  ],
  keys: ['uniqueId'],
  takes: { id: 'user' },
  record: 'id',
  open: users.getUser,
  submit: { access: users.updateUser.access, method: 'PATCH', body: change },
  remove: users.updateUser,
  list: users.listUsers,
  rows: [{ list: users.listUsers, key: 'uniqueId', cells: { department: 'department' } }],
  required: ['fullName', 'userRole', 'email'],
  lists,
})

const administer: Access = { access: ['user.admin'], unrestricted: true }
const accessGroup = {
  entity: 'accessgroup',
  fields: accessGroupFields,
  groups: [{ code: 'details', columns: 1, noTopDivider: true, fields: ['code', 'name', 'accessCodes'] }],
  keys: ['accessGroupGuid'],
  open: administer,
  list: listAccessGroups,
  required: ['code', 'name'],
  lists: { accessCodes: ',' },
} as const

export const accessGroupCreate = form({
  ...accessGroup,
  type: 'create',
  takes: {},
  submit: { ...administer, method: 'POST', body: AccessGroupInput },
})
export const accessGroupEdit = form({
  ...accessGroup,
  type: 'edit',
  takes: { id: 'access group' },
  record: 'id',
  submit: { ...administer, method: 'PATCH', body: AccessGroupInput },
  remove: administer,
})
