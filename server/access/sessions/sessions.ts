/**
 * Sessions by opaque tokens: 256-bit random values, stored only as SHA-256. Defaults: an access token is valid for 15
 * minutes. A refresh token works once, within an hour (the idle limit). A cookie is valid while it is used at least
 * hourly. A session ends after 24 hours in all.
 */
import { hash, randomBytes } from 'node:crypto'
import type { Sql } from '../../platform/database/driver/pool.ts'
import { roleAccessCodes, type AccessCode } from '../../../contract/access/access.ts'
import { resolveLanguage } from '../../../contract/platform/languages.ts'
import type { Tokens } from '../../../contract/access/sessions.ts'
import { makeId } from '../../platform/database/make-id.ts'
import { batchQueries } from '../../platform/database/query-batcher.ts'
import type { Db } from '../../platform/database/transaction.ts'
import type { Caller, Origin } from '../../platform/http/caller.ts'
import type { Settings } from '../../platform/config.ts'
import {
  extendToken,
  findLiveSessions,
  findRights,
  findSession,
  insertSession,
  insertTokens,
  type LiveSession,
  type NewToken,
} from './sessions.store.ts'
import type { SignInMethod } from './sign-in-method.ts'
import type { Audience } from '../assistants/audience.ts'

/** In seconds. */
export interface SessionLimits {
  access: number
  idle: number
  session: number
  apiToken: number
}

export const sessionLimits = (settings: Settings): SessionLimits => ({
  access: settings.FORDRA_ACCESS_MINUTES * 60,
  idle: settings.FORDRA_IDLE_MINUTES * 60,
  session: settings.FORDRA_SESSION_HOURS * 3600,
  apiToken: settings.FORDRA_API_TOKEN_MINUTES * 60,
})

const usualLimits: SessionLimits = { access: 900, idle: 3600, session: 86_400, apiToken: 3600 }

/** Extends the idle limit of a cookie at most this often, not at every request. */
const extendAfterSeconds = 60

/** How long a token is cached without asking the database. Ended sessions stay usable for at most this long. */
const cacheMs = 900
const cacheMax = 10_000

export const hashToken = (token: string): Buffer => hash('sha256', token, 'buffer')

type TokenKind = 'access' | 'cookie' | 'assistant'

interface CachedToken {
  caller: Caller
  until: number
}

export interface Sessions {
  /**
   * The caller of an access token or cookie; undefined when it is unknown, expired or revoked, or of another kind.
   * Returns without a promise when the token is cached, as for nearly every request.
   */
  findCaller(token: string, kind?: TokenKind): Caller | Promise<Caller | undefined>
  /**
   * The caller with the rights of this moment, from the database: for requests that go on for longer than the cache is
   * believed. Undefined once the session has ended. A caller without a session is returned unchanged.
   */
  recheck(caller: Caller): Promise<Caller | undefined>
  /** Removes a session from this node's cache; other nodes follow within a second. */
  forget(sessionId: string): void
  /** Removes every session of a user from the cache likewise. */
  forgetUser(userId: string): void
}

export function openSessions(sql: Sql, limits: SessionLimits): Sessions {
  const believed = new Map<string, CachedToken>()
  const askDatabase = async (key: string, token: string, kind: TokenKind) => {
    const tokenHash = hashToken(token)
    const row = await findSession(sql, tokenHash, kind)
    believed.delete(key)
    if (!row) return undefined
    if (kind === 'cookie' && row.secondsLeft < limits.idle - extendAfterSeconds)
      await extendToken(sql, tokenHash, limits.idle)
    if (believed.size >= cacheMax) believed.delete(believed.keys().next().value!)
    const caller = {
      ...toCaller(row),
      ...(row.assistant !== null && { assistant: row.assistant }),
      ...(row.assistantDocument !== null && { assistantDocument: row.assistantDocument }),
    }
    believed.set(key, { caller, until: Math.min(Date.now() + cacheMs, Date.parse(row.expiresAt)) })
    return caller
  }
  return {
    findCaller: (token, kind = 'access') => {
      const key = `${kind} ${hash('sha256', token, 'base64')}`
      const known = believed.get(key)
      return known && known.until > Date.now() ? known.caller : askDatabase(key, token, kind)
    },
    recheck: async (caller) => {
      if (caller.sessionId === '') return caller
      const row = await readLiveSession(sql, caller.sessionId)
      return row && toCaller(row)
    },
    forget: (sessionId) => {
      for (const [key, { caller }] of believed) if (caller.sessionId === sessionId) believed.delete(key)
    },
    forgetUser: (userId) => {
      for (const [key, { caller }] of believed) if (caller.userId === userId) believed.delete(key)
    },
  }
}

const readLiveSession = batchQueries<string, LiveSession | undefined>(async (db, sessionIds) => {
  const rows = new Map((await findLiveSessions(db, sessionIds)).map((row) => [row.sessionId, row]))
  return sessionIds.map((id) => rows.get(id))
})

function toCaller(row: LiveSession): Caller {
  const codes = [...roleAccessCodes[row.userRole], ...row.groupCodes]
  return {
    userId: row.userId,
    sessionId: row.sessionId,
    partyId: row.partyId,
    role: row.userRole,
    accessCodes: new Set(row.scope === null ? codes : codes.filter((code) => row.scope!.includes(code))),
    narrowed: row.scope !== null,
    mfaPending: row.mfaPending,
    partyIds: row.partyIds,
    language: resolveLanguage(row.languageCode),
  }
}

/**
 * The caller with the user's current rights, for work that the user requested and that runs later. `scope` is the scope
 * of the token used. Undefined for a user who may no longer sign in.
 */
export async function findUserCaller(
  db: Db,
  userId: string,
  scope: readonly AccessCode[] | null,
): Promise<Caller | undefined> {
  const rights = await findRights(db, userId)
  if (!rights) return undefined
  return toCaller({
    ...rights,
    sessionId: '',
    mfaPending: false,
    scope: scope && [...scope],
  })
}

/** The rights of a user who may be disabled; undefined when there is no such user. */
export async function findStoredCaller(db: Db, userId: string): Promise<Caller | undefined> {
  const rights = await findRights(db, userId, { disabledToo: true })
  return rights && toCaller({ ...rights, sessionId: '', mfaPending: false, scope: null })
}

export const newSecret = (): string => randomBytes(32).toString('base64url')

function newTokens(limits: SessionLimits): { tokens: Tokens; stored: NewToken[] } {
  const [accessToken, refreshToken] = [newSecret(), newSecret()]
  return {
    tokens: { accessToken, refreshToken, tokenType: 'Bearer', expiresIn: limits.access },
    stored: [
      { hash: hashToken(accessToken), kind: 'access', seconds: limits.access },
      { hash: hashToken(refreshToken), kind: 'refresh', seconds: limits.idle },
    ],
  }
}

/** How a session starts. Omitted members are unknown or have their default. */
export interface SessionStart {
  how?: SignInMethod
  /** The request that started the session; it is audited if given. */
  origin?: Origin
  address?: string | null
  userAgent?: string | null
  mfaPending?: boolean
  limits?: SessionLimits
}

const newSession = (userId: string, start: SessionStart, limits: SessionLimits) => ({
  sessionId: makeId(),
  userId,
  seconds: limits.session,
  how: start.how ?? 'password',
  origin: start.origin ?? null,
  address: start.address ?? null,
  userAgent: start.userAgent?.slice(0, userAgentMax) ?? null,
  mfaPending: start.mfaPending ?? false,
  scope: null,
})
const userAgentMax = 200

export async function startSession(
  db: Db,
  userId: string,
  start: SessionStart = {},
): Promise<{ sessionId: string; tokens: Tokens }> {
  const limits = start.limits ?? usualLimits
  const { tokens, stored } = newTokens(limits)
  const session = newSession(userId, start, limits)
  await insertSession(db, { ...session, carriedBy: 'token' }, stored)
  return { sessionId: session.sessionId, tokens }
}

/** Starts a cookie session; returns the secret for the cookie. */
export async function startCookieSession(db: Db, userId: string, start: SessionStart = {}): Promise<string> {
  const limits = start.limits ?? usualLimits
  const secret = newSecret()
  const session = { ...newSession(userId, start, limits), carriedBy: 'cookie' } as const
  await insertSession(db, session, [{ hash: hashToken(secret), kind: 'cookie', seconds: limits.idle }])
  return secret
}

/**
 * Starts the session of an API client and returns its only access token. The session ends with the token, and the token
 * not after the secret that got it.
 */
export async function startClientSession(
  db: Db,
  userId: string,
  { scope, clientSecret, audience, ...start }: ClientSessionStart,
): Promise<{ token: string; expiresIn: number }> {
  const limits = start.limits ?? usualLimits
  const token = newSecret()
  const seconds = Math.max(1, Math.min(limits.apiToken, clientSecret.secondsLeft ?? Infinity))
  const session = {
    ...newSession(userId, start, limits),
    seconds,
    scope,
    carriedBy: 'token',
    clientSecretId: clientSecret.secretGuid,
  } as const
  await insertSession(db, session, [{ hash: hashToken(token), kind: tokenKinds[audience], seconds }])
  return { token, expiresIn: seconds }
}

const tokenKinds = { api: 'access', assistants: 'assistant' } as const

interface ClientSessionStart extends SessionStart {
  audience: Audience
  scope: readonly AccessCode[] | null
  clientSecret: { secretGuid: string; secondsLeft: number | null }
}

export async function renewTokens(
  db: Db,
  sessionId: string,
  limits: SessionLimits = usualLimits,
): Promise<Tokens> {
  const { tokens, stored } = newTokens(limits)
  await insertTokens(db, sessionId, stored)
  return tokens
}
