import { creditorRoles, type AccessCode, type UserRole } from '../../contract/access.ts'
import type { Db } from '../database/transaction.ts'

export interface UserForLogin {
  userId: string
  passwordHash: string | null
  disabled: boolean
}

export async function findUserForLogin(db: Db, login: string): Promise<UserForLogin | undefined> {
  const [user] = await db<UserForLogin[]>`
    select id as "userId", password_hash as "passwordHash", disabled
    from app_user where lower(email) = lower(${login}) or lower(user_code) = lower(${login}) limit 1`
  return user
}

export interface SessionRow {
  sessionId: string
  userId: string
  partyId: string
  userRole: UserRole
  expiresAt: string
  /** The access codes of the user's groups. */
  groupCodes: AccessCode[]
  /** The parties that the user is restricted to, sub-parties included; null for no restriction. */
  partyIds: string[] | null
}

/**
 * The parties of a client restriction. Creditor roles ($2) without one are restricted to their own party and those
 * below it; other roles without one see everything.
 */
const partyIdsOf = `
  case when u.user_role = any($2::int[]) or exists (select from user_client_restriction r where r.user_id = u.id) then array(
    with recursive allowed as (
      select r.party_id, r.include_sub_parties as deep from user_client_restriction r where r.user_id = u.id
      union
      select u.party_id, true where not exists (select from user_client_restriction r where r.user_id = u.id)
      union
      select p.id, true from party p join allowed a on p.parent_id = a.party_id and a.deep
    ) select distinct party_id from allowed
  ) end`

/** The session of a live access token of a user who may sign in. */
export async function findSession(db: Db, tokenHash: Buffer): Promise<SessionRow | undefined> {
  const [row] = await db.unsafe<SessionRow[]>(
    `select s.id as "sessionId", u.id as "userId", u.party_id as "partyId", u.user_role as "userRole",
       least(t.expires_at, s.ends_at) as "expiresAt",
       array(select distinct unnest(g.access_codes) from user_access_group x
         join access_group g on g.id = x.access_group_id where x.user_id = u.id) as "groupCodes",
       ${partyIdsOf} as "partyIds"
     from session_token t join session s on s.id = t.session_id join app_user u on u.id = s.user_id
     where t.hash = $1 and t.kind = 'access' and t.expires_at > now()
       and s.revoked_at is null and s.ends_at > now() and not u.disabled`,
    [tokenHash, creditorRoles] as never,
    { prepare: true },
  )
  return row
}

export interface NewTokens {
  accessHash: Buffer
  accessSeconds: number
  refreshHash: Buffer
  refreshSeconds: number
}

export async function insertSession(
  db: Db,
  session: { sessionId: string; userId: string; seconds: number },
  tokens: NewTokens,
): Promise<void> {
  await db`
    with made as (
      insert into session (id, user_id, ends_at)
      values (${session.sessionId}, ${session.userId}, now() + ${session.seconds} * interval '1 second')
      returning id
    )
    insert into session_token (hash, session_id, kind, expires_at)
    select token.hash, made.id, token.kind, now() + token.seconds * interval '1 second'
    from made, ${valuesOf(db, tokens)}`
}

export async function insertTokens(db: Db, sessionId: string, tokens: NewTokens): Promise<void> {
  await db`
    insert into session_token (hash, session_id, kind, expires_at)
    select token.hash, ${sessionId}, token.kind, now() + token.seconds * interval '1 second'
    from ${valuesOf(db, tokens)}`
}

const valuesOf = (db: Db, tokens: NewTokens) => db`
  (values (${tokens.accessHash}::bytea, 'access', ${tokens.accessSeconds}::int),
    (${tokens.refreshHash}::bytea, 'refresh', ${tokens.refreshSeconds}::int)) as token (hash, kind, seconds)`

export interface RefreshToken {
  sessionId: string
  userId: string
  usable: boolean
  used: boolean
}

/** Finds a refresh token and marks it used; `used` tells whether it had been before. */
export async function useRefreshToken(tx: Db, tokenHash: Buffer): Promise<RefreshToken | undefined> {
  const [token] = await tx<RefreshToken[]>`
    select s.id as "sessionId", u.id as "userId", t.used_at is not null as used,
      t.expires_at > now() and s.revoked_at is null and s.ends_at > now() and not u.disabled as usable
    from session_token t join session s on s.id = t.session_id join app_user u on u.id = s.user_id
    where t.hash = ${tokenHash} and t.kind = 'refresh' for update of t, s`
  if (token && !token.used) await tx`update session_token set used_at = now() where hash = ${tokenHash}`
  return token
}

export async function revokeSession(db: Db, sessionId: string): Promise<void> {
  await db`update session set revoked_at = now() where id = ${sessionId} and revoked_at is null`
}

/** Ends every session of a user, but for the one given. */
export async function revokeSessionsOf(db: Db, userId: string, except: string | null = null): Promise<void> {
  await db`
    update session set revoked_at = now()
    where user_id = ${userId} and revoked_at is null and id is distinct from ${except}`
}

/** Removes what has ended a day ago or longer. */
export async function deleteEndedSessions(db: Db): Promise<void> {
  await db`delete from session where ends_at < now() - interval '1 day'`
  await db`delete from session_token where expires_at < now() - interval '1 day'`
  await db`delete from login_failure where counted_since < now() - interval '1 day'`
}
