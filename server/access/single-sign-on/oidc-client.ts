/** The outside OpenID Connect provider, by openid-client: what we request and what we verify. */
import { createHmac } from 'node:crypto'
import * as client from 'openid-client'
import { basePath } from '../../../contract/api.ts'
import { finishOidc } from '../../../contract/access/oidc.ts'
import type { Settings } from '../../platform/config.ts'
import { ApiError } from '../../platform/http/errors.ts'

/** The identity that the provider asserts. */
export interface Identity {
  issuer: string
  subject: string
  /** Only an e-mail that the provider has verified. */
  email: string | null
  /** True if the provider asked for more than one factor (RFC 8176). */
  mfa: boolean
}

/** Binds the request to the provider and its answer to one browser. */
export interface Attempt {
  state: string
  nonce: string
  verifier: string
}

/**
 * All three are derived one-way from the secret in the browser's cookie, so the state in an address reveals nothing.
 */
export function deriveAttempt(secret: string): Attempt {
  const derive = (label: string) =>
    createHmac('sha256', secret).update(`fordra oidc ${label}`).digest('base64url')
  return { state: derive('state'), nonce: derive('nonce'), verifier: derive('verifier') }
}

/** The provider refused, or its answer is invalid. The code is for the log and contains no values. */
export class AnswerRefused extends Error {
  readonly code: string

  constructor(code: string) {
    super('The answer of the sign-in provider was refused.')
    this.code = code
  }
}

export interface OidcProvider {
  /** The address to send the browser to. Throws an `unavailable` ApiError. */
  authorizationUrl(attempt: Attempt): Promise<string>
  /** Exchanges the code of the query and verifies everything. Throws AnswerRefused, or an `unavailable` ApiError. */
  identify(query: Record<string, unknown>, attempt: Attempt): Promise<Identity>
}

const timeoutSeconds = 5
const cacheMs = 600_000

/** The configured provider, or undefined. No request is sent before somebody signs in. */
export function openProvider(settings: Settings): OidcProvider | undefined {
  const issuer = settings.FORDRA_OIDC_ISSUER
  if (issuer === undefined) return undefined
  const redirectUri = new URL(basePath + finishOidc.path, settings.FORDRA_PUBLIC_URL).href
  const configure = rememberConfiguration(() =>
    discover(issuer, settings).catch(() => {
      throw providerUnavailable()
    }),
  )
  return {
    authorizationUrl: async ({ state, nonce, verifier }) => {
      const configuration = await configure()
      const parameters = {
        redirect_uri: redirectUri,
        scope: 'openid email',
        state,
        nonce,
        code_challenge: await client.calculatePKCECodeChallenge(verifier),
        code_challenge_method: 'S256',
      }
      return client.buildAuthorizationUrl(configuration, parameters).href
    },
    identify: async (query, attempt) => {
      const url = new URL(redirectUri)
      for (const [name, value] of Object.entries(query)) {
        for (const one of [value].flat()) url.searchParams.append(name, String(one))
      }
      return identify(await configure(), url, attempt).catch(translateError)
    },
  }
}

/** Reads the provider's configuration at most every ten minutes. A failure is not cached. */
function rememberConfiguration(read: () => Promise<client.Configuration>) {
  let known: { value: Promise<client.Configuration>; until: number } | undefined
  return () => {
    if (known && known.until > Date.now()) return known.value
    const value = read()
    const mine = { value, until: Date.now() + cacheMs }
    known = mine
    value.catch(() => {
      if (known === mine) known = undefined
    })
    return value
  }
}

async function discover(issuer: string, settings: Settings): Promise<client.Configuration> {
  const secret = settings.FORDRA_OIDC_CLIENT_SECRET
  // The settings allow plain HTTP only for loopback hosts.
  const plain = issuer.startsWith('http://') ? [client.allowInsecureRequests] : []
  const configuration = await client.discovery(
    new URL(issuer),
    settings.FORDRA_OIDC_CLIENT_ID!,
    undefined,
    secret === undefined ? client.None() : clientAuth(secret),
    { timeout: timeoutSeconds, execute: [...plain, client.enableNonRepudiationChecks] },
  )
  configuration.timeout = timeoutSeconds
  return configuration
}

/** HTTP Basic, which providers support unless they say otherwise (OpenID Connect Discovery 1.0 section 3). */
function clientAuth(secret: string): client.ClientAuth {
  const [basic, post] = [client.ClientSecretBasic(secret), client.ClientSecretPost(secret)]
  return (as, ...rest) => {
    const methods = as.token_endpoint_auth_methods_supported ?? ['client_secret_basic']
    return (methods.includes('client_secret_basic') ? basic : post)(as, ...rest)
  }
}

async function identify(
  configuration: client.Configuration,
  url: URL,
  { state, nonce, verifier }: Attempt,
): Promise<Identity> {
  const tokens = await client.authorizationCodeGrant(configuration, url, {
    expectedState: state,
    expectedNonce: nonce,
    pkceCodeVerifier: verifier,
    idTokenExpected: true,
  })
  const claims = tokens.claims()!
  const { issuer } = configuration.serverMetadata()
  const address =
    claims.email === undefined && configuration.serverMetadata().userinfo_endpoint !== undefined
      ? await client.fetchUserInfo(configuration, tokens.access_token, claims.sub)
      : claims
  const { email, email_verified: verified } = address
  const amr: unknown = claims['amr']
  return {
    issuer,
    subject: claims.sub,
    email: verified === true && typeof email === 'string' ? email : null,
    mfa: Array.isArray(amr) && amr.includes('mfa'),
  }
}

const awayCodes = new Set(['OAUTH_TIMEOUT', 'OAUTH_ABORT'])

/** Distinguishes an unavailable provider from an invalid answer. */
function translateError(error: unknown): never {
  if (error instanceof client.AuthorizationResponseError || error instanceof client.ResponseBodyError)
    throw new AnswerRefused(error.error.replaceAll(/[^\w.-]/g, '').slice(0, 50))
  if (error instanceof client.ClientError) {
    const cause = error.cause
    const isAway = awayCodes.has(error.code ?? '') || (error.code === undefined && cause instanceof TypeError)
    const isBroken = cause instanceof Response && (cause.status >= 500 || cause.status === 429)
    if (!isAway && !isBroken) throw new AnswerRefused(error.code ?? error.name)
  } else if (!(error instanceof TypeError)) throw error
  throw providerUnavailable()
}

const providerUnavailable = () =>
  new ApiError(
    'unavailable',
    'The sign-in provider is not available. Try again in some seconds, or sign in by password.',
    { headers: { 'retry-after': '10' } },
  )
