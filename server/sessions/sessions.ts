/**
 * Sessions by opaque tokens: random values of 256 bits, stored as SHA-256 only. An access token lives 15 minutes; a
 * refresh token works once and within an hour (the idle limit); a session ends after 24 hours in all.
 */
import { hash, randomBytes } from 'node:crypto'
import type { Sql } from 'postgres'
import { v7 as uuidv7 } from 'uuid'
import { accessCodesOf } from '../../contract/access.ts'
import type { Tokens } from '../../contract/sessions.ts'
import type { Db } from '../database/transaction.ts'
import type { Caller } from '../http/caller.ts'
import { findSession, insertSession, insertTokens, type NewTokens } from './sessions.store.ts'

const accessSeconds = 15 * 60
const refreshSeconds = 60 * 60
const sessionSeconds = 24 * 60 * 60

/** How long a known token is believed without asking the database: what ends a session takes effect this soon. */
const believedMs = 900
const cacheMax = 10_000

export const hashToken = (token: string): Buffer => hash('sha256', token, 'buffer')

interface Believed {
  caller: Caller
  until: number
}

export interface Sessions {
  /** The caller of an access token, or undefined when it is unknown, expired or revoked. */
  callerOf(accessToken: string): Promise<Caller | undefined>
  /** Forgets a session at once on this node; the others follow within a second. */
  forget(sessionId: string): void
  /** Forgets every session of a user likewise. */
  forgetUser(userId: string): void
}

export function openSessions(sql: Sql): Sessions {
  const believed = new Map<string, Believed>()
  return {
    callerOf: async (accessToken) => {
      const key = hash('sha256', accessToken, 'base64')
      const known = believed.get(key)
      if (known && known.until > Date.now()) return known.caller
      const caller = await readCaller(sql, Buffer.from(key, 'base64'))
      believed.delete(key)
      if (!caller) return undefined
      if (believed.size >= cacheMax) believed.delete(believed.keys().next().value!)
      believed.set(key, caller)
      return caller.caller
    },
    forget: (sessionId) => {
      for (const [key, { caller }] of believed) if (caller.sessionId === sessionId) believed.delete(key)
    },
    forgetUser: (userId) => {
      for (const [key, { caller }] of believed) if (caller.userId === userId) believed.delete(key)
    },
  }
}

async function readCaller(sql: Sql, tokenHash: Buffer): Promise<Believed | undefined> {
  const row = await findSession(sql, tokenHash)
  if (!row) return undefined
  return {
    until: Math.min(Date.now() + believedMs, Date.parse(row.expiresAt)),
    caller: {
      userId: row.userId,
      sessionId: row.sessionId,
      partyId: row.partyId,
      role: row.userRole,
      accessCodes: new Set([...accessCodesOf[row.userRole], ...row.groupCodes]),
      partyIds: row.partyIds,
    },
  }
}

function newTokens(): { tokens: Tokens; hashes: NewTokens } {
  const [accessToken, refreshToken] = [
    randomBytes(32).toString('base64url'),
    randomBytes(32).toString('base64url'),
  ]
  return {
    tokens: { accessToken, refreshToken, tokenType: 'Bearer', expiresIn: accessSeconds },
    hashes: {
      accessHash: hashToken(accessToken),
      accessSeconds,
      refreshHash: hashToken(refreshToken),
      refreshSeconds,
    },
  }
}

export async function startSession(db: Db, userId: string): Promise<{ sessionId: string; tokens: Tokens }> {
  const { tokens, hashes } = newTokens()
  const sessionId = uuidv7()
  await insertSession(db, { sessionId, userId, seconds: sessionSeconds }, hashes)
  return { sessionId, tokens }
}

export async function renewTokens(db: Db, sessionId: string): Promise<Tokens> {
  const { tokens, hashes } = newTokens()
  await insertTokens(db, sessionId, hashes)
  return tokens
}
