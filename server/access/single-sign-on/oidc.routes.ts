/** Signing in through an outside OpenID Connect provider (docs/domain/sign-in.md, "Ways to sign in"). */
import { basePath } from '../../../contract/api.ts'
import * as contract from '../../../contract/access/oidc.ts'
import { inTransaction, type Db } from '../../platform/database/transaction.ts'
import type { Change } from '../../platform/events/record.ts'
import type { Origin } from '../../platform/http/caller.ts'
import { ApiError, invalid } from '../../platform/http/errors.ts'
import { serve } from '../serve/route.ts'
import type { ServerContext } from '../serve/server-context.ts'
import { isSame, readCookie, requireSecureCookies, writeCookie } from '../../platform/http/cookies.ts'
import {
  AnswerRefused,
  deriveAttempt,
  openProvider,
  type Identity,
  type OidcProvider,
} from './oidc-client.ts'
import * as store from './oidc.store.ts'
import { hashToken, newSecret } from '../sessions/sessions.ts'
import { answerByCookie } from '../sessions/sign-in.ts'
import { recordUserEvent } from '../sessions/user-record.ts'

/** Why a browser is sent back to the sign-in page. */
type Refusal = 'oidc-expired' | 'oidc-failed' | 'oidc-refused' | 'oidc-mfa'

export function serveOidc(service: ServerContext): void {
  const { settings } = service
  const provider = openProvider(settings)
  const requireProvider = () => {
    if (provider) return provider
    throw new ApiError(
      'not-found',
      'No sign-in provider is configured. Sign in by password, or set FORDRA_OIDC_ISSUER.',
    )
  }

  serve(service, contract.listSignInWays, async () => ({
    body: {
      password: true,
      oidc: provider ? { name: settings.FORDRA_OIDC_NAME, url: basePath + contract.startOidc.path } : null,
    },
  }))

  serve(service, contract.startOidc, async (request) => {
    const { authorizationUrl } = requireProvider()
    const returnTo = requireLocalPath(request.query.returnTo ?? '/')
    requireSecureCookies(settings, request)
    const secret = newSecret()
    const attempt = deriveAttempt(secret)
    const redirect = await authorizationUrl(attempt)
    await store.insertAttempt(request.db, hashToken(attempt.state), returnTo)
    return { body: null, redirect, cookies: [writeCookie(settings, request, 'oidc', secret)] }
  })

  serve(service, contract.finishOidc, async (request) => {
    const known = requireProvider()
    const { db, origin } = request
    const query = request.query as Record<string, unknown>
    const clear = writeCookie(settings, request, 'oidc', null)
    const refuse = (why: Refusal) => ({ body: null, redirect: `/?error=${why}`, cookies: [clear] })
    const secret = readCookie(settings, request, 'oidc')
    const attempt = secret === undefined ? undefined : deriveAttempt(secret)
    // From another browser, or a forged address: the sign-in that this browser started can still finish.
    if (!attempt || typeof query['state'] !== 'string' || !isSame(query['state'], attempt.state))
      return { ...refuse('oidc-expired'), cookies: [] }
    const returnTo = await store.takeAttempt(db, hashToken(attempt.state))
    if (returnTo === undefined) return refuse('oidc-expired')
    const identity = await identify(service, known, query, attempt)
    if (!identity) return refuse('oidc-failed')
    const found = await findUser(service, db, identity, origin)
    if (typeof found === 'string') return refuse(found)
    const { cookies } = await answerByCookie(service, request, found.userId, 'oidc')
    return { body: null, redirect: returnTo, cookies: [clear, ...cookies] }
  })
}

/** A path of our own origin. `//host`, `/\host` and control characters, which browsers drop, would lead elsewhere. */
function requireLocalPath(path: string): string {
  const isLocal = /^\/(?![/\\])[\x21-\x5b\x5d-\x7e]*$/.test(path)
  if (isLocal && new URL(path, 'http://local.invalid').origin === 'http://local.invalid') return path
  throw invalid({
    returnTo: ['must be a path of this origin that begins with a single /, such as /debtors.'],
  })
}

/** Undefined when the provider's answer is invalid. The log tells the operator which check failed. */
async function identify(
  { app }: ServerContext,
  provider: OidcProvider,
  query: Record<string, unknown>,
  attempt: ReturnType<typeof deriveAttempt>,
): Promise<Identity | undefined> {
  try {
    return await provider.identify(query, attempt)
  } catch (error) {
    if (!(error instanceof AnswerRefused)) throw error
    app.log.warn({ code: error.code }, "the provider's sign-in answer was refused")
    return undefined
  }
}

/** The user who may sign in with the identity. The first sign-in links the identity and is recorded. */
async function findUser(
  { settings }: ServerContext,
  db: Db,
  identity: Identity,
  origin: Origin,
): Promise<{ userId: string } | Refusal> {
  const { issuer, email } = identity
  const linked = await store.findLinkedUser(db, identity)
  const user = linked ?? (email === null ? undefined : await store.findUnlinkedUser(db, { issuer, email }))
  if (!user || user.disabled) return 'oidc-refused'
  if (user.mfaType > 0 && !(settings.FORDRA_OIDC_TRUST_MFA === 1 && identity.mfa)) return 'oidc-mfa'
  if (linked) return user
  const { userId } = user
  const isLinked = await inTransaction(db, async (tx) => {
    if (!(await store.linkIdentity(tx, identity, userId))) return false
    const data = { userGuid: userId, issuer }
    const changes: Change['changes'] = { issuer: [null, issuer] }
    await recordUserEvent(tx, userId, { action: 'linked', data, changes }, { ...origin, actorId: userId })
    return true
  })
  return isLinked ? user : 'oidc-refused'
}
