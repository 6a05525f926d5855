/** Assistants that people connect: registration, the user's decision, and the list of connections. */
import { allAccessCodes, type AccessCode } from '../../../contract/access/access.ts'
import * as contract from '../../../contract/access/assistants.ts'
import { makeId } from '../../platform/database/make-id.ts'
import { inTransaction } from '../../platform/database/transaction.ts'
import type { Caller } from '../../platform/http/caller.ts'
import { readCookie, requireSecureCookies, type WebRequest } from '../../platform/http/cookies.ts'
import { ApiError, done, notFound } from '../../platform/http/errors.ts'
import { serve } from '../serve/route.ts'
import type { ServerContext } from '../serve/server-context.ts'
import { revokeOwnSessions } from '../sessions/own-sessions.store.ts'
import { hashToken, newSecret } from '../sessions/sessions.ts'
import { sessionStart, type SignInRequest } from '../sessions/sign-in.ts'
import { insertClient } from './assistant-clients.store.ts'
import { publicOrigin } from './audience.ts'
import { checkRequest, type CheckedAuthorization } from './authorization-request.ts'
import * as store from './connections.store.ts'
import { readName } from './program-name.ts'
import { isLoopback, isRedirectUri } from './redirect-uris.ts'

export function serveConnections(service: ServerContext): void {
  serveRegistration(service)
  serveDecision(service)

  serve(service, contract.listConnectedAssistants, async ({ db, caller }) => ({
    body: { value: await store.listConnections(db, caller.userId) },
  }))

  serve(service, contract.disconnectAssistant, async ({ db, caller, params, origin, path }) => {
    const own = await store.listConnections(db, caller.userId)
    const isOwn = own.some(({ sessionGuid }) => sessionGuid === params.sessionGuid)
    if (!isOwn) throw notFound('connected assistant of yours')
    await revokeOwnSessions(db, origin, caller, { only: params.sessionGuid })
    service.sessions.forget(params.sessionGuid)
    return { body: done('The assistant is disconnected.', path) }
  })
}

function serveRegistration(service: ServerContext): void {
  serve(service, contract.registerAssistant, async ({ db, body }) => {
    requireAssistants(service)
    if (service.settings.FORDRA_ASSISTANT_REGISTRATION === 0) throw registrationClosed()
    const redirectUris = [...new Set(body.redirect_uris)]
    if (!redirectUris.every(isRedirectUri)) throw wrongAddress()
    const name = readName(body.client_name) ?? new URL(redirectUris[0]!).host
    const { clientId, issuedAt } = await insertClient(db, { name, redirectUris })
    const answer: contract.RegisteredAssistant = {
      client_id: clientId,
      client_id_issued_at: issuedAt,
      client_name: name,
      redirect_uris: redirectUris,
      grant_types: ['authorization_code', 'refresh_token'],
      response_types: ['code'],
      token_endpoint_auth_method: 'none',
    }
    return { body: answer }
  })
}

function serveDecision(service: ServerContext): void {
  const { settings, outbound } = service
  const mayWrite = settings.FORDRA_ASSISTANTS === 'write'

  serve(service, contract.getAssistantRequest, async ({ db, query, headers, protocol }) => {
    requireAssistants(service)
    const { client, redirectUri } = await checkRequest(
      { settings, db, outbound },
      { protocol, host: headers.host ?? '' },
      query,
    )
    const url = new URL(redirectUri)
    const publishedAt = client.document === null ? null : new URL(client.document).host
    const returnsTo = url.host
    return { body: { name: client.name, publishedAt, returnsTo, isLocal: isLoopback(url), mayWrite } }
  })

  serve(service, contract.answerAssistantRequest, async (request) => {
    requireAssistants(service)
    const { db, body, caller, headers, protocol } = request
    const reached = { protocol, host: headers.host ?? '' }
    const checked = await checkRequest({ settings, db, outbound }, reached, body)
    requirePerson(service, request, caller)
    const wantsToWrite = body.access === 'write' && mayWrite
    const answer: Record<string, string> = body.allow
      ? { code: await allow(service, request, { checked, caller, wantsToWrite }) }
      : { error: 'access_denied' }
    // RFC 9207: a program that uses several services sees which one answered.
    const iss = publicOrigin(settings, reached)
    const url = new URL(checked.redirectUri)
    for (const [name, value] of Object.entries({ ...answer, iss })) url.searchParams.set(name, value)
    if (body.state !== undefined) url.searchParams.set('state', body.state)
    return { body: { redirectTo: url.href } }
  })
}

/** Starts the connection, and returns its code. */
async function allow(
  service: ServerContext,
  request: SignInRequest,
  decision: { checked: CheckedAuthorization; caller: Caller; wantsToWrite: boolean },
): Promise<string> {
  const { client, redirectUri, challenge, scope } = decision.checked
  const { userId } = decision.caller
  const code = newSecret()
  const { how, origin, address } = sessionStart(service, request, 'oauth2')
  await inTransaction(request.db, async (tx) => {
    if ((await store.countConnections(tx, userId)) >= store.connectionsMax) throw tooManyConnections()
    await store.insertConnection(tx, {
      session: {
        sessionId: makeId(),
        userId,
        how,
        origin,
        address,
        carriedBy: 'token',
        userAgent: client.name,
        scope: decision.wantsToWrite ? scope : onlyReading(scope),
        mfaPending: false,
        assistant: {
          assistant: client.name,
          clientId: client.document ?? client.clientId,
          returnsTo: new URL(redirectUri).host,
        },
      },
      clientId: client.clientId,
      codeHash: hashToken(code),
      redirectUri,
      challenge,
    })
  })
  return code
}

const onlyReading = (scope: readonly AccessCode[] | null): AccessCode[] =>
  (scope ?? allAccessCodes).filter((code) => code.endsWith('.read'))

function requireAssistants({ settings }: ServerContext): void {
  if (settings.FORDRA_ASSISTANTS === 'off')
    throw new ApiError('not-found', 'Assistants are switched off. FORDRA_ASSISTANTS opens the address.')
}

/**
 * Only a person decides, on our own page: a token that a program holds, or a custom service that acts in the name of
 * its caller, would make itself a connection that outlives it.
 */
function requirePerson({ settings }: ServerContext, request: WebRequest, caller: Caller): void {
  const byCookie =
    request.headers['authorization'] === undefined &&
    readCookie(settings, request, 'session') !== undefined &&
    caller.narrowed !== true
  if (!byCookie)
    throw new ApiError('forbidden', 'Allow assistants in the console. A token cannot allow another program.')
  requireSecureCookies(settings, request)
}

const registrationClosed = () =>
  new ApiError(
    'not-found',
    'Programs do not register themselves here. FORDRA_ASSISTANT_REGISTRATION opens it; FORDRA_ASSISTANT_HOSTS names hosts whose programs connect without.',
  )

const wrongAddress = () => {
  const message =
    'must be https addresses, or http on 127.0.0.1, [::1] or localhost, without user name and fragment.'
  return new ApiError('invalid', `redirect_uris ${message}`, {
    errors: { redirect_uris: [message] },
    members: { error: 'invalid_redirect_uri', error_description: `redirect_uris ${message}` },
  })
}

const tooManyConnections = () =>
  new ApiError('conflict', `You have ${store.connectionsMax} connected assistants. Disconnect one first.`)
