/** Checks authorization requests: RFC 6749 section 4.1.1, PKCE (RFC 7636) with S256 alone, `resource` (RFC 8707). */
import { allAccessCodes, type AccessCode } from '../../../contract/access/access.ts'
import { isGuid } from '../../../core/text/guid.ts'
import type { Settings } from '../../platform/config.ts'
import type { Db } from '../../platform/database/transaction.ts'
import { ApiError } from '../../platform/http/errors.ts'
import type { Outbound } from '../../platform/outbound/post.ts'
import { findClient, type AssistantClient } from './assistant-clients.store.ts'
import { readAudience, type Reached } from './audience.ts'
import { DocumentRefused, findByDocument, isDocumentUrl } from './client-documents.ts'
import { isRegistered } from './redirect-uris.ts'

/** The members as received, each optional. */
export interface RequestMembers {
  response_type?: string
  client_id?: string
  redirect_uri?: string
  code_challenge?: string
  code_challenge_method?: string
  resource?: string
  scope?: string
  state?: string
}

export interface CheckedAuthorization {
  client: AssistantClient
  redirectUri: string
  challenge: string
  /** The access codes that are enough for the program; null for all that the user has. */
  scope: AccessCode[] | null
}

const challengePattern = /^[A-Za-z0-9_-]{43}$/

interface Ways {
  settings: Settings
  db: Db
  outbound: Outbound
}

/**
 * Throws a 400 for a wrong request, and a 422 for a program that is not known. Nobody is redirected with an error:
 * anyone can register an address, and a link to this service would then lead there.
 */
export async function checkRequest(
  ways: Ways,
  reached: Reached,
  given: RequestMembers,
): Promise<CheckedAuthorization> {
  const { settings } = ways
  const client = await findProgram(ways, given.client_id ?? '')
  const redirectUri = given.redirect_uri ?? ''
  if (!isRegistered(client.redirectUris, redirectUri))
    throw wrong('redirect_uri', 'is not one of the addresses that the program registered.')
  if (given.response_type !== 'code')
    throw wrong('response_type', 'must be code.', { error: 'unsupported_response_type' })
  if (given.code_challenge_method !== 'S256') throw wrong('code_challenge_method', 'must be S256.')
  if (!challengePattern.test(given.code_challenge ?? ''))
    throw wrong('code_challenge', 'must be the SHA-256 of the verifier in base64url: 43 characters.')
  if (given.resource !== undefined && readAudience(settings, reached, given.resource) !== 'assistants')
    throw wrong('resource', 'must be the address for assistants.', { error: 'invalid_target' })
  return { client, redirectUri, challenge: given.code_challenge!, scope: readCodes(given.scope) }
}

async function findProgram(ways: Ways, clientId: string): Promise<AssistantClient> {
  if (isDocumentUrl(clientId)) return findByDocument(ways, clientId).catch(refuseDocument)
  const client = isGuid(clientId) ? await findClient(ways.db, clientId) : undefined
  if (client) return client
  throw wrong(
    'client_id',
    'is not registered, or was forgotten. Remove the connection in the program and add it again.',
    { kind: 'unprocessable' },
  )
}

function refuseDocument(error: unknown): never {
  if (!(error instanceof DocumentRefused)) throw error
  throw wrong('client_id', error.message, { kind: 'unprocessable' })
}

/** Names that we do not know are left out, as RFC 6749 section 3.3 allows: programs ask for `openid` and the like. */
function readCodes(scope: string | undefined): AccessCode[] | null {
  const wanted = new Set(scope?.split(' '))
  const codes = allAccessCodes.filter((code) => wanted.has(code))
  return codes.length === 0 ? null : codes
}

const wrong = (
  member: string,
  message: string,
  {
    kind = 'invalid',
    error = 'invalid_request',
  }: { kind?: 'invalid' | 'unprocessable'; error?: string } = {},
) => new ApiError(kind, `${member} ${message}`, { errors: { [member]: [message] }, members: { error } })
