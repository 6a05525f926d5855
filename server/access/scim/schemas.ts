/** The resources of SCIM and their attributes (RFC 7643): the only list of what /scim/v2 takes and gives. */

export interface Attribute {
  name: string
  type: 'string' | 'boolean' | 'complex' | 'dateTime' | 'reference'
  description: string
  multiValued?: true
  required?: true
  caseExact?: true
  mutability?: 'readOnly' | 'immutable'
  uniqueness?: 'server'
  canonicalValues?: readonly string[]
  referenceTypes?: readonly string[]
  subAttributes?: readonly Attribute[]
}

export interface Schema {
  id: string
  name: string
  description: string
  attributes: readonly Attribute[]
}

export interface ResourceType {
  name: 'User' | 'Group'
  endpoint: '/Users' | '/Groups'
  description: string
  schema: Schema
  extensions: readonly Schema[]
}

const text = (name: string, description: string, more: Partial<Attribute> = {}): Attribute => ({
  name,
  type: 'string',
  description,
  ...more,
})
const flag = (name: string, description: string, more: Partial<Attribute> = {}): Attribute => ({
  ...text(name, description, more),
  type: 'boolean',
})
const complex = (name: string, description: string, more: Partial<Attribute>): Attribute => ({
  ...text(name, description, more),
  type: 'complex',
})
const readOnly = { mutability: 'readOnly' } as const

/** Attributes of every resource, which no schema lists (RFC 7643 section 3.1). */
export const commonAttributes: readonly Attribute[] = [
  text('id', 'The GUID.', { ...readOnly, caseExact: true }),
  text('externalId', 'The identifier of the directory.', { caseExact: true }),
  text('schemas', 'The schemas of the resource.', { ...readOnly, multiValued: true, caseExact: true }),
  complex('meta', 'What the service knows of the resource.', {
    ...readOnly,
    subAttributes: [
      text('resourceType', 'User or Group.', readOnly),
      { ...text('created', 'When the resource was created.', readOnly), type: 'dateTime' },
    ],
  }),
]

const userSchema: Schema = {
  id: 'urn:ietf:params:scim:schemas:core:2.0:User',
  name: 'User',
  description: 'A person who signs in.',
  attributes: [
    text('userName', 'The name by which the directory knows the user.', {
      required: true,
      uniqueness: 'server',
    }),
    complex('name', 'The parts of the name.', {
      subAttributes: [
        text('formatted', 'The full name.'),
        text('familyName', 'The last name.'),
        text('givenName', 'The first name.'),
      ],
    }),
    text('displayName', 'The full name.'),
    flag('active', 'Whether the user may sign in.'),
    complex('emails', 'The e-mail. One is kept: the primary one, or that of work.', {
      multiValued: true,
      subAttributes: [
        text('value', 'The address. Single sign-on finds the user by it.'),
        text('type', 'work', { canonicalValues: ['work'] }),
        flag('primary', 'True for the one that is kept.'),
      ],
    }),
    complex('phoneNumbers', 'Phone numbers. One of each type is kept.', {
      multiValued: true,
      subAttributes: [
        text('value', 'The number.'),
        text('type', 'work or mobile', { canonicalValues: ['work', 'mobile'] }),
      ],
    }),
    complex('roles', 'The role: exactly one. Without one a new user gets that of FORDRA_SCIM_ROLE.', {
      multiValued: true,
      subAttributes: [
        text('value', 'The number of the role: 1 to 14.'),
        text('display', 'The name of the role.', readOnly),
        flag('primary', 'Chooses among several.'),
      ],
    }),
    text('preferredLanguage', 'The language of the user, such as sv or sv-SE.'),
    complex('groups', 'The access groups. Members are changed by the groups.', {
      ...readOnly,
      multiValued: true,
      subAttributes: [
        text('value', 'The GUID of the group.', { ...readOnly, caseExact: true }),
        text('display', 'The name of the group.', readOnly),
      ],
    }),
  ],
}

const enterpriseSchema: Schema = {
  id: 'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User',
  name: 'EnterpriseUser',
  description: 'What an employer knows of a user.',
  attributes: [text('employeeNumber', 'The employment number.'), text('department', 'The department.')],
}

/** The user's place among the parties. */
export const partySchemaId = 'urn:ietf:params:scim:schemas:extension:fordra:2.0:User'
export const enterpriseSchemaId = enterpriseSchema.id

const partySchema: Schema = {
  id: partySchemaId,
  name: 'FordraUser',
  description: 'The party that a user belongs to.',
  attributes: [
    text('partyReferenceCode', 'The reference code of the party. Without it the user belongs to yours.', {
      mutability: 'immutable',
    }),
  ],
}

const groupSchema: Schema = {
  id: 'urn:ietf:params:scim:schemas:core:2.0:Group',
  name: 'Group',
  description: 'An access group. Administrators decide which access codes it has.',
  attributes: [
    text('displayName', 'The name of the group.', { required: true, uniqueness: 'server' }),
    complex('members', 'The users of the group.', {
      multiValued: true,
      subAttributes: [
        text('value', 'The GUID of the user.', { mutability: 'immutable', caseExact: true }),
        text('display', 'The full name of the user.', readOnly),
        text('type', 'User', { mutability: 'immutable', canonicalValues: ['User'] }),
        {
          ...text('$ref', 'The address of the user.', readOnly),
          type: 'reference',
          referenceTypes: ['User'],
        },
      ],
    }),
  ],
}

export const userType: ResourceType = {
  name: 'User',
  endpoint: '/Users',
  description: 'People who sign in.',
  schema: userSchema,
  extensions: [enterpriseSchema, partySchema],
}
export const groupType: ResourceType = {
  name: 'Group',
  endpoint: '/Groups',
  description: 'Access groups.',
  schema: groupSchema,
  extensions: [],
}
export const resourceTypes: readonly ResourceType[] = [userType, groupType]
export const schemas: readonly Schema[] = resourceTypes.flatMap(({ schema, extensions }) => [
  schema,
  ...extensions,
])

/** Attributes of RFC 7643 that are not kept. A directory may send them by its usual mapping; they are ignored. */
export const ignoredAttributes: ReadonlySet<string> = new Set(
  [
    'nickName profileUrl title userType locale timezone password ims photos addresses entitlements x509Certificates',
    'costCenter organization division manager',
  ].flatMap((line) => line.toLowerCase().split(' ')),
)
