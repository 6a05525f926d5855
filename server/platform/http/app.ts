/** The HTTP layer: what applies to every request, whatever its operation. */
import { randomUUID } from 'node:crypto'
import compress from '@fastify/compress'
import {
  fastify,
  LogController,
  type FastifyBaseLogger,
  type FastifyError,
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
} from 'fastify'
import { basePath } from '../../../contract/api.ts'
import type { Operation } from '../../../contract/platform/operation.ts'
import { problems, type ProblemKind } from '../../../contract/platform/problem.ts'
import type { Settings } from '../config.ts'
import { isPassing } from '../database/transaction.ts'
import { ODataError } from '../odata/odata-error.ts'
import { answerBrokenRequest } from './broken-request.ts'
import type { WebConsole } from '../pages/console-files.ts'
import { answerCors, readCorsOrigins } from './cors/cors.ts'
import { discardBody } from './discard-body.ts'
import { ApiError, toProblem } from './errors.ts'
import { parseJsonBody } from './json-body.ts'
import { logDetail } from '../log/log-detail.ts'
import { createLog } from '../log/log.ts'
import { observe } from '../telemetry/metrics.ts'
import { requestPath } from './request-path.ts'
import { securityHeadersFor } from './security-headers.ts'

const bodyBytesMax = 1_048_576
const headerBytesMax = 16_384
const requestIdPattern = /^[\w.:-]{1,128}$/

const makeHttpOptions = ({ FORDRA_SLOW_SECONDS: seconds }: Settings) => ({
  maxHeaderSize: headerBytesMax,
  // Node's own refusal of a missing Host header would have no problem details.
  requireHostHeader: false,
  headersTimeout: seconds * 1_000,
  // Bodies have their own limit: limits/connections.ts. Node refuses to wait longer for headers than for the whole.
  requestTimeout: 0,
  connectionsCheckingInterval: 1_000,
})

/** `webConsole` serves its screens, which are not routes: a catch-all route would also match wrong addresses. */
export async function createHttpApp(settings: Settings, webConsole?: WebConsole): Promise<FastifyInstance> {
  const app: FastifyInstance = fastify({
    loggerInstance: createLog(settings.FORDRA_LOG_LEVEL) as FastifyBaseLogger,
    logController: new LogController({ disableRequestLogging: true }),
    // Each log line names its request itself; a child logger per request would only cost time.
    childLoggerFactory: (logger) => logger,
    bodyLimit: bodyBytesMax,
    routerOptions: { maxParamLength: 500, caseSensitive: true },
    http: makeHttpOptions(settings),
    // A request line may hold an absolute URL (RFC 9112 section 3.2.2).
    rewriteUrl: ({ url = '/' }) => url.replace(/^https?:\/\/[^/?#]*/i, '') || '/',
    requestTimeout: 0,
    keepAliveTimeout: 72_000,
    trustProxy: (_address, hop) => hop < settings.FORDRA_TRUST_PROXY,
    forceCloseConnections: 'idle',
    // Our own refusal of a stopping node has problem details.
    return503OnClosing: false,
    genReqId: (request) => {
      const given = request.headers['x-request-id']
      return typeof given === 'string' && requestIdPattern.test(given) ? given : randomUUID()
    },
    clientErrorHandler: answerBrokenRequest,
    frameworkErrors: (error, request, reply) => {
      void answerError(settings, error, request, reply)
    },
  })
  app.decorateRequest('caller', null)
  app.removeAllContentTypeParsers()
  const routes = collectRoutes(app)
  app.addContentTypeParser('application/json', { parseAs: 'buffer' }, (request, body, parsed) => {
    try {
      parsed(null, readBody(request, body as Buffer))
    } catch (error) {
      parsed(error as Error)
    }
  })
  addHooks(app, settings)
  // Expectations other than 100-continue are ignored, as RFC 9110 section 10.1.1 allows.
  app.server.on('checkExpectation', (request, response) => app.server.emit('request', request, response))
  app.setErrorHandler(async (error, request, reply) => {
    const { code } = error as FastifyError
    if (code === 'FST_ERR_CTP_BODY_TOO_LARGE') await discardBody(request.raw)
    // A QUERY without media type is refused before routing finds that no address supports it.
    const isQuery = code === 'FST_ERR_ROUTE_MISSING_CONTENT_TYPE'
    return answerError(settings, isQuery ? missingRoute(routes, request) : error, request, reply)
  })
  app.setNotFoundHandler((request, reply) =>
    webConsole?.isScreen(request)
      ? webConsole.sendPage(reply)
      : answerError(settings, missingRoute(routes, request), request, reply),
  )
  await app.register(compress, {
    threshold: 1024,
    encodings: ['gzip', 'deflate'],
    zlibOptions: { level: 1 },
    // Refuses a compressed body, instead of unpacking it beyond the limit.
    globalDecompression: false,
  })
  webConsole?.serve(app)
  return app
}

function addHooks(app: FastifyInstance, settings: Settings): void {
  let stopping = false
  const origins = readCorsOrigins(settings)
  app.addHook('preClose', (closed) => {
    stopping = true
    closed()
  })
  // The members of a request's log line are fixed and none is secret; redaction would cost a twentieth of a read.
  const requestLog = app.log.child({}, { redact: [] })
  app.addHook('onRequest', (request, reply, next) => {
    logDetail('arrival', {
      requestId: request.id,
      method: request.method,
      route: request.routeOptions.url ?? null,
    })
    reply.headers(securityHeadersFor(settings, request)).header('x-request-id', request.id)
    if (answerCors(origins, request, reply)) return
    if (stopping) {
      next(
        new ApiError('overloaded', 'This node is stopping. Send the request again in a moment.', {
          headers: { 'retry-after': '1' },
        }),
      )
    } else if (findHostFault(request) !== undefined) {
      next(new ApiError('invalid', findHostFault(request)!))
    } else if (!acceptsJson(request)) {
      next(
        new ApiError(
          'not-acceptable',
          'The service answers in JSON. Send Accept: application/json or omit the header.',
        ),
      )
    } else next()
  })
  app.addHook('onResponse', (request, reply, next) => {
    // The log level may have changed.
    if (requestLog.level !== app.log.level) requestLog.level = app.log.level
    observe(requestLog, request, reply)
    if (request.caller)
      logDetail('caller', { requestId: request.id, user: request.caller.userId, role: request.caller.role })
    next()
  })
}

/** RFC 9112 section 3.2. Node keeps the first, and a proxy in front may have chosen by the second. */
/** A name or an address, perhaps with a port: it stands in addresses that the service answers with. */
const hostPattern = /^(?:[a-z0-9_][a-z0-9._-]*|\[[0-9a-f:.]+\])(?::\d{1,5})?$/i

function findHostFault({ headers, host, raw }: FastifyRequest): string | undefined {
  if (headers.host === undefined && raw.httpVersion === '1.1')
    return 'An HTTP/1.1 request needs a Host header.'
  if (hasTwoHosts(raw.rawHeaders)) return 'An HTTP/1.1 request has one Host header. Send it once.'
  // `host` is that of a trusted proxy, if it names one.
  if ([headers.host, host].every((one) => !one || hostPattern.test(one))) return undefined
  return 'The Host of an HTTP/1.1 request is a name or an address, perhaps with a port.'
}

function hasTwoHosts(rawHeaders: readonly string[]): boolean {
  let hosts = 0
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = rawHeaders[at]!
    if (name.length === 4 && name.toLowerCase() === 'host') hosts++
  }
  return hosts > 1
}

function acceptsJson(request: FastifyRequest): boolean {
  const accept = request.headers.accept
  const { operation } = request.routeOptions.config as { operation?: Operation }
  if (operation?.eventStream && accept?.includes('text/event-stream')) return true
  const [type] = operation?.responseType?.split(';') ?? []
  if (type !== undefined && accept?.includes(type)) return true
  if (!accept?.trim() || accept.includes('*/*') || !request.url.startsWith(`${basePath}/`)) return true
  return /(^|[,\s])application\/(\*|([\w.-]+\+)?json)\s*([,;]|$)/i.test(accept)
}

/** Reads a JSON body; it must be UTF-8 and uncompressed. */
function readBody(request: FastifyRequest, body: Buffer): unknown {
  const charset = /charset="?([\w-]+)/i.exec(request.headers['content-type'] ?? '')?.[1]
  const encoding = request.headers['content-encoding'] ?? 'identity'
  if ((charset && charset.toLowerCase() !== 'utf-8') || encoding !== 'identity') {
    throw new ApiError('unsupported-media-type', 'Send the body as JSON in UTF-8, not compressed.')
  }
  return parseJsonBody(body)
}

interface RoutePattern {
  methods: string[]
  pattern: RegExp
}

/** Records every route added from here on, to tell a wrong method from an unknown address. */
function collectRoutes(app: FastifyInstance): RoutePattern[] {
  const routes: RoutePattern[] = []
  app.addHook('onRoute', ({ method, url }) => {
    const pattern = new RegExp(`^${url.replaceAll('.', '\\.').replace(/:\w+/g, '[^/]+')}$`)
    routes.push({ methods: [method].flat(), pattern })
  })
  return routes
}

function missingRoute(routes: readonly RoutePattern[], request: FastifyRequest): ApiError {
  const path = requestPath(request)
  const methods = [
    ...new Set(routes.filter(({ pattern }) => pattern.test(path)).flatMap((route) => route.methods)),
  ].toSorted()
  if (methods.length === 0 || methods.includes(request.method)) {
    return new ApiError(
      'not-found',
      'There is no such address. The reference at /reference lists those that exist.',
    )
  }
  const allow = methods.join(', ')
  return new ApiError('method-not-allowed', `This address supports ${allow}.`, { headers: { allow } })
}

/** Fastify's own errors, by code. */
const ownKinds: Record<string, [kind: ProblemKind, detail: string]> = {
  FST_ERR_CTP_INVALID_MEDIA_TYPE: [
    'unsupported-media-type',
    'Send the body as Content-Type: application/json.',
  ],
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: [
    'invalid',
    'The length of the body differs from Content-Length. Send the right length.',
  ],
  FST_ERR_CTP_BODY_TOO_LARGE: [
    'payload-too-large',
    'The body is larger than 1 MiB, or 2 MiB with a photo. Send less at once.',
  ],
  FST_ERR_BAD_URL: ['invalid', 'The address has a malformed percent-encoding. Encode it as UTF-8.'],
  FST_ERR_MAX_PARAM_LENGTH: ['not-found', 'There is no such resource: a part of the address is too long.'],
  FST_ERR_ASYNC_CONSTRAINT: ['not-found', 'There is no such address.'],
}

const brokenOff: [kind: ProblemKind, detail: string] = [
  'invalid',
  'The connection ended before the whole body had arrived. Send it again.',
]

/** True if the client left while its body was being read; Node has no code of its own for it. */
const isBrokenOff = (error: unknown) =>
  (error as NodeJS.ErrnoException).code === 'ECONNRESET' && (error as Error).message === 'aborted'

const diskFull = '53100'

/** Converts any error to the caller's. */
export function toApiError(error: unknown): ApiError {
  if (error instanceof ApiError) return error
  if (error instanceof ODataError) {
    return new ApiError('invalid', `${error.option}: ${error.message}`, {
      errors: { [error.option]: [error.message] },
    })
  }
  const code = String((error as FastifyError).code ?? '')
  const own = isBrokenOff(error) ? brokenOff : ownKinds[code]
  if (own) return new ApiError(...own)
  if (code === '23503') {
    return new ApiError(
      'conflict',
      'Another request deleted this resource or began to use it at the same moment. Read it again.',
    )
  }
  if (code === diskFull) {
    return new ApiError(
      'overloaded',
      'The database has no space left. Nothing was changed, and reading still works. Its administrator must free space.',
      { headers: { 'retry-after': '30' } },
    )
  }
  if (isPassing(error)) {
    return new ApiError('overloaded', 'The database did not answer in time. Try again in a moment.', {
      headers: { 'retry-after': '2' },
    })
  }
  return new ApiError('internal', 'Something went wrong on our side. Give traceId to your administrator.')
}

function answerError(
  settings: Settings,
  error: unknown,
  request: FastifyRequest,
  reply: FastifyReply,
): FastifyReply {
  const known = toApiError(error)
  const [status] = problems[known.kind]
  logDetail('refusal', {
    requestId: request.id,
    status,
    code: known.kind,
    members: Object.keys(known.errors ?? {}).length,
  })
  if (status >= 500 && known !== error)
    request.log.error({ ...describeError(error), requestId: request.id }, 'request failed')
  return (
    reply
      .code(status)
      .header('content-type', 'application/problem+json; charset=utf-8')
      // The hooks have set them already, except for an unreadable address.
      .headers({ ...securityHeadersFor(settings, request), 'x-request-id': request.id, ...known.headers })
      .send(JSON.stringify(toProblem(known, { path: requestPath(request), id: request.id })))
  )
}

/** For the log: without statement parameters and constraint values, which may be personal data. */
export function describeError(error: unknown): object {
  const { name, code, stack, table, constraint } = error as Record<string, string | undefined>
  const frames = stack
    ?.split('\n')
    .filter((line) => line.trim().startsWith('at '))
    .slice(0, 12)
  // Messages about the server's own state contain no data: full disk, too many connections, shutdown.
  const isOfServer = code === undefined || /^5[378]/.test(code)
  const message = isOfServer ? (error as Error).message : undefined
  return { error: { name, code, table, constraint, message, frames } }
}
