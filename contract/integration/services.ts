import { Type, type Static } from 'typebox'
import { guid, key } from '../metadata/fields.ts'
import { operation } from '../platform/operation.ts'

/** Where a custom service is invoked: for a user, for a debtor, or for the system as a whole. */
export const serviceScopes = ['user', 'debtor', 'global'] as const
export type ServiceScope = (typeof serviceScopes)[number]

export const ServiceInput = Type.Unsafe<Record<string, unknown>>({
  $id: 'ServiceInput',
  type: 'object',
  additionalProperties: true,
  description:
    'Passed on to the service; its own schema tells the members. Leaving the body out is as good as `{}`.',
})
export type ServiceInput = Static<typeof ServiceInput>

const Empty = Type.Object({}, { $id: 'Empty', additionalProperties: false, description: 'Always `{}`.' })

const query = Type.Object(
  {
    async: Type.Optional(
      Type.Boolean({
        default: false,
        description:
          'true answers 202 at once and runs the service in the background, trying again when it fails. `Location` names the job.',
      }),
    ),
  },
  { additionalProperties: false },
)
const serviceDefinition = key(100, 'Service', { lookup: 'servicedefinition' })
const common = {
  method: 'POST',
  access: ['service.write'],
  query,
  body: ServiceInput,
  bodyOptional: true,
  status: 200,
  accepts: true,
  response: Empty,
  problems: ['service-failed', 'service-timeout', 'conflict'],
} as const
const description =
  'Runs a service that this installation has. Without `async` it is done when the answer comes: what it wrote is then stored, and after a failure nothing is. A service may ask for one more access code.'

export const invokeUserService = operation({
  id: 'U13',
  name: 'invokeUserService',
  path: '/users/:userGuid/services/:serviceDefinition',
  area: 'Users',
  summary: 'Invoke a custom service definition for a user',
  description,
  ...common,
  params: Type.Object({ userGuid: guid('User'), serviceDefinition }),
  example: { body: { text: 'Ring me when you have signed in.' } },
})
export const invokeGlobalUserService = operation({
  id: 'U14',
  name: 'invokeGlobalUserService',
  path: '/users/services/:serviceDefinition',
  area: 'Users',
  summary: 'Invoke a custom service definition',
  description,
  ...common,
  params: Type.Object({ serviceDefinition }),
  example: { body: {} },
})
export const invokeDebtorService = operation({
  id: 'D25',
  name: 'invokeDebtorService',
  path: '/debtors/:debtorGuid/services/:serviceDefinition',
  area: 'Debtors',
  summary: 'Invoke a custom service definition for a debtor',
  description,
  ...common,
  params: Type.Object({ debtorGuid: guid('Debtor'), serviceDefinition }),
  example: { body: { returned: true } },
})
export const invokeGlobalDebtorService = operation({
  id: 'D26',
  name: 'invokeGlobalDebtorService',
  path: '/debtors/services/:serviceDefinition',
  area: 'Debtors',
  summary: 'Invoke a custom service definition',
  description,
  ...common,
  params: Type.Object({ serviceDefinition }),
  example: { body: {} },
})
