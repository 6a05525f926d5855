/** The caller of an assistant: by a token whose audience is the address for assistants, and by nothing else. */
import type { FastifyRequest } from 'fastify'
import type { Caller } from '../../platform/http/caller.ts'
import { ApiError } from '../../platform/http/errors.ts'
import { takeAddressQuota } from '../serve/admit.ts'
import type { ServerContext } from '../serve/server-context.ts'
import { assistantPath, publicOrigin } from './audience.ts'
import { isAllowedClient } from './client-documents.ts'

export const resourceMetadataPath = '/.well-known/oauth-protected-resource'

/** Throws a 401 that names the metadata by which a client finds where to get a token (RFC 9728 section 5.1). */
export async function authenticateAssistant(
  service: ServerContext,
  request: FastifyRequest,
): Promise<Caller> {
  const header = request.headers.authorization
  if (header === undefined)
    throw refused(
      service,
      request,
      'Send Authorization: Bearer <token> with a token that was requested for this address (resource).',
    )
  const token = /^Bearer +([\w-]{20,200})$/i.exec(header)?.[1]
  const caller = token === undefined ? undefined : await service.sessions.findCaller(token, 'assistant')
  // Removing a host from the settings ends what its programs have.
  if (caller && isAllowedClient(service.settings, caller.assistantDocument ?? '')) return caller
  takeAddressQuota(service, request)
  throw refused(
    service,
    request,
    'The token is unknown, expired or revoked, or it was requested for another address. Request one with this address as its resource.',
    'invalid_token',
  )
}

function refused(service: ServerContext, request: FastifyRequest, detail: string, error?: string): ApiError {
  const metadata = `${publicOrigin(service.settings, request)}${resourceMetadataPath}${assistantPath}`
  const members = [...(error === undefined ? [] : [`error="${error}"`]), `resource_metadata="${metadata}"`]
  return new ApiError('unauthenticated', detail, {
    headers: { 'www-authenticate': `Bearer ${members.join(', ')}` },
  })
}

/**
 * Throws a 403 for a web page of an origin that the settings do not name. The Host header proves nothing: by DNS rebinding
 * a page of any name reaches this address.
 */
export function requireNamedOrigin({ settings }: ServerContext, { headers }: FastifyRequest): void {
  const { origin } = headers
  if (origin === undefined) return
  const own = settings.FORDRA_PUBLIC_URL === undefined ? [] : [new URL(settings.FORDRA_PUBLIC_URL).origin]
  if ([...own, ...(settings.FORDRA_CORS_ORIGINS?.split(',') ?? [])].includes(origin)) return
  throw new ApiError(
    'forbidden',
    'Web pages of this origin may not call assistants. FORDRA_CORS_ORIGINS names the origins that may.',
  )
}
