import type { Db } from '../../platform/database/transaction.ts'
import type { Origin } from '../../platform/http/caller.ts'

/** Sessions of people, programs and assistants, with an audit entry each. */
export async function endSessions(tx: Db, origin: Origin): Promise<{ sessions: number; assistants: number }> {
  await tx`delete from oidc_attempt`
  const [ended] = await tx<{ sessions: number; assistants: number }[]>`
    with ended as (
      update session set revoked_at = now() where revoked_at is null and ends_at > now()
      returning id, user_id, assistant_client_id
    ),
    noted as (
      insert into audit_entry (business_date, actor_id, request_id, operation, action, entity, entity_id, subject, changes)
      select ${origin.businessDate}::date, null, null, ${origin.operation}, 'revoked', 'session', id, user_id, '{}'
      from ended
    )
    select count(*)::int as sessions, count(assistant_client_id)::int as assistants from ended`
  return ended!
}

export async function endLinks(tx: Db): Promise<number> {
  await tx`delete from password_reset_request`
  const ended = await tx`
    update password_reset set used_at = now() where used_at is null and expires_at > now() returning hash`
  return ended.length
}

export async function endCodes(tx: Db): Promise<number> {
  const challenges = await tx`
    update mfa_challenge set used_at = now() where used_at is null and expires_at > now() returning hash`
  const recovery = await tx`update recovery_code set used_at = now() where used_at is null returning user_id`
  return challenges.length + recovery.length
}

export async function endSecretsOfPeople(tx: Db): Promise<number> {
  // Nodes of the release before read a chosen secret there.
  await tx`
    update app_user set client_secret_hash = null where client_secret_hash is not null and not api_user`
  const ended = await tx`
    update client_secret s set ends_at = now() from app_user u
    where u.id = s.user_id and not u.api_user and (s.ends_at is null or s.ends_at > now()) returning s.id`
  return ended.length
}

export const listApiUsers = (tx: Db) => tx<{ userGuid: string; email: string }[]>`
  select id as "userGuid", email from app_user where api_user and not disabled order by lower(email), id`

/** Returns the hosts of the webhooks: an address may hold a secret. */
export async function pauseWebhooks(tx: Db, asOf: string): Promise<string[]> {
  const reason = `A backup of ${asOf} was restored. Check the address and rotate the secret, then resume.`
  const paused = await tx<{ url: string }[]>`
    update webhook set paused_at = now(), paused_reason = ${reason} where enabled and paused_at is null
    returning url`
  return paused.map(({ url }) => new URL(url).host).toSorted()
}

export async function countLeft(tx: Db): Promise<{ people: number; requests: number }> {
  const [left] = await tx<{ people: number; requests: number }[]>`
    select (select count(*)::int from app_user where not disabled and not api_user) as people,
      (select count(*)::int from approval where status = 'WAITING') as requests`
  return left!
}

/** Of these users those who can sign in. */
export const listEnabled = (tx: Db, userGuids: string[]) => tx<{ userGuid: string; email: string }[]>`
  select id as "userGuid", email from app_user
  where id = any (${userGuids}::uuid[]) and not disabled order by lower(email), id`

/** Every user, and whether they may sign in. */
export const listUserStates = (db: Db) => db<{ id: string; disabled: boolean }[]>`
  select id, disabled from app_user`
