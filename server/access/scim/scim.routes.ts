/** `/scim/v2`: users and access groups for the directory of the agency (RFC 7643, RFC 7644). */
import type { FastifyInstance } from 'fastify'
import { parseJsonBody } from '../../platform/http/json-body.ts'
import { admit } from '../serve/admit.ts'
import type { ServerContext } from '../serve/server-context.ts'
import { describeService, listResourceTypes, listSchemas, toListResponse } from './resources.ts'
import { isOurFault, ScimFailure, toScimFailure, writeFailure } from './scim-failure.ts'
import { serveScimGroups } from './scim-groups.routes.ts'
import { scimPrefix as prefix, scimRoot, scimType } from './scim-operation.ts'
import { serveScimUsers } from './scim-users.routes.ts'

export function serveScim(service: ServerContext): void {
  void service.app.register((app, _options, ready) => {
    answerErrors(app)
    app.addContentTypeParser('application/scim+json', { parseAs: 'buffer' }, (_request, body, parsed) => {
      try {
        parsed(null, parseJsonBody(body as Buffer))
      } catch (error) {
        parsed(error as Error)
      }
    })
    serveDiscovery(service, app)
    serveScimUsers(service, app)
    serveScimGroups(service, app)
    serveRest(app)
    ready()
  })
}

const named = (list: readonly { id: string }[], id: string) =>
  list.find((one) => one.id.toLowerCase() === id.toLowerCase())
const all = (list: readonly object[]) => toListResponse(list.length, 1, list)

/** What clients read before they have a token. */
function serveDiscovery(service: ServerContext, app: FastifyInstance): void {
  const get = (path: string, answer: (root: string, id: string) => object | undefined) =>
    app.get(prefix + path, {
      onRequest: (request, reply) => admit(service, { access: 'public' }, request, reply),
      handler: async (request, reply) => {
        if ('filter' in (request.query as object))
          throw new ScimFailure(403, 'What the service says of itself is not filtered.')
        const found = answer(scimRoot(service, request), (request.params as { id?: string }).id ?? '')
        if (!found) throw new ScimFailure(404, 'There is no such schema or resource type.')
        return reply.header('content-type', scimType).send(JSON.stringify(found))
      },
    })
  get('/ServiceProviderConfig', describeService)
  get('/ResourceTypes', (root) => all(listResourceTypes(root)))
  get('/ResourceTypes/:id', (root, id) => named(listResourceTypes(root), id))
  get('/Schemas', (root) => all(listSchemas(root)))
  get('/Schemas/:id', (root, id) => named(listSchemas(root), id))
}

/** Parts of the protocol that are not served (RFC 7644 sections 3.7, 3.11). */
function serveRest(app: FastifyInstance): void {
  const methods: ('GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE')[] = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE']
  for (const path of ['/Me', '/Bulk']) {
    app.route({
      method: methods,
      url: prefix + path,
      handler: async () => {
        throw new ScimFailure(501, `${path.slice(1)} is not supported. Use /Users and /Groups.`)
      },
    })
  }
  void app.register(
    (below, _options, ready) => {
      below.setNotFoundHandler(async () => {
        throw new ScimFailure(404, 'There is no such address below /scim/v2, or it does not take the method.')
      })
      ready()
    },
    { prefix },
  )
}

/** Errors in the form of SCIM. Our own failures go to the service's error handler, which logs them. */
function answerErrors(app: FastifyInstance): void {
  app.setErrorHandler((error, _request, reply) => {
    if (isOurFault(error)) throw error
    const failure = toScimFailure(error)
    return reply
      .code(failure.status)
      .headers({
        ...(failure.status === 401 && {
          'www-authenticate': 'Bearer, Basic realm="Fordra", charset="UTF-8"',
        }),
        ...failure.headers,
        'content-type': scimType,
      })
      .send(JSON.stringify(writeFailure(failure)))
  })
}
