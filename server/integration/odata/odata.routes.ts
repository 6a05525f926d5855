/** `/odata`: the lists, read-only, by OData 4.0 (Minimal Conformance), for Excel, Power BI and similar programs. */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { problems } from '../../../contract/platform/problem.ts'
import { authenticateProgram } from '../../access/api-users/authenticate-program.ts'
import { admit } from '../../access/serve/admit.ts'
import type { ServerContext } from '../../access/serve/server-context.ts'
import { toApiError } from '../../platform/http/app.ts'
import { checkQueryEncoding } from '../../platform/http/validation.ts'
import { ODataError } from '../../platform/odata/odata-error.ts'
import { writeMetadata, writeServiceDocument } from './csdl.ts'
import { findEntitySet, listEntitySets } from './entity-sets.ts'
import { contentType, negotiate, odataVersion } from './negotiate.ts'
import { ODataFailure, notImplemented } from './odata-failure.ts'
import { checkOptions } from './query-options.ts'
import { readCollection, readCount, readEntity, type ODataRequest } from './read-odata.ts'

export function serveOData(service: ServerContext): void {
  void service.app.register((app, _options, ready) => {
    answerErrors(app)
    app.addHook('onRequest', async (request, reply) => {
      reply.header('odata-version', odataVersion)
      if (request.method !== 'GET' && request.method !== 'HEAD') throw refuseMethod(request)
      await admit(service, { access: 'session' }, request, reply, authenticateProgram)
    })
    serveAddresses(service, app)
    ready()
  })
}

function serveAddresses(service: ServerContext, app: FastifyInstance): void {
  const get = (
    url: string,
    answer: (request: FastifyRequest, reply: FastifyReply) => Promise<FastifyReply>,
  ) =>
    app.get(url, async (request, reply) => {
      checkQueryEncoding(request.url)
      const own = { caller: request.caller!.userId, isWrite: false }
      const leave = await service.gate.enter(own, (then) => reply.raw.once('close', then))
      try {
        return await answer(request, reply)
      } finally {
        leave()
      }
    })
  for (const url of ['/odata', '/odata/']) {
    get(url, async (request, reply) => {
      const { $format } = checkOptions(readRawQuery(request), ['$format'])
      const level = negotiate(request, $format)
      const sets = await listEntitySets(service, request.caller!)
      const body = writeServiceDocument(makeRoot(service, request), sets, level !== 'none')
      return reply.header('content-type', contentType(level)).send(JSON.stringify(body))
    })
  }
  get('/odata/$metadata', async (request, reply) => {
    checkOptions(readRawQuery(request), [])
    const sets = await listEntitySets(service, request.caller!)
    return reply.header('content-type', 'application/xml; charset=utf-8').send(writeMetadata(sets))
  })
  get('/odata/:set/$count', async (request, reply) => {
    const text = await readCount(await prepare(service, request))
    return reply.header('content-type', 'text/plain; charset=utf-8').send(text)
  })
  get('/odata/:set', async (request, reply) => {
    const { name, key } = parseResource((request.params as { set: string }).set)
    const prepared = await prepare(service, request, name)
    const { body, headers } =
      key === undefined ? await readCollection(prepared, request) : await readEntity(prepared, request, key)
    return reply.headers(headers).send(JSON.stringify(body))
  })
  get('/odata/*', async () => {
    throw notImplemented('path', 'Paths below an entity are not supported. Read the entity set itself.')
  })
  // Refused by the hook above.
  app.route({ method: ['POST', 'PUT', 'PATCH', 'DELETE'], url: '/odata/*', handler: async () => {} })
}

/** A batch is a POST also where it only reads, so programs that send one are told what is missing. */
const refuseMethod = ({ method, params }: FastifyRequest): ODataFailure =>
  method === 'POST' && (params as { '*'?: string })['*'] === '$batch'
    ? notImplemented('$batch', 'Batches are not supported. Send each request of the batch by itself.')
    : new ODataFailure(405, 'method-not-allowed', 'OData is read-only here. Changes go to /api/v1.', {
        headers: { allow: 'GET, HEAD' },
      })

const readRawQuery = ({ query }: FastifyRequest) => query as Record<string, unknown>

/** The address of the service, as the client reaches it. */
const makeRoot = ({ settings }: ServerContext, { protocol, host }: FastifyRequest): string =>
  `${settings.FORDRA_PUBLIC_URL ?? `${protocol}://${host}`}/odata`

async function prepare(
  service: ServerContext,
  request: FastifyRequest,
  name = (request.params as { set: string }).set,
): Promise<ODataRequest> {
  const caller = request.caller!
  const set = await findEntitySet(service, caller, name)
  return { service, caller, set, root: makeRoot(service, request), query: readRawQuery(request) }
}

/** `Debtors`, or `Debtors(0190a6f2-7c1e-7d3a-8b4e-2f6a1c9d5e70)`. */
function parseResource(segment: string): { name: string; key?: string } {
  const match = /^(\w+)\((?:\w+=)?([^()]*)\)$/.exec(segment)
  return match ? { name: match[1]!, key: match[2]! } : { name: segment }
}

const challenge = 'Basic realm="Fordra", charset="UTF-8"'

/** Errors in the form of OData. Our own failures go to the service's error handler, which logs them. */
function answerErrors(app: FastifyInstance): void {
  app.setErrorHandler((error, _request, reply) => {
    const failure = toFailure(error)
    if (failure.status >= 500 && failure.status !== 501 && failure.status !== 503) throw error
    return reply
      .code(failure.status)
      .headers({
        'odata-version': odataVersion,
        ...(failure.status === 401 && { 'www-authenticate': `${challenge}, Bearer` }),
        ...failure.headers,
        'content-type': contentType('minimal'),
      })
      .send(
        JSON.stringify({
          error: {
            code: failure.code,
            message: failure.message,
            ...(failure.target !== undefined && { target: failure.target }),
          },
        }),
      )
  })
}

function toFailure(error: unknown): ODataFailure {
  if (error instanceof ODataFailure) return error
  // The compiler says of what OData has and it has not that it is not supported.
  if (error instanceof ODataError && error.message.includes('not supported'))
    return notImplemented(error.option, `${error.option}: ${error.message}`)
  const known = toApiError(error)
  const { 'www-authenticate': _challenge, ...headers } = known.headers
  const target = error instanceof ODataError ? { target: error.option } : {}
  return new ODataFailure(problems[known.kind][0], known.kind, known.message, { ...target, headers })
}
