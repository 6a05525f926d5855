/** Where clients find how to get a token: RFC 9728 for the address for assistants, RFC 8414 for `/oauth2/token`. */
import { allAccessCodes } from '../../../contract/access/access.ts'
import { basePath } from '../../../contract/api.ts'
import { ApiError } from '../../platform/http/errors.ts'
import { admit } from '../serve/admit.ts'
import type { ServerContext } from '../serve/server-context.ts'
import { assistantPath, publicOrigin } from './audience.ts'
import { resourceMetadataPath } from './authenticate-assistant.ts'

export const authorizationPath = '/oauth2/authorize'

export function serveOAuthMetadata(service: ServerContext): void {
  const isOn = service.settings.FORDRA_ASSISTANTS !== 'off'
  const get = (url: string, answer: (origin: string) => object) =>
    service.app.get(url, {
      onRequest: (request, reply) => admit(service, { access: 'public' }, request, reply),
      handler: async (request, reply) =>
        reply
          .header('content-type', 'application/json; charset=utf-8')
          .send(JSON.stringify(answer(publicOrigin(service.settings, request)))),
    })
  get('/.well-known/oauth-authorization-server', (origin) => describeServer(origin, isOn))
  get(authorizationPath, () => {
    throw noCodes()
  })
  if (!isOn) return
  for (const url of [resourceMetadataPath, resourceMetadataPath + assistantPath]) get(url, describeResource)
}

/** Without scopes: clients ask for all that are named here, and a user who lacks one would get no token. */
const describeResource = (origin: string) => ({
  resource: `${origin}${assistantPath}`,
  authorization_servers: [origin],
  bearer_methods_supported: ['header'],
  resource_name: 'Fordra',
  resource_documentation: `${origin}/docs/assistants`,
})

const describeServer = (origin: string, hasAssistants: boolean) => ({
  issuer: origin,
  // The grants below do not use it. Clients refuse metadata without it.
  authorization_endpoint: `${origin}${authorizationPath}`,
  token_endpoint: `${origin}${basePath}/oauth2/token`,
  grant_types_supported: ['client_credentials'],
  response_types_supported: [],
  token_endpoint_auth_methods_supported: ['client_secret_basic', 'client_secret_post'],
  scopes_supported: allAccessCodes,
  service_documentation: `${origin}/docs/integrate`,
  ...(hasAssistants && { protected_resources: [`${origin}${assistantPath}`] }),
})

const noCodes = () =>
  new ApiError(
    'invalid',
    'Tokens are given to API users by the client credentials grant. Make an API user, and give its id and secret to the program.',
    { members: { error: 'unsupported_response_type' } },
  )
