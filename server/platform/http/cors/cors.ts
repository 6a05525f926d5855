/**
 * Cross-origin requests of web pages (the Fetch standard, CORS protocol). Only the origins of FORDRA_CORS_ORIGINS may read
 * answers, only of data, and only with a token: the answer never admits cookies.
 */
import type { FastifyReply, FastifyRequest } from 'fastify'
import { basePath } from '../../../../contract/api.ts'
import { responseHeaders } from '../../../../contract/openapi/openapi-headers.ts'
import type { Settings } from '../../config.ts'
import { requestPath } from '../request-path.ts'

const methods = 'GET, HEAD, POST, PUT, PATCH, DELETE'
/** Not those of cookie sessions: X-Session and X-CSRF-Token. */
const requestHeaders = [
  'Authorization',
  'Content-Type',
  'Accept',
  'Cache-Control',
  'Idempotency-Key',
  'If-Match',
  'If-None-Match',
  'Last-Event-ID',
  'OData-MaxVersion',
  'OData-Version',
  'Prefer',
  'Traceparent',
  'X-Request-Id',
].join(', ')
const readableHeaders = [...Object.keys(responseHeaders), 'OData-Version'].join(', ')
const preflightSeconds = 600

export const readCorsOrigins = ({ FORDRA_CORS_ORIGINS: origins }: Settings): ReadonlySet<string> =>
  new Set(origins === undefined ? [] : origins.split(','))

const isData = (path: string) => path.startsWith(`${basePath}/`) || /^\/odata(\/|$)/.test(path)

/** Adds the headers for an admitted origin. Returns true if it answered a preflight request. */
export function answerCors(
  origins: ReadonlySet<string>,
  request: FastifyRequest,
  reply: FastifyReply,
): boolean {
  if (origins.size === 0 || !isData(requestPath(request))) return false
  // Caches must not give the answer for one origin to another.
  reply.header('vary', 'Origin')
  const { origin } = request.headers
  if (origin === undefined || !origins.has(origin)) return false
  reply.header('access-control-allow-origin', origin)
  const isPreflight =
    request.method === 'OPTIONS' && request.headers['access-control-request-method'] !== undefined
  if (!isPreflight) {
    reply.header('access-control-expose-headers', readableHeaders)
    return false
  }
  void reply
    .code(204)
    .headers({
      'access-control-allow-methods': methods,
      'access-control-allow-headers': requestHeaders,
      'access-control-max-age': String(preflightSeconds),
    })
    .send()
  return true
}
