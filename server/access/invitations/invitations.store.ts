import type { Db } from '../../platform/database/transaction.ts'
import { endSecretMessages } from '../../platform/messages/user-messages.store.ts'

/** The user has a password, or signs in by a provider or directory. `u` is the user. */
const signsIn = `(u.password_hash is not null or u.provisioned
  or exists (select from external_identity x where x.user_id = u.id))`

/** How the newest invitation of a user stands; null where there is none. `u` is the user. */
export const invitationState = `(
  select case when ${signsIn} then 'ACCEPTED' when u.disabled then 'WITHDRAWN'
    when r.used_at is null and r.expires_at > now() then 'INVITED' else 'EXPIRED' end
  from password_reset r where r.user_id = u.id and r.purpose = 'INVITATION' order by r.created_at desc limit 1)`

export interface Invitee {
  email: string
  languageCode: string | null
  disabled: boolean
  /** Has a password, or signs in by a provider or as a program. */
  hasSignIn: boolean
  invitation: string | null
}

/** A user whose row the caller has locked. */
export async function findInvitee(tx: Db, userGuid: string): Promise<Invitee> {
  const [invitee] = await tx<Invitee[]>`
    select u.email, u.language_code as "languageCode", u.disabled,
      ${tx.unsafe(signsIn)} or u.client_id is not null or u.api_user as "hasSignIn",
      ${tx.unsafe(invitationState)} as invitation
    from app_user u where u.id = ${userGuid}`
  return invitee!
}

/** Invitations of the last hour: to the user, and by the inviter. */
export async function countRecentInvitations(
  tx: Db,
  { userGuid, invitedBy }: { userGuid: string; invitedBy: string },
): Promise<{ toUser: number; byInviter: number }> {
  const [counts] = await tx<{ toUser: number; byInviter: number }[]>`
    select (select count(*)::int from password_reset where user_id = ${userGuid} and purpose = 'INVITATION'
        and created_at > now() - interval '1 hour') as "toUser",
      (select count(*)::int from password_reset where invited_by = ${invitedBy}
        and created_at > now() - interval '1 hour') as "byInviter"`
  return counts!
}

export interface NewInvitation {
  hash: Buffer
  userGuid: string
  invitedBy: string
  hours: number
}

/** Stores an invitation in place of earlier ones, whose tokens end. */
export async function insertInvitation(tx: Db, invitation: NewInvitation): Promise<void> {
  await endTokens(tx, invitation.userGuid)
  await tx`
    insert into password_reset (hash, user_id, purpose, invited_by, created_at, expires_at)
    values (${invitation.hash}, ${invitation.userGuid}, 'INVITATION', ${invitation.invitedBy}, clock_timestamp(),
      clock_timestamp() + ${invitation.hours} * interval '1 hour')`
}

/** Ends all tokens of a user: of invitations and of forgotten passwords. */
export async function endTokens(db: Db, userGuid: string): Promise<void> {
  await db`update password_reset set used_at = now() where user_id = ${userGuid} and used_at is null`
  await endSecretMessages(db, [userGuid], ['password-reset', 'invitation'])
}

/** Ends the open invitations of an inviter who may no longer sign in. */
export async function endInvitationsBy(tx: Db, inviterGuid: string): Promise<void> {
  const ended = await tx<{ userId: string }[]>`
    update password_reset set used_at = now() where invited_by = ${inviterGuid} and used_at is null
    returning user_id as "userId"`
  const userGuids = ended.map(({ userId }) => userId)
  if (userGuids.length > 0) await endSecretMessages(tx, userGuids, ['invitation'])
}
