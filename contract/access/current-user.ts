import { Type, type Static } from 'typebox'
import { inputSchema, key, outputSchema, text } from '../metadata/fields.ts'
import { operation } from '../platform/operation.ts'
import { Problem } from '../platform/problem.ts'
import { answeredUserFields, profileMembers } from './users.ts'

const profile = {
  ...answeredUserFields,
  systemCurrencyCode: text(3, 'System currency', { lookup: 'currency' }),
  systemCountryCode: text(2, 'Country of the agency, else of the settings', { lookup: 'country' }),
  accessCodes: Type.Array(key(50, 'Access code')),
}

export const CurrentUser = outputSchema(
  profile,
  [
    'uniqueId',
    'partyReferenceCode',
    'email',
    'fullName',
    'languageCode',
    'countryFormat',
    'cultureCode',
    'systemCurrencyCode',
    'systemCountryCode',
    ...profileMembers,
    'userRole',
    'accessGroups',
    'accessCodes',
    'clientRestriction',
    'links',
  ],
  { $id: 'CurrentUser' },
)
export type CurrentUser = Static<typeof CurrentUser>

const password = (title: string) =>
  Type.Optional(Type.Unsafe<string | null>({ type: ['string', 'null'], maxLength: 128, title }))

export const Preferences = Type.Object(
  {
    password: password('New password'),
    currentPassword: password('Current password'),
    ...inputSchema(answeredUserFields, ['languageCode', 'countryFormat', 'cultureCode']).properties,
  },
  { $id: 'Preferences', additionalProperties: false },
)
export type Preferences = Static<typeof Preferences>

/** Any JSON that a client stores for itself. The rules limit its size. */
export const UserSettings = Type.Record(Type.String({ minLength: 1, maxLength: 100 }), Type.Unknown(), {
  $id: 'UserSettings',
  description: 'One or more settings of the group, with any names. A null removes one.',
})
export type UserSettings = Static<typeof UserSettings>

const settingName = (title: string) =>
  Type.String({ minLength: 1, maxLength: 100, pattern: '^[\\w.:-]+$', title })
const ofGroup = Type.Object({
  context: settingName('Context'),
  group: settingName('Group within the context'),
})

export const getCurrentUser = operation({
  id: 'U1',
  name: 'getCurrentUser',
  method: 'GET',
  path: '/users/current',
  area: 'Users',
  summary: 'Get the current user',
  access: 'session',
  status: 200,
  response: CurrentUser,
  versioned: true,
})
export const updateCurrentUser = operation({
  id: 'U2',
  name: 'updateCurrentUser',
  method: 'PATCH',
  path: '/users/current',
  area: 'Users',
  summary: "Update the current user's preferences",
  description:
    'Changing the password needs `currentPassword`; a wrong one is a 422 and counts as a failed login. The user’s other sessions end.',
  access: 'session',
  body: Preferences,
  status: 200,
  response: Problem,
  problems: ['unprocessable'],
  versioned: true,
  example: { body: { languageCode: 'sv', countryFormat: 'SE', cultureCode: 'sv-SE' } },
})
export const updateUserSettings = operation({
  id: 'U3',
  name: 'updateUserSettings',
  method: 'PATCH',
  path: '/users/current/settings/:context/:group',
  area: 'Users',
  summary: "Update the current user's settings",
  description: 'Merges the given members into the group; null removes one. A group holds at most 64 kB.',
  access: 'session',
  params: ofGroup,
  body: UserSettings,
  status: 200,
  response: Problem,
  problems: ['unprocessable'],
  example: { body: { columns: ['fullName', 'city'], dense: true } },
})
export const getUserSettings = operation({
  id: 'getUserSettings',
  name: 'getUserSettings',
  method: 'GET',
  path: '/users/current/settings/:context/:group',
  area: 'Users',
  summary: "Get the current user's settings",
  description: 'A group without stored settings is empty.',
  access: 'session',
  params: ofGroup,
  status: 200,
  response: UserSettings,
})
