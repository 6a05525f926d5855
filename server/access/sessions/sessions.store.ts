import { creditorRoles, type AccessCode, type UserRole } from '../../../contract/access/access.ts'
import { rowsIn } from '../../platform/database/row-text.ts'
import { runStatement } from '../../platform/database/statement.ts'
import type { Db } from '../../platform/database/transaction.ts'
import { insertAuditEntry } from '../../platform/events/audit-entry.ts'
import { initialChanges } from '../../platform/events/record.ts'
import type { Origin } from '../../platform/http/caller.ts'
import { endSecretMessages } from '../../platform/messages/user-messages.store.ts'
import type { SignInMethod } from './sign-in-method.ts'

export interface UserForLogin {
  userId: string
  passwordHash: string | null
  disabled: boolean
}

/** The user of an e-mail or userCode, in any spelling that `folded_login` makes equal. */
export async function findUserForLogin(db: Db, login: string): Promise<UserForLogin | undefined> {
  const [user] = await db<UserForLogin[]>`
    select id as "userId", password_hash as "passwordHash", disabled
    from app_user where folded_login(email) = folded_login(${login}) or folded_login(user_code) = folded_login(${login})
    -- A userCode that is another's e-mail must not stand in that user's way.
    order by folded_login(email) = folded_login(${login}) desc limit 1`
  return user
}

export interface SessionRow {
  sessionId: string
  userId: string
  partyId: string
  userRole: UserRole
  expiresAt: string
  /** Seconds until the token itself expires. */
  secondsLeft: number
  /** The scope that narrows the session, or null. */
  scope: AccessCode[] | null
  /** The access codes of the user's groups. */
  groupCodes: AccessCode[]
  /** The parties that the user is restricted to, sub-parties included; null for no restriction. */
  partyIds: string[] | null
  languageCode: string | null
  mfaPending: boolean
  /** The name of the assistant that the user connected by this session; null for others. */
  assistant: string | null
  /** The address of that assistant's metadata document; null for one that registered. */
  assistantDocument: string | null
}

type UserRights = Pick<
  SessionRow,
  'userId' | 'partyId' | 'userRole' | 'languageCode' | 'groupCodes' | 'partyIds'
>

/**
 * The parties of a client restriction. Creditor roles ($2) without one are restricted to their own party and its
 * sub-parties. Other roles without one see everything.
 */
const restrictedParties = `
  case when u.user_role = any($2::int[]) or exists (select from user_client_restriction r where r.user_id = u.id) then array(
    with recursive allowed as (
      select r.party_id, r.include_sub_parties as deep from user_client_restriction r where r.user_id = u.id
      union
      select u.party_id, true where not exists (select from user_client_restriction r where r.user_id = u.id)
      union
      select p.id, true from party p join allowed a on p.parent_id = a.party_id and a.deep
    ) select distinct party_id from allowed
  ) end`

/** A user's rights, as columns of `app_user u`. Creditor roles are parameter $2. */
const rights = `
  u.id as "userId", u.party_id as "partyId", u.user_role as "userRole", u.language_code as "languageCode",
  array(select distinct unnest(g.access_codes) from user_access_group x
    join access_group g on g.id = x.access_group_id where x.user_id = u.id) as "groupCodes",
  ${restrictedParties} as "partyIds"`

/** The session of a valid access token or cookie, whose user may sign in. */
export async function findSession(
  db: Db,
  tokenHash: Buffer,
  kind: 'access' | 'cookie' | 'assistant',
): Promise<SessionRow | undefined> {
  const [row] = await runStatement<SessionRow>(
    db,
    `select s.id as "sessionId", least(t.expires_at, s.ends_at) as "expiresAt", s.scope, s.mfa_pending as "mfaPending",
       extract(epoch from t.expires_at - now())::int as "secondsLeft",
       c.name as assistant, c.document_url as "assistantDocument", ${rights}
     from session_token t join session s on s.id = t.session_id join app_user u on u.id = s.user_id
       left join assistant_client c on c.id = s.assistant_client_id
     where t.hash = $1 and t.kind = $3 and t.expires_at > now()
       and s.revoked_at is null and s.ends_at > now() and not u.disabled`,
    [tokenHash, creditorRoles, kind],
    { prepare: true },
  )
  return row
}

export type LiveSession = Omit<SessionRow, 'expiresAt' | 'secondsLeft' | 'assistant' | 'assistantDocument'>

/** Those of the sessions that have not ended, with their users' current rights. */
export const findLiveSessions = (db: Db, sessionIds: readonly string[]): Promise<LiveSession[]> =>
  runStatement<LiveSession>(
    db,
    `select s.id as "sessionId", s.scope, s.mfa_pending as "mfaPending", ${rights}
     from session s join app_user u on u.id = s.user_id
     where s.id = any($1::uuid[]) and s.revoked_at is null and s.ends_at > now() and not u.disabled`,
    [[...sessionIds], creditorRoles],
    { prepare: true },
  )

/** The rights of a user who may sign in, without a session. */
export async function findRights(
  db: Db,
  userId: string,
  { disabledToo = false } = {},
): Promise<UserRights | undefined> {
  const [row] = await runStatement<UserRights>(
    db,
    `select ${rights} from app_user u where u.id = $1 and (not u.disabled or $3::boolean)`,
    [userId, creditorRoles, disabledToo],
  )
  return row
}

export interface NewToken {
  hash: Buffer
  kind: 'access' | 'refresh' | 'cookie' | 'assistant' | 'assistant-code' | 'assistant-refresh'
  seconds: number
}

export interface NewSession {
  sessionId: string
  userId: string
  seconds: number
  how: SignInMethod
  carriedBy: 'token' | 'cookie'
  address: string | null
  userAgent: string | null
  scope: readonly AccessCode[] | null
  mfaPending: boolean
  /** The secret of the API user that began it. */
  clientSecretId?: string
  /** The assistant that the user connects, for the audit trail. */
  assistant?: { assistant: string; clientId: string; returnsTo: string }
  /** The request that started it; null when that is not audited. */
  origin: Origin | null
}

export async function insertSession(db: Db, session: NewSession, tokens: readonly NewToken[]): Promise<void> {
  const { sessionId, userId, seconds, scope, origin, ...rest } = session
  const changes = JSON.stringify(initialChanges(rest.assistant ?? {}))
  await db`
    with made as (
      insert into session (id, user_id, ends_at, how, carried_by, address, user_agent, scope, mfa_pending, client_secret_id)
      values (${sessionId}, ${userId}, now() + ${seconds} * interval '1 second', ${rest.how}, ${rest.carriedBy},
        ${rest.address}, ${rest.userAgent}, ${scope === null ? null : [...scope]}, ${rest.mfaPending},
        ${rest.clientSecretId ?? null})
      returning id
    ),
    noted as (
      insert into audit_entry (business_date, actor_id, request_id, operation, action, entity, entity_id, subject, changes)
      select ${origin?.businessDate ?? null}::date, ${userId}, ${origin?.requestId ?? null}, ${origin?.operation ?? ''},
        'created', 'session', id, ${userId}, ${changes}::text::jsonb from made where ${origin !== null}
    )
    insert into session_token (hash, session_id, kind, expires_at)
    select token.hash, made.id, token.kind, now() + token.seconds * interval '1 second'
    from made, ${tokenValues(db, tokens)}`
}

export async function insertTokens(db: Db, sessionId: string, tokens: readonly NewToken[]): Promise<void> {
  await db`
    insert into session_token (hash, session_id, kind, expires_at)
    select token.hash, ${sessionId}, token.kind, now() + token.seconds * interval '1 second'
    from ${tokenValues(db, tokens)}`
}

const tokenValues = (db: Db, tokens: readonly NewToken[]) => db`
  ${rowsIn(
    db,
    { hash: 'bytea', kind: 'text', seconds: 'int' },
    tokens.map(({ hash, kind, seconds }) => ({ hash: `\\x${hash.toString('hex')}`, kind, seconds })),
  )} as token`

/** Extends the idle limit of a token in use. */
export async function extendToken(db: Db, tokenHash: Buffer, seconds: number): Promise<void> {
  await db`update session_token set expires_at = now() + ${seconds} * interval '1 second' where hash = ${tokenHash}`
}

export interface RefreshToken {
  sessionId: string
  userId: string
  usable: boolean
  /** Null for a token that was never used before. */
  usedSecondsAgo: number | null
}

/** Finds a refresh token and marks it used. */
export async function useRefreshToken(tx: Db, tokenHash: Buffer): Promise<RefreshToken | undefined> {
  const [token] = await tx<RefreshToken[]>`
    select s.id as "sessionId", u.id as "userId", extract(epoch from now() - t.used_at)::float8 as "usedSecondsAgo",
      t.expires_at > now() and s.revoked_at is null and s.ends_at > now() and not u.disabled as usable
    from session_token t join session s on s.id = t.session_id join app_user u on u.id = s.user_id
    where t.hash = ${tokenHash} and t.kind = 'refresh' for update of t, s`
  if (token?.usedSecondsAgo === null)
    await tx`update session_token set used_at = now() where hash = ${tokenHash}`
  return token
}

/** Ends a session if it has not ended yet. */
export async function endSession(
  tx: Db,
  origin: Origin,
  action: 'ended' | 'revoked',
  session: { sessionId: string; userId: string },
): Promise<void> {
  const ended = await tx`
    update session set revoked_at = now() where id = ${session.sessionId} and revoked_at is null returning id`
  if (ended.length > 0) await auditSession(tx, origin, action, session)
}

/** Sessions are in the audit trail but are not events: no outside system follows them. */
async function auditSession(
  tx: Db,
  origin: Origin,
  action: 'ended' | 'revoked',
  { sessionId, userId }: { sessionId: string; userId: string },
): Promise<void> {
  await insertAuditEntry(tx, origin, {
    entity: 'session',
    action,
    entityId: sessionId,
    subject: userId,
    changes: {},
  })
}

/**
 * Ends every session of a user except the given one, and everything that could become one: sign-ins waiting for the
 * second factor, and tokens of invitations and forgotten passwords.
 */
export async function revokeUserSessions(
  db: Db,
  userId: string,
  except: string | null = null,
): Promise<void> {
  await db`update mfa_challenge set used_at = now() where user_id = ${userId} and used_at is null`
  await db`update password_reset set used_at = now() where user_id = ${userId} and used_at is null`
  await endSecretMessages(db, [userId])
  await db`
    update session set revoked_at = now()
    where user_id = ${userId} and revoked_at is null and id is distinct from ${except}`
}

/** Deletes what ended at least a day ago. */
export async function deleteEndedSessions(db: Db): Promise<void> {
  await db`delete from session where ends_at < now() - interval '1 day'`
  await db`delete from session_token where expires_at < now() - interval '1 day'`
  await db`delete from oidc_attempt where expires_at < now()`
  await db`delete from login_failure where counted_since < now() - interval '1 day'`
}
