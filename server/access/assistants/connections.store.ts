/** Connections of users with assistants: sessions that a user allowed, their codes and refresh tokens. */
import type { AccessCode } from '../../../contract/access/access.ts'
import type { ConnectedAssistant } from '../../../contract/access/assistants.ts'
import type { Db } from '../../platform/database/transaction.ts'
import type { NewSession } from '../sessions/sessions.store.ts'
import { insertSession } from '../sessions/sessions.store.ts'

/** Seconds in which a code is exchanged. The session lasts no longer without it. */
const codeSeconds = 60

export interface Allowed {
  session: Omit<NewSession, 'seconds'>
  clientId: string
  codeHash: Buffer
  redirectUri: string
  challenge: string
}

export async function insertConnection(tx: Db, allowed: Allowed): Promise<void> {
  const { session, clientId, codeHash, redirectUri, challenge } = allowed
  await insertSession(tx, { ...session, seconds: codeSeconds }, [
    { hash: codeHash, kind: 'assistant-code', seconds: codeSeconds },
  ])
  await tx`update session set assistant_client_id = ${clientId} where id = ${session.sessionId}`
  await tx`
    insert into assistant_code (hash, redirect_uri, challenge) values (${codeHash}, ${redirectUri}, ${challenge})`
  await tx`update assistant_client set used_at = now() where id = ${clientId}`
}

export interface ConnectionToken {
  sessionId: string
  userId: string
  /** As the program sends it: the id of its registration, or the address of its document. */
  clientId: string
  scope: AccessCode[] | null
  /** Used before: somebody else has it too. */
  isUsed: boolean
  /** Neither expired nor of an ended session, and the user may sign in. */
  usable: boolean
}

export interface ConnectionCode extends ConnectionToken {
  redirectUri: string
  challenge: string
}

/** Finds a code or refresh token and marks it used, whatever comes of it. */
async function takeToken(
  tx: Db,
  hash: Buffer,
  kind: 'assistant-code' | 'assistant-refresh',
): Promise<ConnectionToken | undefined> {
  const [token] = await tx<ConnectionToken[]>`
    select s.id as "sessionId", u.id as "userId", coalesce(c.document_url, c.id::text) as "clientId", s.scope,
      t.used_at is not null as "isUsed",
      t.expires_at > now() and s.revoked_at is null and s.ends_at > now() and not u.disabled as usable
    from session_token t join session s on s.id = t.session_id join app_user u on u.id = s.user_id
      join assistant_client c on c.id = s.assistant_client_id
    where t.hash = ${hash} and t.kind = ${kind} for update of t, s`
  if (token && !token.isUsed) await tx`update session_token set used_at = now() where hash = ${hash}`
  return token
}

export const takeRefreshToken = (tx: Db, hash: Buffer): Promise<ConnectionToken | undefined> =>
  takeToken(tx, hash, 'assistant-refresh')

export async function takeCode(tx: Db, hash: Buffer): Promise<ConnectionCode | undefined> {
  const token = await takeToken(tx, hash, 'assistant-code')
  if (!token) return undefined
  const [bound] = await tx<Pick<ConnectionCode, 'redirectUri' | 'challenge'>[]>`
    select redirect_uri as "redirectUri", challenge from assistant_code where hash = ${hash}`
  return { ...token, ...bound! }
}

/** The session lasts from the exchange of its code. */
export async function openConnection(tx: Db, sessionId: string, days: number): Promise<void> {
  await tx`update session set ends_at = now() + ${days} * interval '1 day' where id = ${sessionId}`
}

/** Seconds until the session ends. */
export async function findSecondsLeft(tx: Db, sessionId: string): Promise<number> {
  const [row] = await tx<{ seconds: number }[]>`
    select greatest(1, extract(epoch from ends_at - now())::int) as seconds from session where id = ${sessionId}`
  return row!.seconds
}

/** More would hide a stranger among them. */
export const connectionsMax = 50

type ConnectionRow = Omit<ConnectedAssistant, 'access' | 'publishedAt'> & {
  scope: AccessCode[] | null
  document: string | null
}

/** The user's own, newest first. A connection is alive as long as one of its tokens is valid. */
export async function listConnections(db: Db, userId: string): Promise<ConnectedAssistant[]> {
  const rows = await db<ConnectionRow[]>`
    select s.id as "sessionGuid", c.name, c.document_url as document, s.scope, s.created_at as "connectedAt", s.ends_at as "endsAt"
    from session s join assistant_client c on c.id = s.assistant_client_id
    where s.user_id = ${userId} and s.revoked_at is null and s.ends_at > now()
      and exists (select from session_token t where t.session_id = s.id and t.used_at is null and t.expires_at > now())
    order by s.created_at desc, s.id desc limit ${connectionsMax}`
  return rows.map(({ scope, document, ...row }) => ({
    ...row,
    publishedAt: document === null ? null : new URL(document).host,
    access: isReadOnly(scope) ? 'read' : 'write',
  }))
}

export const isReadOnly = (scope: readonly AccessCode[] | null): boolean =>
  scope?.every((code) => code.endsWith('.read')) === true

export async function countConnections(tx: Db, userId: string): Promise<number> {
  const [row] = await tx<{ count: number }[]>`
    select count(*)::int as count from session
    where user_id = ${userId} and assistant_client_id is not null and revoked_at is null and ends_at > now()`
  return row!.count
}
