/** How every way to sign in ends: with tokens, or with a session by cookie for web pages of the same origin. */
import type { SignedIn } from '../../../contract/access/sessions.ts'
import type { Db } from '../../platform/database/transaction.ts'
import type { Origin } from '../../platform/http/caller.ts'
import { ApiError } from '../../platform/http/errors.ts'
import type { Answer } from '../serve/served.ts'
import type { Service } from '../serve/service.ts'
import { csrfTokenOf, requireCookieWay, writeCookie } from '../../platform/http/cookies.ts'
import type { SignInWay } from './sign-in-way.ts'
import { limitsOf, startCookieSession, startSession, type SessionStart } from './sessions.ts'

/** What of a request decides about its session; `Served` has it all. */
export interface SignInRequest {
  db: Db
  headers: Record<string, string | string[] | undefined>
  address: string
  protocol: string
  origin: Origin
}

/**
 * Starts a session for a user who has proven who they are; the caller has checked that the user may sign in. It is
 * always a new one: a cookie or token that came along with the request plays no part.
 */
export async function answerSignedIn(
  service: Service,
  request: SignInRequest,
  userId: string,
  how: SignInWay,
  more: Pick<SessionStart, 'mfaPending'> = {},
): Promise<Answer<SignedIn>> {
  const wanted = request.headers['x-session']
  if (wanted === 'cookie') return answerByCookie(service, request, userId, how, more)
  if (wanted !== undefined) {
    throw new ApiError('invalid', 'X-Session must be cookie, or be left out for tokens.', {
      errors: { 'X-Session': ['must be cookie, or be left out for tokens.'] },
    })
  }
  const { tokens } = await startSession(request.db, userId, {
    ...startOf(service, request, how),
    ...more,
  })
  return { body: tokens }
}

/** The same by cookie, whatever the request's headers say. */
export async function answerByCookie(
  service: Service,
  request: SignInRequest,
  userId: string,
  how: SignInWay,
  more: Pick<SessionStart, 'mfaPending'> = {},
): Promise<Answer<SignedIn> & { cookies: string[] }> {
  const { settings } = service
  requireCookieWay(settings, request)
  const start = startOf(service, request, how)
  const secret = await startCookieSession(request.db, userId, { ...start, ...more })
  return {
    body: { csrfToken: csrfTokenOf(secret), expiresIn: start.limits.idle },
    cookies: [writeCookie(settings, request, 'session', secret)],
  }
}

export function startOf({ settings }: Service, { headers, address, origin }: SignInRequest, how: SignInWay) {
  const userAgent = headers['user-agent']
  return {
    how,
    origin,
    address,
    userAgent: typeof userAgent === 'string' ? userAgent : null,
    limits: limitsOf(settings),
  }
}
