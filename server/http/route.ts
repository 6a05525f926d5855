/** Serves the contract's operations: one function guards, checks, runs and answers every one of them. */
import { Readable } from 'node:stream'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { basePath } from '../../contract/api.ts'
import type { Call, Operation, Reply } from '../../contract/operation.ts'
import { givesETag, takesIdempotencyKey } from '../../contract/operation-rules.ts'
import type { Db } from '../database/transaction.ts'
import { readCookie, requireOwnPage } from '../sessions/cookies.ts'
import type { Caller, Origin } from './caller.ts'
import { ApiError, problemOf } from './errors.ts'
import { answerOnce, type StoredAnswer } from './idempotency.ts'
import { insideCallOf } from './inside.ts'
import { staleSecondsOf } from './replica.ts'
import type { Service } from './service.ts'
import { checkOf, readQuery } from './validation.ts'
import { etagOf, ifMatchOf, type IfMatch } from './version.ts'

/** What a caller sent, checked. A file is its bytes where the operation says how large it may be, else a stream. */
export interface Checked<O extends Operation> {
  params: Call<O>['params']
  query: Call<O>['query']
  body: O extends { bodyType: 'application/octet-stream' }
    ? O extends { bodyBytesMax: number }
      ? Buffer
      : Readable
    : Call<O>['body']
}

/** A request's parts as they came. */
export interface Unchecked {
  params: unknown
  query: unknown
  body: unknown
}

/** A checked request, as a handler gets it. */
export type Served<O extends Operation> = Checked<O> & {
  /** The pool, or the transaction in which the request is answered once. */
  db: Db
  caller: Caller
  origin: Origin
  ifMatch: IfMatch
  /** The request's path, for problem details. */
  path: string
  headers: FastifyRequest['headers']
  /** The caller's network address. */
  address: string
  /** `https` when the request came so, or came so to a trusted proxy in front. */
  protocol: string
}

export interface Answer<T> {
  body: T
  /** Of the resource: its entity tag. */
  version?: number
  /** Of a new resource, below the base path. */
  location?: string
  /** Whole `Set-Cookie` headers. An answer with one is never stored for `Idempotency-Key`. */
  cookies?: readonly string[]
  /** 202: it is done later. */
  accepted?: true
  /** Sent as `text/event-stream` in place of the body, which is then not read. */
  stream?: AsyncIterable<string>
  /** Sent in place of the body, to be saved under its name; its type is one of the operation's `formats`. */
  file?: { type: string; bytes: Buffer; name: string }
  /** Where a 302 leads: a path of ours, or an address that is not the caller's to choose. */
  redirect?: string
}

const nobody: Caller = {
  userId: '00000000-0000-0000-0000-000000000000',
  sessionId: '',
  partyId: '',
  role: 5,
  accessCodes: new Set(),
  partyIds: [],
  language: 'en',
  mfaPending: false,
}

export function serve<O extends Operation>(
  service: Service,
  op: O,
  handle: (served: Served<O>) => Promise<Answer<Reply<O>>>,
): void {
  const checks = checksOf(op)
  const keyed = takesIdempotencyKey(op)
  const callers = new WeakMap<FastifyRequest, Caller>()
  service.operations.set(op.name, insideCallOf(op, { checks, requireAccess }, handle))
  service.app.route({
    method: op.method,
    url: basePath + op.path,
    config: { operation: op },
    ...(op.bodyBytesMax !== undefined && { bodyLimit: op.bodyBytesMax }),
    // A strong entity tag stands for the very bytes: packed ones would need another, and nobody could compare the two.
    // A stream is passed on event by event.
    ...((givesETag(op) || op.eventStream) && { compress: false }),
    // Before the body is read: that of a stranger, or of one beyond their share, is not worth the work.
    onRequest: async (request, reply) => {
      callers.set(request, await admit(service, op, request, reply))
    },
    handler: async (request, reply) => {
      const caller = callers.get(request)!
      const served: Served<O> = {
        db: service.sql,
        caller,
        ...checks(request),
        origin: {
          actorId: caller === nobody ? null : caller.userId,
          requestId: request.id,
          operation: op.id,
          businessDate: service.clock.today(),
        },
        ifMatch: op.versioned === true && op.method !== 'GET' ? ifMatchOf(request) : undefined,
        path: pathOf(request),
        headers: request.headers,
        address: request.ip,
        protocol: request.protocol,
      }
      const key = keyed ? request.headers['idempotency-key'] : undefined
      if (typeof key !== 'string') {
        const answer = await handleWhere(service, op, served, handle)
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
        return send(reply, answerOf(op, answer))
      }
      return answerKeyed(service, { op, request, reply, served, key, handle })
    },
  })
}

/** On a replica what may be read there, and remembers what was written. */
async function handleWhere<O extends Operation>(
  { replica }: Service,
  op: O,
  served: Served<O>,
  handle: (served: Served<O>) => Promise<Answer<Reply<O>>>,
): Promise<Answer<Reply<O>>> {
  if (replica === null || served.caller === nobody) return handle(served)
  const callerId = served.caller.userId
  if (op.method !== 'GET') {
    const answer = await handle(served)
    await replica.noteWrite(callerId)
    return answer
  }
  const staleSeconds = op.eventStream ? undefined : staleSecondsOf(served.headers['cache-control'])
  if (staleSeconds === undefined) return handle(served)
  return replica.read({ callerId, staleSeconds }, (db) => handle({ ...served, db }))
}

/** The parts of a request, each checked: from here on they are what the operation declares. */
function checksOf<O extends Operation>(op: O): (request: Unchecked) => Checked<O> {
  const checkParams = op.params && checkOf(op.params)
  const checkQuery = checkOf(op.query ?? noQuery)
  // A file is its handler's to read, as a stream or as bytes.
  const isFile = op.bodyType === 'application/octet-stream'
  const checkBody = op.body && !isFile && checkOf(op.body)
  return (request) => {
    if (checkParams) checkParams(request.params)
    const query = readQuery(op.query ?? noQuery, request.query as Record<string, unknown>)
    checkQuery(query)
    const body = request.body ?? (op.bodyOptional === true ? {} : undefined)
    if (isFile && body === undefined) throw missingFile()
    if (checkBody) {
      if (body === undefined) throw missingBody()
      checkBody(body)
    }
    return { params: lowerGuids(request.params), query, body } as Checked<O>
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

/** Identifiers are accepted in any case and are lower-case from here on. */
function lowerGuids(params: unknown): unknown {
  const given = params as Record<string, string>
  for (const name in given) if (name.endsWith('uid')) given[name] = given[name]!.toLowerCase()
  return given
}

/** Signs the request's caller in, takes it from their share, and checks that they may. */
async function admit(
  service: Service,
  op: Operation,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<Caller> {
  const caller = op.access === 'public' ? nobody : await authenticate(service, request)
  takeShare(service, caller === nobody ? request.ip : caller.userId, reply)
  if (caller.mfaPending && op.mfaPending !== true) {
    throw new ApiError(
      'mfa-required',
      'You must enrol a second factor before anything else: POST /api/v1/users/current/mfa/totp for an authenticator app, or /api/v1/users/current/mfa/message for codes by e-mail or SMS.',
    )
  }
  requireAccess(op, caller)
  return caller
}

type Access = Pick<Operation, 'access' | 'roles'>

/** Throws a 403 that names the access code, of which the caller needs one. */
export function requireAccess(needed: Access, caller: Caller): void {
  if (mayCall(needed, caller)) return
  throw new ApiError(
    'forbidden',
    `This needs the access code ${(needed.access as readonly string[]).join(' or ')}, which neither your role nor your access groups give you.`,
  )
}

export const mayCall = (needed: Access, caller: Caller): boolean =>
  typeof needed.access === 'string' ||
  needed.access.some((code) => caller.accessCodes.has(code)) ||
  isRoleAdmitted(needed, caller)

/** A token narrowed to a scope has its access codes alone. */
const isRoleAdmitted = (needed: Access, caller: Caller) =>
  needed.roles?.includes(caller.role) === true && caller.narrowed !== true

const unauthenticated = (detail: string) =>
  new ApiError('unauthenticated', detail, { headers: { 'www-authenticate': 'Bearer' } })

async function authenticate(service: Service, request: FastifyRequest): Promise<Caller> {
  const header = request.headers.authorization
  const secret = header === undefined ? readCookie(service.settings, request, 'session') : undefined
  if (secret !== undefined) return authenticateByCookie(service, request, secret)
  if (header === undefined)
    throw unauthenticated('Send Authorization: Bearer <token> with a token from POST /api/v1/auth/login.')
  const token = /^Bearer +([\w-]{20,200})$/i.exec(header)?.[1]
  const caller = token === undefined ? undefined : await service.sessions.callerOf(token)
  if (caller) return caller
  takeShareOfStranger(service, request)
  throw unauthenticated(
    'The access token is unknown, expired or revoked. Sign in again, or renew it with POST /api/v1/auth/refresh.',
  )
}

async function authenticateByCookie(
  service: Service,
  request: FastifyRequest,
  secret: string,
): Promise<Caller> {
  const caller = await service.sessions.callerOf(secret, 'cookie')
  if (!caller) {
    takeShareOfStranger(service, request)
    throw unauthenticated('The session has ended. Sign in again.')
  }
  requireOwnPage(service.settings, request, secret)
  return caller
}

/** A wrong token costs its sender's address: guessing tokens must not be free. */
function takeShareOfStranger(service: Service, request: FastifyRequest): void {
  const share = service.limiter.take(request.ip)
  if (share && share.remaining < 0) throw tooMany(share.resetSeconds)
}

function takeShare(service: Service, key: string, reply: FastifyReply): void {
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
  new ApiError('too-many-requests', `You sent more requests than your share. Wait ${seconds} s.`, {
    headers: { 'retry-after': String(seconds) },
  })

function answerOf<T>(op: Operation, answer: Answer<T>): StoredAnswer {
  const headers: Record<string, string> = {}
  if (answer.version !== undefined) headers['etag'] = etagOf(answer.version)
  if (answer.location !== undefined) headers['location'] = basePath + answer.location
  return { status: answer.accepted === true ? 202 : op.status, headers, body: JSON.stringify(answer.body) }
}

const sendFile = (reply: FastifyReply, { type, bytes, name }: NonNullable<Answer<unknown>['file']>) =>
  reply
    .header('content-type', type === 'text/csv' ? 'text/csv; charset=utf-8' : type)
    .header('content-disposition', `attachment; filename="${name}"`)
    .send(bytes)

function send(reply: FastifyReply, answer: StoredAnswer): FastifyReply {
  const type =
    answer.status < 400 ? 'application/json; charset=utf-8' : 'application/problem+json; charset=utf-8'
  return reply.code(answer.status).headers(answer.headers).header('content-type', type).send(answer.body)
}

interface Keyed<O extends Operation> {
  op: O
  request: FastifyRequest
  reply: FastifyReply
  served: Served<O>
  key: string
  handle: (served: Served<O>) => Promise<Answer<Reply<O>>>
}

async function answerKeyed<O extends Operation>(service: Service, keyed: Keyed<O>): Promise<FastifyReply> {
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
    async (tx) => answerOf(op, await handle({ ...served, db: tx })),
    (error) => {
      const problem = problemOf(error, { path: served.path, id: request.id })
      return { status: problem.status, headers: error.headers, body: JSON.stringify(problem) }
    },
  )
  await service.replica?.noteWrite(served.caller.userId)
  if (replayed) reply.header('idempotency-replayed', 'true')
  return send(reply, answer)
}

/** The path without the query, which may hold personal data. */
export function pathOf(request: FastifyRequest): string {
  const end = request.url.indexOf('?')
  return end < 0 ? request.url : request.url.slice(0, end)
}
