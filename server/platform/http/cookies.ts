/**
 * Cookie sessions for same-origin web pages (docs/domain/sign-in.md, "Cookies"): cookie names and attributes (RFC
 * 6265bis), and protection against request forgery from other sites.
 */
import { createHmac, hash, timingSafeEqual } from 'node:crypto'
import type { Settings } from '../config.ts'
import { ApiError } from './errors.ts'

/** The properties of a request that say how it arrived. */
export interface WebRequest {
  headers: Record<string, string | string[] | undefined>
  protocol: string
}

/** True if the answer's cookies are Secure: the request came by HTTPS, or the public URL is HTTPS. */
export const isSecure = (settings: Settings, { protocol }: WebRequest): boolean =>
  protocol === 'https' || settings.FORDRA_PUBLIC_URL?.startsWith('https://') === true

const loopback = /^(localhost|[\w.-]+\.localhost|127\.0\.0\.1|\[::1\])(:\d+)?$/i

/** Throws a 400 for a request whose cookies would be sent unencrypted. */
export function requireSecureCookies(settings: Settings, request: WebRequest): void {
  const host = request.headers['host']
  if (isSecure(settings, request) || (typeof host === 'string' && loopback.test(host))) return
  throw new ApiError(
    'invalid',
    'A session by cookie needs HTTPS, except on localhost. Behind a proxy that ends HTTPS set FORDRA_TRUST_PROXY or FORDRA_PUBLIC_URL.',
  )
}

const base = { session: 'fordra', oidc: 'fordra-oidc' }
export type CookieKind = keyof typeof base

/** The prefix `__Host-` keeps other hosts and plain connections from setting the cookie. */
const cookieName = (kind: CookieKind, secure: boolean) => `${secure ? '__Host-' : ''}${base[kind]}`

/** The value of the cookie of that kind; undefined when there is none, or when two differ. */
export function readCookie(settings: Settings, request: WebRequest, kind: CookieKind): string | undefined {
  const header = request.headers['cookie']
  if (typeof header !== 'string') return undefined
  const name = cookieName(kind, isSecure(settings, request))
  const values = header
    .split(';')
    .map((pair) => pair.trim())
    .filter((pair) => pair.startsWith(`${name}=`))
    .map((pair) => pair.slice(name.length + 1))
  const [value] = values
  return values.length === 1 && /^[\w-]{20,200}$/.test(value!) ? value : undefined
}

/**
 * The `Set-Cookie` header for a secret; null removes the cookie. The cookie of a sign-in in progress is Lax, because
 * the provider, another site, redirects the browser back.
 */
export function writeCookie(
  settings: Settings,
  request: WebRequest,
  kind: CookieKind,
  secret: string | null,
): string {
  const secure = isSecure(settings, request)
  return [
    `${cookieName(kind, secure)}=${secret ?? ''}`,
    'Path=/',
    'HttpOnly',
    `SameSite=${kind === 'session' ? 'Strict' : 'Lax'}`,
    ...(secure ? ['Secure'] : []),
    ...(secret === null ? ['Max-Age=0'] : []),
  ].join('; ')
}

/** The CSRF token of a session. It does not reveal the cookie's secret. */
export const deriveCsrfToken = (secret: string): string =>
  createHmac('sha256', secret).update('fordra csrf').digest('base64url')

/** Compares in constant time, for any lengths. */
export const isSame = (given: string, expected: string): boolean =>
  timingSafeEqual(hash('sha256', given, 'buffer'), hash('sha256', expected, 'buffer'))

/** Throws a 403 for a cookie request that a page of another origin may have sent. */
export function requireSameOrigin(
  settings: Settings,
  request: WebRequest & { method: string; host: string },
  secret: string,
): void {
  const reading = request.method === 'GET' || request.method === 'HEAD'
  const site = request.headers['sec-fetch-site']
  if (site !== undefined && site !== 'same-origin' && !(reading && site === 'none')) throw foreign()
  const origin = request.headers['origin']
  if (origin !== undefined && !ownOrigins(settings, request).includes(String(origin))) throw foreign()
  if (reading) return
  const given = request.headers['x-csrf-token']
  if (typeof given === 'string' && isSame(given, deriveCsrfToken(secret))) return
  throw new ApiError(
    'forbidden',
    'A change by cookie needs the header X-CSRF-Token with the csrfToken of this session. GET /api/v1/auth/session returns it.',
  )
}

const foreign = () =>
  new ApiError(
    'forbidden',
    'A session by cookie is for pages of our own origin. From elsewhere send Authorization: Bearer <token>.',
  )

function ownOrigins(settings: Settings, { protocol, host }: { protocol: string; host: string }): string[] {
  const own = `${protocol}://${host}`
  return settings.FORDRA_PUBLIC_URL === undefined ? [own] : [own, new URL(settings.FORDRA_PUBLIC_URL).origin]
}
