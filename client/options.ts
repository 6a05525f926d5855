import type { Tokens } from './operations.ts'

/** The part of a sign-in that a program can store. */
export interface KeptTokens extends Omit<Tokens, 'tokenType' | 'expiresIn'> {
  /** Milliseconds since 1970. */
  expiresAt: number
}

/** OAuth 2.0 client credentials of an API user. */
export interface ClientCredentials {
  clientId: string
  clientSecret: string
  /** Access codes that the token is narrowed to. */
  scope?: string
}

export interface ClientOptions {
  /**
   * The origin of the service: `https://collections.example`. Without it paths are relative, for the service's own
   * pages.
   */
  baseUrl?: string
  /**
   * Sessions by tokens, which the client stores and renews, or by cookie for pages of the service. Default `tokens`.
   */
  session?: 'tokens' | 'cookie'
  /** Tokens of an earlier sign-in. */
  tokens?: KeptTokens
  /** Called with new tokens, and with undefined when the session ends, so that a program can store them. */
  onTokens?: (tokens: KeptTokens | undefined) => void
  /** Signs in automatically whenever needed. */
  credentials?: ClientCredentials
  /** Called when the service reports that the session has ended. */
  onSignedOut?: () => void
  /** Timeout of one attempt in milliseconds. Default 30,000. */
  timeoutMs?: number
  /**
   * Maximum retries: after refusals that changed nothing (429, 503), and after missing answers (including 502 and 504
   * of a proxy) if safe. Default 2.
   */
  retries?: number
  /** Sent with every request. */
  headers?: Record<string, string>
  fetch?: typeof fetch
}
