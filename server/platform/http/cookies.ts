/**
 * Sessions by cookie, for web pages of our own origin (docs/domain/sign-in.md, "Cookies"): the names and attributes of the
 * cookies (RFC 6265bis), and what a request by cookie must show against forgery from another site.
 */
import { createHmac, hash, timingSafeEqual } from 'node:crypto'
import type { Settings } from '../config.ts'
import { ApiError } from './errors.ts'

/** What of a request tells how it came. */
export interface WebRequest {
  headers: Record<string, string | string[] | undefined>
  protocol: string
}

/** Whether cookies of the request's answer are Secure: it came by HTTPS, or the whole installation is reached so. */
export const isSecure = (settings: Settings, { protocol }: WebRequest): boolean =>
  protocol === 'https' || settings.FORDRA_PUBLIC_URL?.startsWith('https://') === true

const loopback = /^(localhost|[\w.-]+\.localhost|127\.0\.0\.1|\[::1\])(:\d+)?$/i

/** Throws a 400 for a request whose cookies would go over the network in the clear. */
export function requireCookieWay(settings: Settings, request: WebRequest): void {
  const host = request.headers['host']
  if (isSecure(settings, request) || (typeof host === 'string' && loopback.test(host))) return
  throw new ApiError(
    'invalid',
    'A session by cookie needs HTTPS, except on localhost. Behind a proxy that ends HTTPS set FORDRA_TRUST_PROXY or FORDRA_PUBLIC_URL.',
  )
}

const base = { session: 'fordra', oidc: 'fordra-oidc' }
export type CookieKind = keyof typeof base

/** With the prefix `__Host-` no other host and no plain connection can plant the cookie. */
const nameOf = (kind: CookieKind, secure: boolean) => `${secure ? '__Host-' : ''}${base[kind]}`

/** The value of the one cookie of that kind; undefined when there is none, or when two contradict each other. */
export function readCookie(settings: Settings, request: WebRequest, kind: CookieKind): string | undefined {
  const header = request.headers['cookie']
  if (typeof header !== 'string') return undefined
  const name = nameOf(kind, isSecure(settings, request))
  const values = header
    .split(';')
    .map((pair) => pair.trim())
    .filter((pair) => pair.startsWith(`${name}=`))
    .map((pair) => pair.slice(name.length + 1))
  const [value] = values
  return values.length === 1 && /^[\w-]{20,200}$/.test(value!) ? value : undefined
}

/**
 * The `Set-Cookie` header of a secret, or with null the one that removes the cookie. The cookie of a sign-in under way is
 * Lax: the provider, which is another site, sends the browser back.
 */
export function writeCookie(
  settings: Settings,
  request: WebRequest,
  kind: CookieKind,
  secret: string | null,
): string {
  const secure = isSecure(settings, request)
  return [
    `${nameOf(kind, secure)}=${secret ?? ''}`,
    'Path=/',
    'HttpOnly',
    `SameSite=${kind === 'session' ? 'Strict' : 'Lax'}`,
    ...(secure ? ['Secure'] : []),
    ...(secret === null ? ['Max-Age=0'] : []),
  ].join('; ')
}

/** The CSRF token of a session: whoever knows it does not know the cookie's secret. */
export const csrfTokenOf = (secret: string): string =>
  createHmac('sha256', secret).update('fordra csrf').digest('base64url')

/** Compares in constant time, whatever the lengths. */
export const isSame = (given: string, expected: string): boolean =>
  timingSafeEqual(hash('sha256', given, 'buffer'), hash('sha256', expected, 'buffer'))

/** Throws a 403 for a request by cookie that a page of another origin may have sent. */
export function requireOwnPage(
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
  if (typeof given === 'string' && isSame(given, csrfTokenOf(secret))) return
  throw new ApiError(
    'forbidden',
    'A change by cookie needs the header X-CSRF-Token with the csrfToken of this session. GET /api/v1/auth/session gives it again.',
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
