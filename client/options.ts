import type { Tokens } from '../contract/access/sessions.ts'

/** How one call is made. */
export interface CallOptions {
  /** Ends the call, its retries included. */
  signal?: AbortSignal
  /** The `etag` of the version that the change is meant for: another one is refused as `precondition-failed`. */
  ifMatch?: string
  /** For a POST that changes data. Without it the client makes one, the same for every retry of the call. */
  idempotencyKey?: string
  headers?: Record<string, string>
}

/** What is kept of a sign-in between programs. */
export interface KeptTokens extends Omit<Tokens, 'tokenType' | 'expiresIn'> {
  /** Milliseconds since 1970. */
  expiresAt: number
}

/** OAuth 2.0 client credentials of an API user. */
export interface ClientCredentials {
  clientId: string
  clientSecret: string
  /** Access codes to narrow the token to. */
  scope?: string
}

export interface ClientOptions {
  /** The origin of the service: `https://collections.example`. Without it paths are relative, for its own pages. */
  baseUrl?: string
  /** How a sign-in lasts: by tokens that the client keeps and renews, or for pages of the service by cookie. Default `tokens`. */
  session?: 'tokens' | 'cookie'
  /** Of an earlier sign-in. */
  tokens?: KeptTokens
  /** Told of each new pair, and of undefined at the end, so that it can be kept. */
  onTokens?: (tokens: KeptTokens | undefined) => void
  /** Signs in by itself, again and again. */
  credentials?: ClientCredentials
  /** Told when the service says that the session has ended. */
  onSignedOut?: () => void
  /** Milliseconds for one try. Default 30,000. */
  timeoutMs?: number
  /** Further tries after a refusal that changed nothing (429, 503) and, where that is safe, after no answer (502 and 504 of a proxy too). Default 2. */
  retries?: number
  /** Sent with every request. */
  headers?: Record<string, string>
  fetch?: typeof fetch
}
