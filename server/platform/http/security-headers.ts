import type { FastifyRequest } from 'fastify'
import type { Operation } from '../../../contract/platform/operation.ts'
import type { Settings } from '../config.ts'
import { isSecure } from './cookies.ts'

/** On an answer of data, which no browser renders: not to be guessed at, framed, embedded elsewhere or kept. */
const dataHeaders = {
  'x-content-type-options': 'nosniff',
  'cross-origin-resource-policy': 'same-origin',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  'cache-control': 'no-store',
}

/** On all others. The pages of ours set a content security policy that lets their stylesheet in. */
const pageHeaders = {
  ...dataHeaders,
  'content-security-policy':
    "default-src 'none'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'",
  'x-frame-options': 'DENY',
  'referrer-policy': 'no-referrer',
  'cross-origin-opener-policy': 'same-origin',
  'permissions-policy': 'camera=(), microphone=(), geolocation=()',
}

/** Only over HTTPS: elsewhere a browser must pass it over, and a server must not send it (RFC 6797 section 7.2). */
const httpsHeaders = { 'strict-transport-security': 'max-age=31536000' }

const [dataOverHttps, pageOverHttps] = [dataHeaders, pageHeaders].map((headers) => ({
  ...headers,
  ...httpsHeaders,
}))

/** The headers that keep a browser safe, for the answer to a request. */
export function securityHeadersFor(
  settings: Settings,
  request: FastifyRequest,
): Readonly<Record<string, string>> {
  const { operation } = request.routeOptions.config as { operation?: Operation }
  const isData = operation !== undefined && operation.responseType === undefined
  if (isSecure(settings, request)) return (isData ? dataOverHttps : pageOverHttps)!
  return isData ? dataHeaders : pageHeaders
}

/** For an answer to what could not be read as a request. */
export const securityHeadersForAny: Readonly<Record<string, string>> = pageHeaders
