/** The relying party of WebAuthn: the domain that a passkey is bound to, and the origin of our pages. */
import { isIP } from 'node:net'
import type { Settings } from '../../platform/config.ts'
import { ApiError } from '../../platform/http/errors.ts'

export interface RelyingParty {
  /** The domain. */
  id: string
  origin: string
}

export interface Reached {
  protocol: string
  headers: Record<string, string | string[] | undefined>
}

const local = /^([\w.-]+\.)?localhost$/

/** Undefined without a domain of the service: browsers bind no passkey to an IP address or to plain HTTP. */
export function findRelyingParty(
  { FORDRA_PUBLIC_URL: publicUrl }: Settings,
  { protocol, headers }: Reached,
): RelyingParty | undefined {
  const address = publicUrl ?? `${protocol}://${String(headers['host'])}`
  if (!URL.canParse(address)) return undefined
  const { hostname, origin, protocol: scheme } = new URL(address)
  if (local.test(hostname)) return { id: hostname, origin }
  // Without the setting the Host header would choose the domain.
  if (publicUrl === undefined || scheme !== 'https:' || isIP(hostname.replace(/^\[|\]$/g, '')) !== 0)
    return undefined
  return { id: hostname, origin }
}

export function requireRelyingParty(settings: Settings, reached: Reached): RelyingParty {
  const party = findRelyingParty(settings, reached)
  if (party) return party
  throw new ApiError(
    'unprocessable',
    'Passkeys need a domain with HTTPS. Set FORDRA_PUBLIC_URL to it, or open the console at localhost.',
  )
}
