/** One operation of a directory: who may call it, in whose name it changes things, how it answers. */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { provisionCode } from '../../../contract/access/access.ts'
import { isGuid } from '../../../core/text/guid.ts'
import { checkQueryEncoding } from '../../platform/http/validation.ts'
import { authenticateDirectory } from '../api-users/authenticate-program.ts'
import { admit } from '../serve/admit.ts'
import type { ServerContext } from '../serve/server-context.ts'
import { unknownResource } from './scim-failure.ts'
import type { ScimContext } from './scim-users.changes.ts'

export const scimType = 'application/scim+json; charset=utf-8'
export const scimPrefix = '/scim/v2'

/** The address of the service, as the directory reaches it. */
export const scimRoot = ({ settings }: ServerContext, { protocol, host }: FastifyRequest): string =>
  `${settings.FORDRA_PUBLIC_URL ?? `${protocol}://${host}`}${scimPrefix}`

/** What a change records besides its rows. */
export const scimContext = (service: ServerContext, request: FastifyRequest): ScimContext => ({
  origin: {
    actorId: request.caller!.userId,
    requestId: request.id,
    operation: 'scim',
    businessDate: service.clock.today(),
  },
  countryCode: service.settings.FORDRA_COUNTRY,
  defaultRole: service.settings.FORDRA_SCIM_ROLE,
})

export interface ScimAnswer {
  status?: number
  body?: object
  headers?: Record<string, string>
}

/** One operation of a directory: signed in, with its access code, in its turn. */
export function serveScimOperation(
  service: ServerContext,
  app: FastifyInstance,
  {
    method,
    path,
    unrestricted,
  }: { method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'; path: string; unrestricted?: true },
  answer: (request: FastifyRequest) => Promise<ScimAnswer>,
): void {
  const access = { access: [provisionCode], ...(unrestricted && { unrestricted }) } as const
  app.route({
    method,
    url: scimPrefix + path,
    onRequest: (request, reply) => admit(service, access, request, reply, authenticateDirectory),
    handler: async (request, reply) => {
      checkQueryEncoding(request.url)
      const own = { caller: request.caller!.userId, isWrite: method !== 'GET' }
      const leave = await service.gate.enter(own, (then) => reply.raw.once('close', then))
      try {
        return send(reply, await answer(request))
      } finally {
        leave()
      }
    },
  })
}

const send = (reply: FastifyReply, { status = 200, body, headers = {} }: ScimAnswer): FastifyReply =>
  reply
    .code(status)
    .headers({ ...headers, ...(body && { 'content-type': scimType }) })
    .send(body && JSON.stringify(body))

export function readId(request: FastifyRequest, what: 'user' | 'group'): string {
  const { id } = request.params as { id: string }
  if (!isGuid(id)) throw unknownResource(what)
  return id.toLowerCase()
}
