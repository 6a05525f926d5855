/** Tokens for API clients: OAuth 2.0, RFC 6749, the client credentials grant (section 4.4). */
import type { FastifyInstance } from 'fastify'
import { roleAccessCodes, type AccessCode } from '../../../contract/access/access.ts'
import { requestToken, type ClientToken } from '../../../contract/access/oauth2.ts'
import { toApiError } from '../../platform/http/app.ts'
import { ApiError } from '../../platform/http/errors.ts'
import { authenticateClient, invalidClient } from '../api-users/authenticate-client.ts'
import { readAudience } from '../assistants/audience.ts'
import { connectionGrants, grantConnection } from '../assistants/connection-tokens.ts'
import { serve } from '../serve/route.ts'
import type { ServerContext } from '../serve/server-context.ts'
import { parseBasic, parseForm, type ClientCredentials } from './oauth2-form.ts'
import { startClientSession } from './sessions.ts'
import { sessionStart } from './sign-in.ts'

/** A Fastify scope of its own: only this route accepts forms and answers errors as RFC 6749 section 5.2 requires. */
export function serveOAuth2(service: ServerContext): void {
  void service.app.register((app, _options, ready) => {
    takeForms(app)
    addOAuthErrors(app)
    // RFC 6749 section 5.1 requires it in addition to Cache-Control.
    app.addHook('onRequest', async (_request, reply) => void reply.header('pragma', 'no-cache'))
    serveToken({ ...service, app })
    ready()
  })
}

function takeForms(app: FastifyInstance): void {
  app.removeAllContentTypeParsers()
  app.addContentTypeParser(
    'application/x-www-form-urlencoded',
    { parseAs: 'buffer', bodyLimit: 16_384 },
    (_request, body, parsed) => {
      try {
        parsed(null, parseForm(body as Buffer))
      } catch (error) {
        parsed(error as Error)
      }
    },
  )
}

const problemTypes = /application\/problem\+json/i
const plainJson = /application\/json/i

/** Every error of this address also has the members of RFC 6749, and its media type if `Accept` asks for it. */
function addOAuthErrors(app: FastifyInstance): void {
  app.setErrorHandler((error, request) => {
    const known = toApiError(error)
    if (known.kind === 'internal') throw error
    const accept = request.headers.accept ?? ''
    const isPlain = plainJson.test(accept) && !problemTypes.test(accept)
    throw new ApiError(known.kind, oauthDetail(known), {
      ...(known.errors && { errors: known.errors }),
      members: {
        error: oauthErrorCode(known),
        error_description: toVisibleAscii(oauthDetail(known)),
        ...known.members,
      },
      headers: { ...known.headers, ...(isPlain && { 'content-type': 'application/json; charset=utf-8' }) },
    })
  })
}

const oauthDetail = ({ kind, message }: ApiError) =>
  kind === 'unsupported-media-type'
    ? 'Send the body as Content-Type: application/x-www-form-urlencoded.'
    : message

function oauthErrorCode({ kind }: ApiError): string {
  if (kind === 'login-failed') return 'invalid_client'
  return ['too-many-requests', 'overloaded'].includes(kind) ? 'temporarily_unavailable' : 'invalid_request'
}

/** RFC 6749 section 5.2 allows visible ASCII except quote and backslash. */
const toVisibleAscii = (text: string) => text.replaceAll(/[^\x20-\x21\x23-\x5b\x5d-\x7e]/g, '')

const refused = (error: string, member: string, message: string) =>
  new ApiError('invalid', `${member} ${message}`, { errors: { [member]: [message] }, members: { error } })

function serveToken(service: ServerContext): void {
  serve(service, requestToken, async (request) => {
    const { db, body, headers, address } = request
    refuseAssertion(body)
    const reached = { protocol: request.protocol, host: headers.host ?? '' }
    if (connectionGrants.includes(body.grant_type) && service.settings.FORDRA_ASSISTANTS !== 'off')
      return { body: await grantConnection(service, { db, body, origin: request.origin, reached }) }
    if (body.grant_type !== 'client_credentials')
      throw refused('unsupported_grant_type', 'grant_type', 'must be client_credentials.')
    const credentials = readCredentials(headers.authorization, body.client_id, body.client_secret)
    const { client, secret } = await authenticateClient(db, credentials, address)
    const held = new Set<AccessCode>([...roleAccessCodes[client.userRole], ...client.groupCodes])
    const scope = body.scope === undefined ? null : readScope(body.scope, held)
    const audience = readAudience(service.settings, reached, body.resource)
    const { token, expiresIn } = await startClientSession(db, client.userId, {
      ...sessionStart(service, request, 'oauth2'),
      scope,
      audience,
      clientSecret: secret,
    })
    const answer: ClientToken = {
      access_token: token,
      token_type: 'Bearer',
      expires_in: expiresIn,
      scope: [...(scope ?? held)].toSorted().join(' '),
    }
    return { body: answer }
  })
}

/** Ignored like other unknown members it would seem to be checked (RFC 7523). */
function refuseAssertion(body: Readonly<Record<string, unknown>>): void {
  const name = ['client_assertion', 'client_assertion_type'].find((member) => member in body)
  if (name !== undefined)
    throw refused(
      'invalid_client',
      name,
      'is not supported. Send client id and secret, or as a registered program the client_id alone.',
    )
}

function readCredentials(
  header: string | undefined,
  clientId: string | undefined,
  clientSecret: string | undefined,
): ClientCredentials {
  if (header === undefined) {
    if (clientId === undefined || clientSecret === undefined) throw invalidClient()
    return { clientId, clientSecret }
  }
  if (clientSecret !== undefined) {
    throw refused(
      'invalid_request',
      'client_secret',
      'must be sent by HTTP Basic or in the form, not both (RFC 6749 section 2.3).',
    )
  }
  const credentials = parseBasic(header)
  if (!credentials) throw invalidClient()
  if (clientId !== undefined && clientId.toLowerCase() !== credentials.clientId.toLowerCase())
    throw refused('invalid_request', 'client_id', 'differs from the one of HTTP Basic.')
  return credentials
}

/** RFC 6749 section 3.3: names separated by one space. Throws for an access code that the user does not have. */
function readScope(scope: string, held: ReadonlySet<AccessCode>): AccessCode[] {
  const wanted = [...new Set(scope.split(' '))]
  const granted = wanted.filter((code): code is AccessCode => held.has(code as AccessCode))
  if (granted.length === wanted.length) return granted
  throw refused(
    'invalid_scope',
    'scope',
    `must name access codes of this user with one space between: ${[...held].toSorted().join(', ')}.`,
  )
}
