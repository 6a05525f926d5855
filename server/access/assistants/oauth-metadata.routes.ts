/** Where clients find how to get a token: RFC 9728 for the address for assistants, RFC 8414 for `/oauth2/token`. */
import { allAccessCodes } from '../../../contract/access/access.ts'
import { basePath } from '../../../contract/api.ts'
import type { Settings } from '../../platform/config.ts'
import { ApiError } from '../../platform/http/errors.ts'
import { admit } from '../serve/admit.ts'
import type { ServerContext } from '../serve/server-context.ts'
import { assistantPath, publicOrigin } from './audience.ts'
import { listHosts } from './client-documents.ts'
import { connectionGrants } from './connection-tokens.ts'
import { resourceMetadataPath } from './authenticate-assistant.ts'

const authorizationPath = '/oauth2/authorize'

/** The console's page. */
const decisionPath = '/connect'

export function serveOAuthMetadata(service: ServerContext): void {
  const { settings } = service
  const isOn = settings.FORDRA_ASSISTANTS !== 'off'
  const get = (url: string, answer: (origin: string) => object) =>
    service.app.get(url, {
      onRequest: (request, reply) => admit(service, { access: 'public' }, request, reply),
      handler: async (request, reply) =>
        reply
          .header('content-type', 'application/json; charset=utf-8')
          .send(JSON.stringify(answer(publicOrigin(service.settings, request)))),
    })
  get('/.well-known/oauth-authorization-server', (origin) => describeServer(origin, settings))
  serveAuthorization(service)
  if (!isOn) return
  for (const url of [resourceMetadataPath, resourceMetadataPath + assistantPath]) get(url, describeResource)
}

/**
 * Leads the browser to the page of the console on which the user decides, whatever the request asks. What is wrong with
 * it is shown there: an answer to the address in the request would let anyone link through this service.
 */
function serveAuthorization(service: ServerContext): void {
  service.app.get(authorizationPath, {
    onRequest: (request, reply) => admit(service, { access: 'public' }, request, reply),
    handler: async (request, reply) => {
      if (service.settings.FORDRA_ASSISTANTS === 'off') throw noCodes()
      const at = request.url.indexOf('?')
      return reply.redirect(decisionPath + (at < 0 ? '' : request.url.slice(at)), 302)
    },
  })
}

/** Without scopes: clients ask for all that are named here, and a user who lacks one would get no token. */
const describeResource = (origin: string) => ({
  resource: `${origin}${assistantPath}`,
  authorization_servers: [origin],
  bearer_methods_supported: ['header'],
  resource_name: 'Fordra',
  resource_documentation: `${origin}/docs/assistants`,
})

function describeServer(origin: string, settings: Settings) {
  const hasAssistants = settings.FORDRA_ASSISTANTS !== 'off'
  return {
    ...describeGrants(origin, hasAssistants),
    ...(hasAssistants && {
      ...(settings.FORDRA_ASSISTANT_REGISTRATION === 1 && {
        registration_endpoint: `${origin}${basePath}/oauth2/register`,
      }),
      client_id_metadata_document_supported: listHosts(settings).length > 0,
      response_modes_supported: ['query'],
      code_challenge_methods_supported: ['S256'],
      authorization_response_iss_parameter_supported: true,
      protected_resources: [`${origin}${assistantPath}`],
    }),
  }
}

const describeGrants = (origin: string, hasAssistants: boolean) => ({
  issuer: origin,
  // Clients refuse metadata without it.
  authorization_endpoint: `${origin}${authorizationPath}`,
  token_endpoint: `${origin}${basePath}/oauth2/token`,
  grant_types_supported: ['client_credentials', ...(hasAssistants ? connectionGrants : [])],
  response_types_supported: hasAssistants ? ['code'] : [],
  token_endpoint_auth_methods_supported: [
    'client_secret_basic',
    'client_secret_post',
    ...(hasAssistants ? ['none'] : []),
  ],
  scopes_supported: allAccessCodes,
  service_documentation: `${origin}/docs/integrate`,
})

const noCodes = () =>
  new ApiError(
    'invalid',
    'Tokens are given to API users by the client credentials grant. Make an API user, and give its id and secret to the program.',
    { members: { error: 'unsupported_response_type' } },
  )
