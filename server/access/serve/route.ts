/** Serves the contract's operations: one function authorises, checks, runs and answers each request. */
import { Readable } from 'node:stream'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { basePath } from '../../../contract/api.ts'
import type { Operation, Reply } from '../../../contract/platform/operation.ts'
import { givesETag, takesIdempotencyKey } from '../../../contract/platform/operation-rules.ts'
import { admit, anonymousCaller } from './admit.ts'
import { answerDry, takeDryRun } from './dry-run.ts'
import { ApiError, toProblem } from '../../platform/http/errors.ts'
import { answerOnce, type StoredAnswer } from '../../platform/http/idempotency.ts'
import { createInternalCall } from './internal-call.ts'
import type { Answer, CheckedRequest, HandlerRequest, RawRequest } from './handler-request.ts'
import { untilDeparture } from '../../platform/database/lists/departure.ts'
import { requestPath } from '../../platform/http/request-path.ts'
import { parseMaxStale } from '../../platform/http/replica.ts'
import type { ServerContext } from './server-context.ts'
import { compileCheck, checkQueryEncoding, readQuery, refuseNul } from '../../platform/http/validation.ts'
import { formatETag, parseIfMatch } from '../../platform/http/version.ts'

export function serve<O extends Operation>(
  service: ServerContext,
  op: O,
  handle: (served: HandlerRequest<O>) => Promise<Answer<Reply<O>>>,
): void {
  const checks = checkRequest(op)
  const keyed = takesIdempotencyKey(op)
  service.operations.set(op.name, createInternalCall(op, checks, handle))
  service.app.route({
    method: op.method,
    url: basePath + op.path,
    config: { operation: op },
    ...(op.bodyBytesMax !== undefined && { bodyLimit: op.bodyBytesMax }),
    // A strong entity tag identifies exact bytes, so compressed ones would need another tag. An event stream must be
    // sent event by event.
    ...((givesETag(op) || op.eventStream) && { compress: false }),
    // Runs before the body is read: no work for strangers, or for callers beyond their quota.
    onRequest: (request, reply) => admit(service, op, request, reply),
    handler: async (request, reply) => {
      const answerNow = await inTurn(service, op, { request, reply }, () =>
        prepareAnswer(service, { op, checks, keyed, handle }, request, reply),
      )
      return answerNow()
    },
  })
}

/** Sign-ins wait for their hashes, event requests for events, uploads for their client: each has limits of its own. */
const isGated = ({ access, eventStream, bodyType, bodyBytesMax }: Operation): boolean =>
  access !== 'public' &&
  !eventStream &&
  (bodyType !== 'application/octet-stream' || bodyBytesMax !== undefined)

/** Works when it is the caller's turn. The answer is sent afterwards: its reader may be slow. */
async function inTurn<T>(
  { gate }: ServerContext,
  op: Operation,
  { request, reply }: { request: FastifyRequest; reply: FastifyReply },
  work: () => Promise<T>,
): Promise<T> {
  if (!isGated(op)) return work()
  const own = { caller: request.caller!.userId, isWrite: op.method !== 'GET' }
  const leave = await gate.enter(own, (then) => reply.raw.once('close', then))
  try {
    return await work()
  } finally {
    leave()
  }
}

interface Served<O extends Operation> {
  op: O
  checks: (request: RawRequest) => CheckedRequest<O>
  keyed: boolean
  handle: (served: HandlerRequest<O>) => Promise<Answer<Reply<O>>>
}

/** Checks the request and runs the handler. Returns the function that sends the answer. */
async function prepareAnswer<O extends Operation>(
  service: ServerContext,
  { op, checks, keyed, handle }: Served<O>,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<() => FastifyReply> {
  const caller = request.caller!
  checkQueryEncoding(request.url)
  const isDry = takeDryRun(op, request.query as Record<string, unknown>)
  const served: HandlerRequest<O> = {
    db: service.sql,
    caller,
    ...checks(request),
    origin: {
      actorId: caller === anonymousCaller ? null : caller.userId,
      requestId: request.id,
      operation: op.id,
      businessDate: service.clock.today(),
    },
    ifMatch: op.versioned === true && op.method !== 'GET' ? parseIfMatch(request) : undefined,
    path: requestPath(request),
    headers: request.headers,
    address: request.ip,
    onClose: (then) => {
      if (reply.raw.closed) then()
      else reply.raw.once('close', then)
    },
    protocol: request.protocol,
  }
  if (isDry) {
    const found = await answerDry(service, served, async (own) => {
      const answer = await handle(own)
      const { status, headers } = toStoredAnswer(op, answer)
      return { status, headers, body: withoutSecrets(answer) }
    })
    return () => reply.code(200).headers(found.headers).send(found.body)
  }
  const key = keyed ? request.headers['idempotency-key'] : undefined
  if (typeof key === 'string') return answerKeyed(service, { op, request, reply, served, key, handle })
  const route = () => routeToDatabase(service, op, served, handle)
  const answer = await (op.method === 'GET' ? untilDeparture(watchDeparture(reply), route) : route())
  return () => sendAnswer(op, reply, answer)
}

/** Aborts when the client leaves before it is answered. */
function watchDeparture(reply: FastifyReply): AbortSignal {
  const departure = new AbortController()
  reply.raw.once('close', () => {
    if (!reply.raw.writableFinished)
      departure.abort(new ApiError('invalid', 'The connection ended before the answer.'))
  })
  return departure.signal
}

function sendAnswer<T>(op: Operation, reply: FastifyReply, answer: Answer<T>): FastifyReply {
  for (const cookie of answer.cookies ?? []) reply.header('set-cookie', cookie)
  if (answer.stream) {
    return reply
      .headers({ 'content-type': 'text/event-stream; charset=utf-8', 'x-accel-buffering': 'no' })
      .send(Readable.from(answer.stream))
  }
  if (answer.file) return sendFile(reply, answer.file)
  if (answer.redirect !== undefined) return reply.redirect(answer.redirect, op.status)
  if (op.responseType !== undefined)
    return reply.code(op.status).header('content-type', op.responseType).send(answer.body)
  return send(reply, toStoredAnswer(op, answer))
}

/** Reads from the replica where the operation allows it, and records writes so that later reads see them. */
function routeToDatabase<O extends Operation>(
  { replica }: ServerContext,
  op: O,
  served: HandlerRequest<O>,
  handle: (served: HandlerRequest<O>) => Promise<Answer<Reply<O>>>,
): Promise<Answer<Reply<O>>> {
  if (replica === null || served.caller === anonymousCaller) return handle(served)
  const callerId = served.caller.userId
  if (op.method !== 'GET') {
    return handle(served).then(async (answer) => {
      await replica.noteWrite(callerId)
      return answer
    })
  }
  const asked = served.headers['cache-control']
  const own = asked === undefined ? op.staleSeconds : parseMaxStale(asked)
  const staleSeconds = op.eventStream ? undefined : own
  if (staleSeconds === undefined) return handle(served)
  return replica.read({ callerId, staleSeconds }, (db) => handle({ ...served, db }))
}

/** Operations are constants: nodes in one process share what was compiled. */
const knownChecks = new WeakMap<Operation, (request: RawRequest) => CheckedRequest<Operation>>()

/** Checks an operation's requests. Compiled at the first one: together they would be a third of what a start costs. */
const checkRequest =
  <O extends Operation>(op: O) =>
  (request: RawRequest): CheckedRequest<O> => {
    const checks = knownChecks.get(op) ?? compileChecks<Operation>(op)
    knownChecks.set(op, checks)
    return checks(request) as CheckedRequest<O>
  }

/** The parts of a request, each checked: from here on they are what the operation declares. */
function compileChecks<O extends Operation>(op: O): (request: RawRequest) => CheckedRequest<O> {
  const checkParams = op.params && compileCheck(op.params)
  const checkQuery = compileCheck(op.query ?? noQuery)
  // A file's handler reads it, as a stream or as bytes.
  const isFile = op.bodyType === 'application/octet-stream'
  const checkBody = op.body && !isFile && compileCheck(op.body)
  return (request) => {
    if (checkParams) checkParams(request.params)
    const query = readQuery(op.query ?? noQuery, request.query as Record<string, unknown>)
    checkQuery(query)
    refuseNul(query)
    const body = request.body === undefined && op.bodyOptional === true ? {} : request.body
    if (isFile && body === undefined) throw missingFile()
    if (checkBody) {
      if (body === undefined || body === null) throw missingBody()
      checkBody(body)
    }
    return { params: lowerGuids(request.params), query, body } as CheckedRequest<O>
  }
}

const noQuery = { type: 'object', properties: {}, additionalProperties: false }
const missingBody = () =>
  new ApiError(
    'invalid',
    'The request needs a JSON object as its body, with Content-Type: application/json.',
    {
      errors: { '': ['is required.'] },
    },
  )

const missingFile = () =>
  new ApiError(
    'invalid',
    'The request needs the file as its body, with Content-Type: application/octet-stream.',
    { errors: { '': ['is required.'] } },
  )

/** Identifiers are accepted in any letter case; the server uses lower case. */
function lowerGuids(params: unknown): unknown {
  const given = params as Record<string, string>
  for (const name in given) if (name.endsWith('uid')) given[name] = given[name]!.toLowerCase()
  return given
}

function toStoredAnswer<T>(op: Operation, answer: Answer<T>): StoredAnswer {
  const headers: Record<string, string> = {}
  if (answer.version !== undefined) headers['etag'] = formatETag(answer.version)
  if (answer.location !== undefined) headers['location'] = basePath + answer.location
  return { status: answer.accepted === true ? 202 : op.status, headers, body: JSON.stringify(answer.body) }
}

/** The body as JSON with its secrets emptied: text or list keep their type, so the body still matches the contract. */
function withoutSecrets<T>({ body, secrets = [] }: Answer<T>): string {
  const members = body as Record<string, unknown>
  const empty = secrets.map((name) => [name, Array.isArray(members[name]) ? [] : ''])
  return JSON.stringify({ ...members, ...Object.fromEntries(empty) })
}

const sendFile = (reply: FastifyReply, { type, bytes, name }: NonNullable<Answer<unknown>['file']>) =>
  reply
    .header('content-type', type === 'text/csv' ? 'text/csv; charset=utf-8' : type)
    .header('content-disposition', writeDisposition(name))
    .send(bytes)

/** A name of other letters is sent encoded, with a plain one for old programs (RFC 6266). */
function writeDisposition(name: string): string {
  if (/^[\w. -]+$/.test(name)) return `attachment; filename="${name}"`
  const plain = name.normalize('NFD').replace(/[^\w. -]/g, (sign) => (/\p{M}/u.test(sign) ? '' : '_'))
  const encoded = encodeURIComponent(name).replace(
    /['()*]/g,
    (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`,
  )
  return `attachment; filename="${plain}"; filename*=UTF-8''${encoded}`
}

function send(reply: FastifyReply, answer: StoredAnswer): FastifyReply {
  const type =
    answer.status < 400 ? 'application/json; charset=utf-8' : 'application/problem+json; charset=utf-8'
  return reply.code(answer.status).headers(answer.headers).header('content-type', type).send(answer.body)
}

interface Keyed<O extends Operation> {
  op: O
  request: FastifyRequest
  reply: FastifyReply
  served: HandlerRequest<O>
  key: string
  handle: (served: HandlerRequest<O>) => Promise<Answer<Reply<O>>>
}

async function answerKeyed<O extends Operation>(
  service: ServerContext,
  keyed: Keyed<O>,
): Promise<() => FastifyReply> {
  const { op, request, reply, served, key, handle } = keyed
  if (!/^[\x21-\x7e]{1,255}$/.test(key)) {
    throw new ApiError(
      'invalid',
      'Idempotency-Key must have 1 to 255 visible ASCII characters; a GUID is right.',
      {
        errors: { 'Idempotency-Key': ['must have 1 to 255 visible ASCII characters.'] },
      },
    )
  }
  const { answer, replayed } = await answerOnce(
    service.sql,
    { callerId: served.caller.userId, key, method: op.method, path: request.url, body: served.body },
    async (tx) => {
      const made = await handle({ ...served, db: tx })
      return { ...toStoredAnswer(op, made), ...(made.secrets && { storedBody: withoutSecrets(made) }) }
    },
    (error) => {
      const problem = toProblem(error, { path: served.path, id: request.id })
      return { status: problem.status, headers: error.headers, body: JSON.stringify(problem) }
    },
  )
  await service.replica?.noteWrite(served.caller.userId)
  return () => {
    if (replayed) reply.header('idempotency-replayed', 'true')
    return send(reply, answer)
  }
}
