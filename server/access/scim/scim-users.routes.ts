import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { ServerContext } from '../serve/server-context.ts'
import { readDocument } from './documents.ts'
import { applyPatch, readPatch } from './patch.ts'
import { project, toListResponse, toUserResource } from './resources.ts'
import { userType } from './schemas.ts'
import { unknownResource } from './scim-failure.ts'
import { isUnchanged, readIfMatch, readProjection, readScimQuery } from './scim-query.ts'
import { changeScimUser, createScimUser, deleteScimUser } from './scim-users.changes.ts'
import { findScimUser, listScimUsers } from './scim-users.store.ts'
import { readId, scimContext, scimRoot, serveScimOperation, type ScimAnswer } from './scim-operation.ts'

export function serveScimUsers(service: ServerContext, app: FastifyInstance): void {
  const answerUser = (request: FastifyRequest, id: string) => readUser(service, request, id)
  serveUserLists(service, app)
  serveScimOperation(service, app, { method: 'GET', path: '/Users/:id' }, (request) =>
    answerUser(request, readId(request, 'user')),
  )
  serveScimOperation(service, app, { method: 'POST', path: '/Users' }, async (request) => {
    const document = readDocument(userType, request.body)
    const id = await createScimUser(service.sql, request.caller!, document, scimContext(service, request))
    service.sessions.forgetUser(id)
    const answer = await answerUser(request, id)
    const location = `${scimRoot(service, request)}/Users/${id}`
    return { ...answer, status: 201, headers: { ...answer.headers, location } }
  })
  const change = async (request: FastifyRequest, apply: Parameters<typeof changeScimUser>[2]['change']) => {
    const userGuid = readId(request, 'user')
    const update = { userGuid, change: apply, ifMatch: readIfMatch(request) }
    await changeScimUser(service.sql, request.caller!, update, scimContext(service, request))
    service.sessions.forgetUser(userGuid)
    return answerUser(request, userGuid)
  }
  serveScimOperation(service, app, { method: 'PUT', path: '/Users/:id' }, async (request) => {
    const document = readDocument(userType, request.body)
    return change(request, () => document)
  })
  serveScimOperation(service, app, { method: 'PATCH', path: '/Users/:id' }, async (request) => {
    const operations = readPatch(request.body)
    return change(request, (before) => applyPatch(userType, before, operations))
  })
  serveScimOperation(service, app, { method: 'DELETE', path: '/Users/:id' }, async (request) => {
    const deletion = { userGuid: readId(request, 'user'), ifMatch: readIfMatch(request) }
    await deleteScimUser(service.sql, request.caller!, deletion, scimContext(service, request))
    service.sessions.forgetUser(deletion.userGuid)
    return { status: 204 }
  })
}

function serveUserLists(service: ServerContext, app: FastifyInstance): void {
  const list = async (request: FastifyRequest): Promise<ScimAnswer> => {
    const query = readScimQuery(request)
    const { total, rows } = await listScimUsers(service.sql, request.caller!, query)
    const root = scimRoot(service, request)
    const found = rows.map((user) => project(toUserResource(user, root), query))
    return { body: toListResponse(total, query.startIndex, found) }
  }
  serveScimOperation(service, app, { method: 'GET', path: '/Users' }, list)
  serveScimOperation(service, app, { method: 'POST', path: '/Users/.search' }, list)
}

async function readUser(service: ServerContext, request: FastifyRequest, id: string): Promise<ScimAnswer> {
  const user = await findScimUser(service.sql, request.caller!, id)
  if (!user) throw unknownResource('user')
  const resource = toUserResource(user, scimRoot(service, request))
  const headers = { etag: resource.meta.version }
  if (request.method === 'GET' && isUnchanged(request, resource)) return { status: 304, headers }
  return { body: project(resource, readProjection(request.query as Record<string, unknown>)), headers }
}
