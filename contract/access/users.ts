import { Type, type Static } from 'typebox'
import { userRoles } from './access.ts'
import {
  code,
  flag,
  guid,
  inputSchema,
  key,
  links,
  listFieldNames,
  outputSchema,
  text,
  type Demands,
} from '../metadata/fields.ts'
import { operation, photoBodyBytesMax } from '../platform/operation.ts'
import { page, pageQuery } from '../platform/page.ts'
import { Problem } from '../platform/problem.ts'

const contact = { personalData: 'contact' } as const
const address = { personalData: 'address' } as const

export const mfaTypes = { 0: 'none', 1: 'authenticator app', 2: 'e-mail', 3: 'SMS' }

export const ClientRestriction = Type.Object(
  {
    partyReferenceCode: Type.String({ minLength: 1, maxLength: 50 }),
    includeSubParties: Type.Boolean(),
  },
  { $id: 'ClientRestriction', additionalProperties: false },
)
export type ClientRestriction = Static<typeof ClientRestriction>

const arrayField = <T extends object>(items: T, title: string, maxItems: number) =>
  ({ type: ['array', 'null'], items, maxItems, title, 'x-field': { unfilterable: true } }) as const

/** A user's profile besides names and rights. */
const profileFields = {
  street: text(100, 'Street', address),
  houseNo: text(20, 'House number', address),
  houseNoExtension: text(20, 'House number extension', address),
  city: text(100, 'City', address),
  stateCode: text(10, 'State', address),
  zipCode: text(20, 'Zip code', address),
  countryCode: text(2, 'Country', { lookup: 'country' }),
  phoneNumber: text(30, 'Phone', contact),
  cellularPhoneNumber: text(30, 'Cellular phone', contact),
  pbxPhoneNumber: text(30, 'Switchboard', contact),
  employmentNumber: text(50, 'Employment number'),
  department: text(100, 'Department'),
  photoImageType: text(50, 'Photo type'),
  photoImage: Type.Unsafe<string | null>({
    type: ['string', 'null'],
    maxLength: 1_398_104,
    title: 'Photo, base64',
    'x-field': { audit: false },
  }),
}
export const profileMembers = listFieldNames(profileFields)

/** What callers give and change. Each is a column of the table `app_user`, its name in snake case. */
export const userMemberFields = {
  userCode: text(50, 'User code'),
  email: text(254, 'E-mail', contact),
  fullName: text(200, 'Full name', { personalData: 'name' }),
  languageCode: text(2, 'Language', { lookup: 'language' }),
  countryFormat: text(2, 'Country format', { lookup: 'country' }),
  cultureCode: text(20, 'Culture', { lookup: 'culture' }),
  ...profileFields,
  disabled: flag('Disabled'),
  apiUser: flag('API user'),
  userRole: code('Role', userRoles, { lookup: 'userrole' }),
  mfaType: code('Second factor', mfaTypes, { lookup: 'mfatype' }),
}

/** What a directory alone knows of a user (SCIM). The audit trail shows it. */
export const directoryFields = {
  userName: text(254, 'Name in the directory', contact),
  externalId: text(254, 'Identifier in the directory'),
  givenName: text(254, 'First name', { personalData: 'name' }),
  familyName: text(254, 'Last name', { personalData: 'name' }),
}

const fields = {
  uniqueId: guid('User', { readOnly: true }),
  partyReferenceCode: text(50, 'Party', { lookup: 'party' }),
  ...userMemberFields,
  accessGroups: Type.Unsafe<string[] | null>(
    arrayField({ type: 'string', minLength: 1, maxLength: 50 }, 'Access groups', 50),
  ),
  clientRestriction: Type.Unsafe<ClientRestriction[] | null>(arrayField(ClientRestriction, 'Clients', 500)),
  invitation: text(20, 'Invitation', { lookup: 'invitation', readOnly: true }),
  links,
}
/** The dictionary of a user: every field once. */
export const userFields = fields

/** In answers the arrays are always present. */
export const answeredUserFields = {
  ...fields,
  accessGroups: Type.Array(key(50, 'Access group')),
  clientRestriction: Type.Array(ClientRestriction),
}

export const User = outputSchema(
  answeredUserFields,
  [
    'uniqueId',
    'partyReferenceCode',
    'userCode',
    'email',
    'fullName',
    'languageCode',
    'countryFormat',
    ...profileMembers,
    'disabled',
    'apiUser',
    'userRole',
    'accessGroups',
    'clientRestriction',
    'invitation',
    'links',
  ],
  { $id: 'User' },
)
export type User = Static<typeof User>

/** The answer to a user's creation. */
export const CreatedUser = Type.Object(
  {
    ...User.properties,
    clientId: Type.Optional(
      Type.String({
        format: 'uuid',
        title: 'Client id',
        description: 'Of an API user created without credentials: the server made it.',
      }),
    ),
    clientSecret: Type.Optional(
      Type.String({
        title: 'Client secret',
        description: 'Shown this once. The server keeps a hash of it. A repeated request gets it empty.',
      }),
    ),
  },
  { $id: 'CreatedUser' },
)
export type CreatedUser = Static<typeof CreatedUser>

export const UserListItem = outputSchema(
  fields,
  [
    'uniqueId',
    'partyReferenceCode',
    'userCode',
    'email',
    'fullName',
    'department',
    'photoImageType',
    'photoImage',
    'disabled',
    'userRole',
    'invitation',
  ],
  { $id: 'UserListItem' },
)
export type UserListItem = Static<typeof UserListItem>

export const UserSummary = outputSchema(
  fields,
  ['uniqueId', 'partyReferenceCode', 'email', 'fullName', 'department', 'photoImageType', 'photoImage'],
  { $id: 'UserSummary' },
)
export type UserSummary = Static<typeof UserSummary>

const password = Type.Unsafe<string | null>({ type: ['string', 'null'], maxLength: 128, title: 'Password' })
const changeable = [
  'email',
  'fullName',
  'disabled',
  'languageCode',
  'countryFormat',
  ...profileMembers,
  'accessGroups',
  'clientRestriction',
] as const

export const UserInput = Type.Object(
  {
    ...inputSchema(fields, ['partyReferenceCode', 'userCode', 'apiUser', 'mfaType', ...changeable])
      .properties,
    userRole: fields.userRole,
    password: Type.Optional(password),
    invite: Type.Optional(flag('Invite by e-mail')),
    clientId: Type.Optional(text(36, 'Client id')),
    clientSecret: Type.Optional(
      Type.Unsafe<string | null>({
        type: ['string', 'null'],
        minLength: 32,
        maxLength: 128,
        title: 'Client secret',
      }),
    ),
    existingUserUniqueId: Type.Optional(text(36, 'GUID for the new user')),
  },
  {
    $id: 'UserInput',
    additionalProperties: false,
    'x-demands': {
      required: ['partyReferenceCode', 'email', 'fullName', 'userRole'],
      members: {
        partyReferenceCode: { minLength: 1 },
        email: { minLength: 1 },
        fullName: { minLength: 1 },
        clientId: { format: 'uuid' },
        existingUserUniqueId: { format: 'uuid' },
      },
    } satisfies Demands,
  },
)
export type UserInput = Static<typeof UserInput>

export const UserChange = Type.Object(
  { ...inputSchema(fields, ['userRole', ...changeable]).properties, password },
  { $id: 'UserChange', additionalProperties: false },
)
export type UserChange = Static<typeof UserChange>

const ofUser = Type.Object({ userGuid: guid('User') })

export const listUsers = operation({
  id: 'U8',
  name: 'listUsers',
  method: 'GET',
  path: '/users',
  area: 'Users',
  summary: 'List users',
  access: ['user.read'],
  query: pageQuery,
  status: 200,
  response: page(UserListItem),
  example: { query: { $filter: 'disabled eq false', $orderby: 'fullName' } },
})
export const createUser = operation({
  id: 'U9',
  name: 'createUser',
  method: 'POST',
  path: '/users',
  area: 'Users',
  summary: 'Create a user',
  description:
    'Needs a password, unless `invite` is true: the server then sends an invitation, by whose link the user chooses a password within 72 hours. Nor does an API user (`apiUser`) need one: the server then makes `clientId` and `clientSecret`, and this answer alone has the secret. `clientId` and `clientSecret` can also be chosen. Nobody can grant a role, an access group or clients beyond their own. `email` and `userCode` are unique in every spelling: letter case, composed letters, ligatures and letter width.',
  access: ['user.write'],
  body: UserInput,
  bodyBytesMax: photoBodyBytesMax,
  status: 201,
  response: CreatedUser,
  problems: ['conflict'],
  versioned: true,
  example: {
    body: {
      partyReferenceCode: 'AGENCY',
      userCode: 'eva',
      email: 'eva.lind@agency.example',
      password: 'a long passphrase of hers',
      fullName: 'Eva Lind',
      userRole: 3,
      languageCode: 'sv',
      countryFormat: 'SE',
      accessGroups: [],
      clientRestriction: [],
    },
  },
})
export const getUser = operation({
  id: 'U10',
  name: 'getUser',
  method: 'GET',
  path: '/users/:userGuid',
  area: 'Users',
  summary: 'Get a user',
  access: ['user.read'],
  params: ofUser,
  status: 200,
  response: User,
  versioned: true,
})
export const updateUser = operation({
  id: 'U11',
  name: 'updateUser',
  method: 'PUT',
  path: '/users/:userGuid',
  area: 'Users',
  summary: 'Update a user',
  description:
    '`password` is required; null leaves it unchanged. Any other member that is omitted or null stays unchanged; the empty string clears a text.',
  access: ['user.write'],
  params: ofUser,
  body: UserChange,
  bodyBytesMax: photoBodyBytesMax,
  status: 200,
  response: Problem,
  problems: ['conflict'],
  versioned: true,
  example: { body: { password: null, department: 'Legal', disabled: false } },
})
export const getUserSummary = operation({
  id: 'U12',
  name: 'getUserSummary',
  method: 'GET',
  path: '/users/:userGuid/summary',
  area: 'Users',
  summary: "Get a user's summary",
  access: 'session',
  params: ofUser,
  status: 200,
  response: UserSummary,
})
