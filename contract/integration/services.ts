import { Type, type Static } from 'typebox'
import { guid, key } from '../metadata/fields.ts'
import { operation } from '../platform/operation.ts'

/** What a custom service is invoked for: a user, a debtor, or the whole system. */
export const serviceScopes = ['user', 'debtor', 'global'] as const
export type ServiceScope = (typeof serviceScopes)[number]

export const ServiceInput = Type.Unsafe<Record<string, unknown>>({
  $id: 'ServiceInput',
  type: 'object',
  additionalProperties: true,
  description: 'Passed to the service, whose own schema lists the members. An omitted body means `{}`.',
})
export type ServiceInput = Static<typeof ServiceInput>

const Empty = Type.Object({}, { $id: 'Empty', additionalProperties: false, description: 'Always `{}`.' })

const query = Type.Object(
  {
    async: Type.Optional(
      Type.Boolean({
        default: false,
        description:
          'true answers 202 at once and runs the service in the background, with retries after failures. `Location` names the job.',
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
  'Runs a custom service of this installation. Without `async` the answer comes when it is done. Its writes are stored on success only. A service may need one more access code.'

export const invokeUserService = operation({
  id: 'U13',
  name: 'invokeUserService',
  path: '/users/:userGuid/services/:serviceDefinition',
  area: 'Users',
  summary: 'Invoke a custom service definition for a user',
  description,
  ...common,
  params: Type.Object({ userGuid: guid('User'), serviceDefinition }),
  example: {
    params: { serviceDefinition: 'welcome-mail' },
    body: { text: 'Ring me when you have signed in.' },
  },
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
  example: { params: { serviceDefinition: 'contact-gaps' }, body: {} },
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
  example: {
    params: { serviceDefinition: 'address-check' },
    body: { returnedFrom: '0198f2c4-7c2a-7e10-8b17-5a0d9c4e77f2' },
  },
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
  example: { params: { serviceDefinition: 'contact-gaps' }, body: {} },
})
