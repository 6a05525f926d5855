import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { ServerContext } from '../serve/server-context.ts'
import { readDocument, type Document } from './documents.ts'
import { applyPatch, readPatch } from './patch.ts'
import { groupTag, project, toGroupResource, toListResponse } from './resources.ts'
import { groupType } from './schemas.ts'
import { badRequest, unknownResource } from './scim-failure.ts'
import { changeScimGroup, createScimGroup, deleteScimGroup, groupChanged } from './scim-groups.changes.ts'
import { findScimGroup, listScimGroups, type ScimGroup } from './scim-groups.store.ts'
import { isLeftOut, isUnchanged, readIfMatch, readProjection, readScimQuery } from './scim-query.ts'
import { readId, scimContext, scimRoot, serveScimOperation, type ScimAnswer } from './scim-operation.ts'

/** So many members fit one list of groups. */
const listedMembersMax = 20_000

/** Access groups belong to the installation: a restricted directory does not see them. */
const unrestricted = true

export function serveScimGroups(service: ServerContext, app: FastifyInstance): void {
  serveGroupReads(service, app)
  serveScimOperation(service, app, { method: 'POST', path: '/Groups', unrestricted }, async (request) => {
    const document = readDocument(groupType, request.body)
    const id = await createScimGroup(service.sql, request.caller!, document, scimContext(service, request))
    const answer = await readGroup(service, request, id)
    const location = `${scimRoot(service, request)}/Groups/${id}`
    return { ...answer, status: 201, headers: { ...answer.headers, location } }
  })
  const change = async (request: FastifyRequest, apply: (before: Document) => Document) => {
    const guid = readId(request, 'group')
    const update = { guid, change: apply, requireUnchanged: checkMatch(request) }
    await changeScimGroup(service.sql, request.caller!, update, scimContext(service, request))
    return readGroup(service, request, guid)
  }
  serveScimOperation(service, app, { method: 'PUT', path: '/Groups/:id', unrestricted }, async (request) => {
    const document = readDocument(groupType, request.body)
    return change(request, () => document)
  })
  serveScimOperation(
    service,
    app,
    { method: 'PATCH', path: '/Groups/:id', unrestricted },
    async (request) => {
      const operations = readPatch(request.body)
      // A group can be large: its answer is read where it is wanted.
      const { headers = {} } = await change(request, (before) => applyPatch(groupType, before, operations))
      return { status: 204, headers }
    },
  )
  serveScimOperation(
    service,
    app,
    { method: 'DELETE', path: '/Groups/:id', unrestricted },
    async (request) => {
      const deletion = { guid: readId(request, 'group'), requireUnchanged: checkMatch(request) }
      await deleteScimGroup(service.sql, request.caller!, deletion, scimContext(service, request))
      return { status: 204 }
    },
  )
}

function serveGroupReads(service: ServerContext, app: FastifyInstance): void {
  const list = async (request: FastifyRequest): Promise<ScimAnswer> => {
    const query = readScimQuery(request)
    const withMembers = !isLeftOut(query, 'members')
    const { total, rows } = await listScimGroups(service.sql, request.caller!, { ...query, withMembers })
    if (rows.reduce((count, { members }) => count + members.length, 0) > listedMembersMax)
      throw badRequest(
        'tooMany',
        'These groups have too many members. Send excludedAttributes=members or a lower count.',
      )
    const root = scimRoot(service, request)
    const found = rows.map((group) => project(toGroupResource(group, root), query))
    return { body: toListResponse(total, query.startIndex, found) }
  }
  serveScimOperation(service, app, { method: 'GET', path: '/Groups', unrestricted }, list)
  serveScimOperation(service, app, { method: 'POST', path: '/Groups/.search', unrestricted }, list)
  serveScimOperation(service, app, { method: 'GET', path: '/Groups/:id', unrestricted }, (request) =>
    readGroup(service, request, readId(request, 'group')),
  )
}

const checkMatch = (request: FastifyRequest) => {
  const wanted = readIfMatch(request)
  return (group: ScimGroup) => {
    const tag = groupTag(group)
    if (wanted !== undefined && wanted !== '*' && !wanted.includes(tag.slice(2))) throw groupChanged(tag)
  }
}

async function readGroup(service: ServerContext, request: FastifyRequest, id: string): Promise<ScimAnswer> {
  const group = await findScimGroup(service.sql, request.caller!, id)
  if (!group) throw unknownResource('group')
  const resource = toGroupResource(group, scimRoot(service, request))
  const headers = { etag: resource.meta.version }
  if (request.method === 'GET' && isUnchanged(request, resource)) return { status: 304, headers }
  return { body: project(resource, readProjection(request.query as Record<string, unknown>)), headers }
}
