/** Admits requests: the caller's session, quota and access codes. */
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Operation } from '../../../contract/platform/operation.ts'
import { readCookie, requireSameOrigin } from '../../platform/http/cookies.ts'
import { takeOrHold } from '../../platform/http/limits/counts.ts'
import { networkPrefix } from '../../platform/http/limits/network-prefix.ts'
import type { Caller } from '../../platform/http/caller.ts'
import { ApiError } from '../../platform/http/errors.ts'
import type { ServerContext } from './server-context.ts'

/** The caller of a public operation. */
export const anonymousCaller: Caller = {
  userId: '00000000-0000-0000-0000-000000000000',
  sessionId: '',
  partyId: '',
  role: 5,
  accessCodes: new Set(),
  partyIds: [],
  language: 'en',
  mfaPending: false,
}

/** Authenticates the request's caller, takes the request from the caller's quota, and checks access. */
export async function admit(
  service: ServerContext,
  op: Access & Pick<Operation, 'mfaPending'>,
  request: FastifyRequest,
  reply: FastifyReply,
  authenticateBy = authenticate,
): Promise<void> {
  const caller = op.access === 'public' ? anonymousCaller : await authenticateBy(service, request)
  const key = caller === anonymousCaller ? networkPrefix(request.ip) : caller.userId
  takeQuota(service, key, reply)
  reply.raw.once('close', await takeOrHold(service.open, key))
  if (caller.mfaPending && op.mfaPending !== true) {
    throw new ApiError(
      'mfa-required',
      'Enrol a second factor first: POST /api/v1/users/current/mfa/totp for an authenticator app, or /api/v1/users/current/mfa/message for codes by e-mail or SMS.',
    )
  }
  requireAccess(op, caller)
  request.caller = caller
}

type Access = Pick<Operation, 'access' | 'roles' | 'unrestricted'>

/** Throws a 403 that names the access codes of which the caller needs one. */
export function requireAccess(needed: Access, caller: Caller): void {
  if (mayCall(needed, caller)) return
  if (mayCall({ ...needed, unrestricted: undefined }, caller))
    throw new ApiError(
      'forbidden',
      'This concerns the whole installation, and you are restricted to certain clients.',
    )
  throw new ApiError(
    'forbidden',
    `This needs the access code ${(needed.access as readonly string[]).join(' or ')}, which neither your role nor your access groups give you.`,
  )
}

export const mayCall = (needed: Access, caller: Caller): boolean =>
  !(needed.unrestricted && caller.partyIds !== null) &&
  (typeof needed.access === 'string' ||
    needed.access.some((code) => caller.accessCodes.has(code)) ||
    isRoleAdmitted(needed, caller))

/** A token narrowed to a scope has only the access codes of that scope. */
const isRoleAdmitted = (needed: Access, caller: Caller) =>
  needed.roles?.includes(caller.role) === true && caller.narrowed !== true

const unauthenticated = (detail: string) =>
  new ApiError('unauthenticated', detail, { headers: { 'www-authenticate': 'Bearer' } })

/** By bearer token, or by the cookie of our own pages. */
export async function authenticate(service: ServerContext, request: FastifyRequest): Promise<Caller> {
  const header = request.headers.authorization
  const secret = header === undefined ? readCookie(service.settings, request, 'session') : undefined
  if (secret !== undefined) return authenticateByCookie(service, request, secret)
  if (header === undefined)
    throw unauthenticated('Send Authorization: Bearer <token> with a token from POST /api/v1/auth/login.')
  const token = /^Bearer +([\w-]{20,200})$/i.exec(header)?.[1]
  const caller = token === undefined ? undefined : await service.sessions.findCaller(token)
  if (caller) return caller
  takeAddressQuota(service, request)
  throw unauthenticated(
    'The access token is unknown, expired or revoked. Sign in again, or renew it with POST /api/v1/auth/refresh.',
  )
}

/** True if the request carries a valid session. Throws a 429 to an address that guesses tokens. */
export async function isSignedIn(service: ServerContext, request: FastifyRequest): Promise<boolean> {
  try {
    return !(await authenticate(service, request)).mfaPending
  } catch (error) {
    if (error instanceof ApiError && error.kind === 'too-many-requests') throw error
    return false
  }
}

async function authenticateByCookie(
  service: ServerContext,
  request: FastifyRequest,
  secret: string,
): Promise<Caller> {
  const caller = await service.sessions.findCaller(secret, 'cookie')
  if (!caller) {
    takeAddressQuota(service, request)
    throw unauthenticated('The session has ended. Sign in again.')
  }
  requireSameOrigin(service.settings, request, secret)
  return caller
}

/** A wrong token counts against the quota of its address, so that guessing tokens is not free. */
export function takeAddressQuota(service: ServerContext, request: FastifyRequest): void {
  const share = service.limiter.take(networkPrefix(request.ip))
  if (share && share.remaining < 0) throw tooMany(share.resetSeconds)
}

function takeQuota(service: ServerContext, key: string, reply: FastifyReply): void {
  const share = service.limiter.take(key)
  if (!share) return
  reply.headers({
    'ratelimit-limit': share.limit,
    'ratelimit-remaining': Math.max(0, share.remaining),
    'ratelimit-reset': share.resetSeconds,
  })
  if (share.remaining < 0) throw tooMany(share.resetSeconds)
}

const tooMany = (seconds: number) =>
  new ApiError('too-many-requests', `You exceeded your request quota. Wait ${seconds} s.`, {
    headers: { 'retry-after': String(seconds) },
  })
