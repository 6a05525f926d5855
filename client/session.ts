/** Authentication: tokens that are renewed, client credentials, or a cookie session with its CSRF token. */
import type { CurrentSession } from '../contract/access/own-sessions.ts'
import type { CookieSession } from '../contract/access/sessions.ts'
import { ApiProblem } from './errors.ts'
import type { Name, Reply } from './methods.ts'
import type { Input, Named, Tokens } from './operations.ts'
import type { ClientOptions, KeptTokens } from './options.ts'
import type { Shape } from './request.ts'

/** Sends a request without authentication of its own. */
export type Send = <N extends Name>(
  name: N,
  input: Input<Named[N]>,
  headers: Record<string, string>,
) => Promise<Reply<N>>

export interface ClientSession {
  /** The authentication headers of a request. */
  headersFor(name: string, shape: Shape): Promise<Record<string, string>>
  /** Learns session data from an answer. */
  learn(name: string, body: unknown): void
  /** After a refusal, with the headers of that attempt. Returns whether a retry makes sense. */
  renew(error: ApiProblem, sent: Record<string, string>): Promise<boolean>
  readonly tokens: KeptTokens | undefined
}

/** Tokens are renewed this long before they expire, so that none expires in transit. */
const earlyMs = 10_000
const signsIn = new Set(['login', 'signInWithCode', 'signInWithPasskey'])

export function openSession(options: ClientOptions, send: Send): ClientSession {
  return options.session === 'cookie' ? openCookieSession(options, send) : openTokenSession(options, send)
}

function openCookieSession(options: ClientOptions, send: Send): ClientSession {
  let csrfToken: Promise<string> | undefined
  const askToken = () => {
    csrfToken = send('getSession', {}, {}).then((session) => session.csrfToken ?? '')
    csrfToken.catch(() => {
      csrfToken = undefined
    })
    return csrfToken
  }
  return {
    tokens: undefined,
    async headersFor(name, { method, isPublic }): Promise<Record<string, string>> {
      if (signsIn.has(name)) return { 'X-Session': 'cookie' }
      if (method === 'GET' || isPublic) return {}
      return { 'X-CSRF-Token': await (csrfToken ?? askToken()) }
    },
    learn(name, body) {
      if (signsIn.has(name) && isCookieSession(body)) csrfToken = Promise.resolve(body.csrfToken)
      if (name === 'getSession') csrfToken = Promise.resolve((body as CurrentSession).csrfToken ?? '')
      if (name === 'logout') csrfToken = undefined
    },
    async renew(error, sent) {
      const token = sent['X-CSRF-Token']
      // Another page of ours has signed in again, and the cookie is shared.
      if (error.kind === 'forbidden') return token !== undefined && (await askToken()) !== token
      csrfToken = undefined
      options.onSignedOut?.()
      return false
    },
  }
}

const isCookieSession = (body: unknown): body is CookieSession =>
  typeof (body as Partial<CookieSession>).csrfToken === 'string'
const isTokens = (body: unknown): body is Tokens => typeof (body as Partial<Tokens>).refreshToken === 'string'

function openTokenSession(options: ClientOptions, send: Send): ClientSession {
  let kept = options.tokens
  let renewing: Promise<boolean> | undefined
  const keep = (tokens: KeptTokens | undefined) => {
    kept = tokens
    options.onTokens?.(tokens)
  }
  const ended = () => {
    if (kept) keep(undefined)
    options.onSignedOut?.()
    return false
  }
  const trade = async (): Promise<boolean> => {
    if (options.credentials) {
      keep(await tradeCredentials(options.credentials, send))
      return true
    }
    // An access token alone cannot be renewed, so the refusal stands.
    if (!kept || kept.refreshToken === '') return ended()
    try {
      keep(toKeptTokens(await send('refresh', { body: { refreshToken: kept.refreshToken } }, {})))
      return true
    } catch (error) {
      if (error instanceof ApiProblem && error.status === 401) return ended()
      throw error
    }
  }
  // A refresh token works once, so concurrent calls share one renewal.
  const renewOnce = () =>
    (renewing ??= trade().finally(() => {
      renewing = undefined
    }))
  return {
    get tokens() {
      return kept
    },
    async headersFor(_name, { isPublic }): Promise<Record<string, string>> {
      if (isPublic) return {}
      const due = kept ? kept.expiresAt - earlyMs < Date.now() : options.credentials !== undefined
      if (due) await renewOnce()
      return kept ? { Authorization: `Bearer ${kept.accessToken}` } : {}
    },
    learn(name, body) {
      if (signsIn.has(name) && isTokens(body)) keep(toKeptTokens(body))
      if (name === 'logout') keep(undefined)
    },
    async renew(error, sent) {
      if (error.kind === 'forbidden') return false
      // Another call has renewed them in the meantime.
      if (kept && sent['Authorization'] !== `Bearer ${kept.accessToken}`) return true
      return renewOnce()
    },
  }
}

const toKeptTokens = ({ accessToken, refreshToken, expiresIn }: Tokens): KeptTokens => ({
  accessToken,
  refreshToken,
  expiresAt: Date.now() + expiresIn * 1000,
})

async function tradeCredentials(
  { clientId, clientSecret, scope }: NonNullable<ClientOptions['credentials']>,
  send: Send,
): Promise<KeptTokens> {
  const body = { grant_type: 'client_credentials', client_id: clientId, client_secret: clientSecret, scope }
  const token = await send('requestToken', { body }, {})
  return {
    accessToken: token.access_token,
    refreshToken: '',
    expiresAt: Date.now() + token.expires_in * 1000,
  }
}
