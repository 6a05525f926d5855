/** The end of every sign-in: tokens, or a cookie session for same-origin web pages. */
import type { SignedIn } from '../../../contract/access/sessions.ts'
import type { Db } from '../../platform/database/transaction.ts'
import type { Origin } from '../../platform/http/caller.ts'
import { ApiError } from '../../platform/http/errors.ts'
import type { Answer } from '../serve/handler-request.ts'
import type { ServerContext } from '../serve/server-context.ts'
import { deriveCsrfToken, requireSecureCookies, writeCookie } from '../../platform/http/cookies.ts'
import type { SignInMethod } from './sign-in-method.ts'
import { sessionLimits, startCookieSession, startSession, type SessionStart } from './sessions.ts'

/** The parts of a request that affect its session; `HandlerRequest` has them all. */
export interface SignInRequest {
  db: Db
  headers: Record<string, string | string[] | undefined>
  address: string
  protocol: string
  origin: Origin
}

/**
 * Starts a session for an authenticated user; the caller has checked that the user may sign in. The session is always
 * new: cookies and tokens sent with the request are ignored.
 */
export async function answerSignedIn(
  service: ServerContext,
  request: SignInRequest,
  userId: string,
  how: SignInMethod,
  more: Pick<SessionStart, 'mfaPending'> = {},
): Promise<Answer<SignedIn>> {
  const wanted = request.headers['x-session']
  if (wanted === 'cookie') return answerByCookie(service, request, userId, how, more)
  if (wanted !== undefined) {
    throw new ApiError('invalid', 'X-Session must be cookie. Omit it to get tokens.', {
      errors: { 'X-Session': ['must be cookie. Omit it to get tokens.'] },
    })
  }
  const { tokens } = await startSession(request.db, userId, {
    ...sessionStart(service, request, how),
    ...more,
  })
  return { body: tokens }
}

/** The same by cookie, regardless of the request's headers. */
export async function answerByCookie(
  service: ServerContext,
  request: SignInRequest,
  userId: string,
  how: SignInMethod,
  more: Pick<SessionStart, 'mfaPending'> = {},
): Promise<Answer<SignedIn> & { cookies: string[] }> {
  const { settings } = service
  requireSecureCookies(settings, request)
  const start = sessionStart(service, request, how)
  const secret = await startCookieSession(request.db, userId, { ...start, ...more })
  return {
    body: { csrfToken: deriveCsrfToken(secret), expiresIn: start.limits.idle },
    cookies: [writeCookie(settings, request, 'session', secret)],
  }
}

export function sessionStart(
  { settings }: ServerContext,
  { headers, address, origin }: SignInRequest,
  how: SignInMethod,
) {
  const userAgent = headers['user-agent']
  return {
    how,
    origin,
    address,
    userAgent: typeof userAgent === 'string' ? userAgent : null,
    limits: sessionLimits(settings),
  }
}
