import { Type, type Static } from 'typebox'
import { date, dateTime, guid, outputSchema, text } from '../metadata/fields.ts'
import { operation } from '../platform/operation.ts'
import { page, pageQuery } from '../platform/page.ts'
import { Problem } from '../platform/problem.ts'

const always = (title: string) => Type.String({ format: 'date-time', title, 'x-field': { readOnly: true } })

const fields = {
  secretGuid: guid('Secret', { readOnly: true }),
  clientId: guid('Client id', { readOnly: true }),
  prefix: Type.Unsafe<string | null>({
    ...text(20, 'Begins with', { readOnly: true }),
    description: 'The first characters of a secret that the server made; null for one chosen by a person.',
  }),
  createdAt: always('Made at'),
  endsAt: Type.Unsafe<string | null>({
    ...dateTime('Works until', { readOnly: true }),
    description: 'Null: until it is ended.',
  }),
  lastUsedAt: Type.Unsafe<string | null>({
    ...dateTime('Last used', { readOnly: true }),
    description: 'To the minute.',
  }),
}

export const ClientSecret = outputSchema(
  fields,
  ['secretGuid', 'clientId', 'prefix', 'createdAt', 'endsAt', 'lastUsedAt'],
  { $id: 'ClientSecret' },
)
export type ClientSecret = Static<typeof ClientSecret>

export const NewClientSecret = Type.Object(
  {
    ...ClientSecret.properties,
    clientSecret: Type.String({
      title: 'Client secret',
      description: 'Shown this once. The server keeps a hash of it. A repeated request gets it empty.',
    }),
  },
  { $id: 'NewClientSecret' },
)
export type NewClientSecret = Static<typeof NewClientSecret>

export const SecretRotation = Type.Object(
  {
    endOthersOn: Type.Optional(
      Type.Unsafe<string | null>({
        ...date('Last day of the other secrets'),
        description:
          'The other secrets work to the end of this day, in the time zone of the installation. Null: until they are ended.',
      }),
    ),
  },
  { $id: 'SecretRotation', additionalProperties: false },
)
export type SecretRotation = Static<typeof SecretRotation>

const ofUser = Type.Object({ userGuid: guid('User') })
const common = { area: 'Users', access: ['user.write'] } as const

export const listClientSecrets = operation({
  id: 'listClientSecrets',
  name: 'listClientSecrets',
  method: 'GET',
  path: '/users/:userGuid/secrets',
  ...common,
  summary: "List an API user's secrets",
  description:
    'Newest first unless `$orderby` is given. The secrets themselves cannot be read. Ended ones are listed for 30 days.',
  params: ofUser,
  query: pageQuery,
  status: 200,
  response: page(ClientSecret),
})
export const createClientSecret = operation({
  id: 'createClientSecret',
  name: 'createClientSecret',
  method: 'POST',
  path: '/users/:userGuid/secrets',
  ...common,
  summary: 'Make a secret for an API user',
  description:
    'The server makes the secret, and a client id if the user has none. The other secrets go on working until `endOthersOn`, or until they are ended. At most five work at once. Nobody can make secrets of a user who has access codes or clients beyond their own.',
  params: ofUser,
  body: SecretRotation,
  bodyOptional: true,
  status: 201,
  response: NewClientSecret,
  problems: ['conflict'],
  example: { body: { endOthersOn: '2027-01-31' } },
})
export const endClientSecret = operation({
  id: 'endClientSecret',
  name: 'endClientSecret',
  method: 'DELETE',
  path: '/users/:userGuid/secrets/:secretGuid',
  ...common,
  summary: "End an API user's secret",
  description: 'The secret and the tokens that it got stop working at once, on every node within one second.',
  params: Type.Object({ userGuid: guid('User'), secretGuid: guid('Secret') }),
  status: 200,
  response: Problem,
})
