/**
 * Client ID metadata documents (draft-ietf-oauth-client-id-metadata-document): a program publishes what it would
 * register, and the address of the document is its `client_id`. Only documents of hosts that the settings list are read.
 */
import type { Settings } from '../../platform/config.ts'
import type { Db } from '../../platform/database/transaction.ts'
import { OutboundFailure, type Outbound, type OutboundAnswer } from '../../platform/outbound/post.ts'
import { findDocumentClient, storeDocumentClient, type AssistantClient } from './assistant-clients.store.ts'
import { secondsFresh } from './document-freshness.ts'
import { readName } from './program-name.ts'
import { isRedirectUri } from './redirect-uris.ts'

/** The largest document that the draft recommends to read. */
const documentBytesMax = 5 * 1024
const timeoutMs = 5_000
const redirectUrisMax = 50

/** Why a document is not accepted, in words that follow `client_id`. */
export class DocumentRefused extends Error {}

export const isDocumentUrl = (clientId: string): boolean => /^https:\/\//i.test(clientId)

export const listHosts = ({ FORDRA_ASSISTANT_HOSTS: hosts }: Settings): readonly string[] =>
  hosts?.split(',') ?? []

/** False for a document whose host is not in the settings, or no longer. Registered programs have none. */
export const isAllowedClient = (settings: Settings, clientId: string): boolean =>
  !isDocumentUrl(clientId) || listHosts(settings).includes(new URL(clientId).host)

/** The program that the document describes. Throws DocumentRefused. */
export async function findByDocument(
  { settings, db, outbound }: { settings: Settings; db: Db; outbound: Outbound },
  url: string,
): Promise<AssistantClient> {
  const fault = faultOfAddress(url)
  if (fault !== undefined) throw new DocumentRefused(fault)
  if (!isAllowedClient(settings, url))
    throw new DocumentRefused(
      `names a document of ${new URL(url).host}, whose programs may not connect here. FORDRA_ASSISTANT_HOSTS lists the hosts whose may.`,
    )
  const known = await findDocumentClient(db, url)
  if (known) return known
  const answer = await read(outbound, url)
  const program = readDocument(url, answer)
  return storeDocumentClient(db, { ...program, document: url }, secondsFresh(answer.headers))
}

/** Undefined for an address that is a client identifier. It is compared as text, so there is one way to write it. */
function faultOfAddress(url: string): string | undefined {
  if (!URL.canParse(url)) return 'is no address.'
  const { href, pathname, hash, username, password } = new URL(url)
  if (username !== '' || password !== '' || hash !== '' || url.includes('#'))
    return 'must have no user name, password or fragment.'
  if (pathname === '/') return 'must have a path, such as https://assistant.example/client.json.'
  if (href !== url) return `must be written as ${href}`
  return undefined
}

async function read(outbound: Outbound, url: string): Promise<OutboundAnswer> {
  try {
    const headers = { accept: 'application/json' }
    return await outbound.get(url, { headers, timeoutMs, bytesMax: documentBytesMax })
  } catch (error) {
    if (!(error instanceof OutboundFailure)) throw error
    throw new DocumentRefused(`names a document that could not be read. ${error.message}`)
  }
}

const jsonType = /^application\/(?:[\w.!#$&^-]+\+)?json\s*(?:;|$)/i

/** What the document says. Redirects are not followed: their status is refused as any other. */
export function readDocument(
  url: string,
  { status, cut, body, headers }: OutboundAnswer,
): Pick<AssistantClient, 'name' | 'redirectUris'> {
  if (status !== 200)
    throw new DocumentRefused(`names a document that answers with status ${status}. It must be 200.`)
  if (cut) throw new DocumentRefused(`names a document that is longer than ${documentBytesMax} bytes.`)
  if (!jsonType.test(headers['content-type'] ?? ''))
    throw new DocumentRefused('names a document that is not of the media type application/json.')
  const document = parse(body)
  if (document['client_id'] !== url)
    throw new DocumentRefused('names a document that does not have this address as its client_id.')
  refuseSecrets(document)
  requireValue(document, 'grant_types', 'authorization_code')
  requireValue(document, 'response_types', 'code')
  const { client_name: name } = document
  return {
    name: readName(typeof name === 'string' ? name : undefined) ?? new URL(url).host,
    redirectUris: readRedirectUris(document['redirect_uris']),
  }
}

function parse(body: Buffer): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(body))
    if (typeof value === 'object' && value !== null && !Array.isArray(value))
      return value as Record<string, unknown>
  } catch {
    // Falls through.
  }
  throw new DocumentRefused('names a document that is no JSON object.')
}

/** A published secret is none. A key that we do not check would promise more than we hold. */
function refuseSecrets(document: Record<string, unknown>): void {
  const method = document['token_endpoint_auth_method'] ?? 'none'
  if (method !== 'none')
    throw new DocumentRefused('names a document with another token_endpoint_auth_method than none.')
  if (document['client_secret'] !== undefined || document['client_secret_expires_at'] !== undefined)
    throw new DocumentRefused('names a document that holds a secret.')
}

function requireValue(document: Record<string, unknown>, member: string, value: string): void {
  const given = document[member]
  if (given !== undefined && !(Array.isArray(given) && given.includes(value)))
    throw new DocumentRefused(`names a document without ${value} in ${member}.`)
}

/** Addresses of other schemes, such as `cursor://`, are left out: any program can claim one. */
function readRedirectUris(given: unknown): string[] {
  const listed: readonly unknown[] = Array.isArray(given) ? given.slice(0, redirectUrisMax) : []
  const usable = listed.filter(
    (one): one is string => typeof one === 'string' && one.length <= 500 && isRedirectUri(one),
  )
  if (usable.length > 0) return usable
  throw new DocumentRefused(
    'names a document without redirect_uris of https, or of http on 127.0.0.1, [::1] or localhost.',
  )
}
