import type { FastifyRequest } from 'fastify'
import type { Operation } from '../../../contract/platform/operation.ts'
import type { Settings } from '../config.ts'
import { isSecure } from './cookies.ts'

/** For data, which browsers must not sniff, frame, embed elsewhere or cache. */
const dataHeaders = {
  'x-content-type-options': 'nosniff',
  'cross-origin-resource-policy': 'same-origin',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  'cache-control': 'no-store',
}

/** For all other answers. Our pages set their own content security policy. */
const pageHeaders = {
  ...dataHeaders,
  'content-security-policy':
    "default-src 'none'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'",
  'x-frame-options': 'DENY',
  'referrer-policy': 'no-referrer',
  'cross-origin-opener-policy': 'same-origin',
  'permissions-policy': 'camera=(), microphone=(), geolocation=()',
}

/** Only over HTTPS: elsewhere browsers must ignore it and servers must not send it (RFC 6797 section 7.2). */
const httpsHeaders = { 'strict-transport-security': 'max-age=31536000' }

const [dataOverHttps, pageOverHttps] = [dataHeaders, pageHeaders].map((headers) => ({
  ...headers,
  ...httpsHeaders,
}))

/** The headers that protect browsers, for the answer to a request. */
export function securityHeadersFor(
  settings: Settings,
  request: FastifyRequest,
): Readonly<Record<string, string>> {
  const { operation } = request.routeOptions.config as { operation?: Operation }
  const isData = operation !== undefined && operation.responseType === undefined
  if (isSecure(settings, request)) return (isData ? dataOverHttps : pageOverHttps)!
  return isData ? dataHeaders : pageHeaders
}

/** For the answer to an unreadable request. */
export const securityHeadersForAny: Readonly<Record<string, string>> = pageHeaders
