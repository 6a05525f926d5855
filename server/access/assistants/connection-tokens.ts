/** The grants of connected assistants at the token endpoint: codes with PKCE, and refresh tokens that work once. */
import { hash } from 'node:crypto'
import type { ClientToken } from '../../../contract/access/oauth2.ts'
import { inTransaction, type Db } from '../../platform/database/transaction.ts'
import type { Origin } from '../../platform/http/caller.ts'
import { isSame } from '../../platform/http/cookies.ts'
import { ApiError } from '../../platform/http/errors.ts'
import type { ServerContext } from '../serve/server-context.ts'
import { findUserCaller, hashToken, newSecret } from '../sessions/sessions.ts'
import { endSession, insertTokens } from '../sessions/sessions.store.ts'
import { readAudience, type Reached } from './audience.ts'
import { isAllowedClient, isDocumentUrl } from './client-documents.ts'
import * as store from './connections.store.ts'

/** The members of a token request, as received. */
export interface GrantMembers {
  grant_type: string
  client_id?: string
  client_secret?: string
  resource?: string
  code?: string
  redirect_uri?: string
  code_verifier?: string
  refresh_token?: string
}

export const connectionGrants: readonly string[] = ['authorization_code', 'refresh_token']

interface Grant {
  db: Db
  body: GrantMembers
  origin: Origin
  reached: Reached
}

/** Throws the one refusal for everything that is wrong with a code or token: nobody learns what was right of it. */
export async function grantConnection(service: ServerContext, grant: Grant): Promise<ClientToken> {
  const { db, body, reached, origin } = grant
  const { resource } = body
  if (resource !== undefined && readAudience(service.settings, reached, resource) !== 'assistants')
    throw refused('invalid_target', 'resource must be the address for assistants.')
  const take = body.grant_type === 'refresh_token' ? takeRefresh : takeCode
  // Not thrown inside: what was used up stays used up.
  const outcome = await inTransaction(db, async (tx) => {
    const { token, isRight } = await take(tx, body)
    if (!token) return undefined
    if (token.isUsed || !isRight || !isAllowedClient(service.settings, token.clientId)) {
      await endSession(tx, origin, 'revoked', token)
      return { ended: token.sessionId }
    }
    if (!token.usable) return undefined
    if (take === takeCode)
      await store.openConnection(tx, token.sessionId, service.settings.FORDRA_ASSISTANT_DAYS)
    return { answer: await renew(service, tx, token) }
  })
  if (outcome?.answer) return outcome.answer
  if (outcome?.ended) service.sessions.forget(outcome.ended)
  throw refused(
    'invalid_grant',
    'The code or refresh token is unknown, expired, revoked, used before, or of another program. Connect again.',
  )
}

interface Taken {
  token: store.ConnectionToken | undefined
  /** The program proved that it is the one that asked. Who does not has the code or token of another. */
  isRight: boolean
}

async function takeCode(tx: Db, body: GrantMembers): Promise<Taken> {
  const code = await store.takeCode(tx, hashToken(body.code ?? ''))
  const isRight =
    code !== undefined &&
    body.client_secret === undefined &&
    belongsTo(code, body) &&
    isSame(body.redirect_uri ?? '', code.redirectUri) &&
    verifies(body.code_verifier ?? '', code.challenge)
  return { token: code, isRight }
}

async function takeRefresh(tx: Db, body: GrantMembers): Promise<Taken> {
  const token = await store.takeRefreshToken(tx, hashToken(body.refresh_token ?? ''))
  return {
    token,
    isRight: token !== undefined && belongsTo(token, body),
  }
}

/** The address of a document is compared as it is written. */
const belongsTo = ({ clientId }: store.ConnectionToken, { client_id: given = '' }: GrantMembers): boolean =>
  isSame(isDocumentUrl(clientId) ? given : given.toLowerCase(), clientId)

/** RFC 7636 sections 4.1 and 4.6. */
const verifies = (verifier: string, challenge: string): boolean =>
  /^[A-Za-z0-9._~-]{43,128}$/.test(verifier) && isSame(hash('sha256', verifier, 'base64url'), challenge)

/** The next pair of tokens. The access token has the audience of assistants: no other address takes it. */
async function renew(
  { settings }: ServerContext,
  tx: Db,
  { sessionId, userId, scope }: store.ConnectionToken,
): Promise<ClientToken> {
  const [accessToken, refreshToken] = [newSecret(), newSecret()]
  const left = await store.findSecondsLeft(tx, sessionId)
  const seconds = Math.min(settings.FORDRA_ACCESS_MINUTES * 60, left)
  await insertTokens(tx, sessionId, [
    { hash: hashToken(accessToken), kind: 'assistant', seconds },
    { hash: hashToken(refreshToken), kind: 'assistant-refresh', seconds: left },
  ])
  const caller = await findUserCaller(tx, userId, scope)
  return {
    access_token: accessToken,
    token_type: 'Bearer',
    expires_in: seconds,
    scope: [...(caller?.accessCodes ?? [])].toSorted().join(' '),
    refresh_token: refreshToken,
  }
}

const refused = (error: string, message: string) =>
  new ApiError('invalid', message, { errors: {}, members: { error } })
