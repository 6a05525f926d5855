import type { Db } from '../../platform/database/transaction.ts'

/** Maximum pending requests. More are dropped: only an attack causes so many. */
const requestsMax = 10_000

/** Stores a request. The work is the same whether or not the user exists. */
export async function insertResetRequest(db: Db, login: string): Promise<void> {
  await db`
    insert into password_reset_request (login) select ${login}
    where (select count(*) from (select from password_reset_request limit ${requestsMax}) waiting) < ${requestsMax}
    on conflict do nothing`
}

/** Removes and returns a request; undefined when there is none. */
export async function takeResetRequest(tx: Db): Promise<string | undefined> {
  const [request] = await tx<{ login: string }[]>`
    delete from password_reset_request where login = (
      select login from password_reset_request order by created_at limit 1 for update skip locked
    ) returning login`
  return request?.login
}

export interface ResettableUser {
  userId: string
  email: string
  languageCode: string | null
}

/**
 * An enabled user who signs in by password, or has neither password nor client id yet. One whom a directory provisioned
 * signs in by the provider. Locked for the rest of the transaction.
 */
export async function lockResettableUser(tx: Db, login: string): Promise<ResettableUser | undefined> {
  const [user] = await tx<ResettableUser[]>`
    select id as "userId", email, language_code as "languageCode" from app_user
    where (folded_login(email) = folded_login(${login}) or folded_login(user_code) = folded_login(${login}))
      and not disabled and (password_hash is not null or (client_id is null and not provisioned))
    order by folded_login(email) = folded_login(${login}) desc limit 1 for no key update`
  return user
}

export async function countRecentResets(tx: Db, userId: string): Promise<number> {
  const [row] = await tx<{ count: number }[]>`
    select count(*)::int as count from password_reset
    where user_id = ${userId} and purpose = 'RESET' and created_at > now() - interval '1 hour'`
  return row!.count
}

export async function insertReset(
  tx: Db,
  reset: { hash: Buffer; userId: string; minutes: number },
): Promise<void> {
  await tx`
    insert into password_reset (hash, user_id, expires_at)
    values (${reset.hash}, ${reset.userId}, now() + ${reset.minutes} * interval '1 minute')`
}

/** What a token is for. One of a purpose is of no use for another. */
export type TokenPurpose = 'RESET' | 'INVITATION'

/** The user of a token that can be used; undefined when it is invalid, used or expired. */
export async function findReset(db: Db, hash: Buffer, purpose: TokenPurpose): Promise<string | undefined> {
  const [reset] = await db<{ userId: string }[]>`
    select user_id as "userId" from password_reset
    where hash = ${hash} and purpose = ${purpose} and used_at is null and expires_at > now()`
  return reset?.userId
}

/** Marks a token used and returns its user and inviter; undefined when the token is invalid, used or expired. */
export async function useReset(
  tx: Db,
  hash: Buffer,
  purpose: TokenPurpose,
): Promise<{ userId: string; invitedBy: string | null } | undefined> {
  const [reset] = await tx<{ userId: string; invitedBy: string | null }[]>`
    update password_reset r set used_at = now() from app_user u
    where r.hash = ${hash} and r.purpose = ${purpose} and r.used_at is null and r.expires_at > now() and u.id = r.user_id and not u.disabled
    returning r.user_id as "userId", r.invited_by as "invitedBy"`
  return reset
}

/**
 * Tokens of forgotten passwords go after a day, and so do invitations that a later one replaced. The newest invitation
 * stays until 30 days after it was sent to somebody who has a password now: it says how the user's invitation stands.
 */
export async function deleteOldResets(db: Db): Promise<void> {
  await db`
    delete from password_reset r using app_user u
    where u.id = r.user_id and r.created_at < now() - interval '1 day' and (r.purpose = 'RESET'
      or (u.password_hash is not null and r.created_at < now() - interval '30 days')
      or exists (select from password_reset later where later.user_id = r.user_id and later.purpose = 'INVITATION'
        and later.created_at > r.created_at))`
}

/** The user's present address is their own. */
export async function markEmailConfirmed(tx: Db, userId: string): Promise<void> {
  await tx`
    update app_user set confirmed_email = email
    where id = ${userId} and confirmed_email is distinct from email`
}

/** Whether the user has shown the present address to be their own. */
export async function isEmailConfirmed(db: Db, userId: string): Promise<boolean> {
  const [user] = await db<{ confirmed: boolean }[]>`
    select confirmed_email is not distinct from email as confirmed from app_user where id = ${userId}`
  return user!.confirmed
}
