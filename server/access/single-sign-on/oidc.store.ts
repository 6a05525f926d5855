import type { Db } from '../../platform/database/transaction.ts'

export interface IdentifiedUser {
  userId: string
  disabled: boolean
  mfaType: number
}

/** Stores the hash of a sign-in's state for ten minutes. */
export async function insertAttempt(db: Db, stateHash: Buffer, returnTo: string): Promise<void> {
  await db`
    insert into oidc_attempt (state_hash, return_to, expires_at)
    values (${stateHash}, ${returnTo}, now() + interval '10 minutes')`
}

/** Takes an attempt, which works once. Returns its target path; undefined when the attempt is unknown or expired. */
export async function takeAttempt(db: Db, stateHash: Buffer): Promise<string | undefined> {
  const [row] = await db<{ returnTo: string; live: boolean }[]>`
    delete from oidc_attempt where state_hash = ${stateHash}
    returning return_to as "returnTo", expires_at > now() as live`
  return row?.live === true ? row.returnTo : undefined
}

export async function findLinkedUser(
  db: Db,
  { issuer, subject }: { issuer: string; subject: string },
): Promise<IdentifiedUser | undefined> {
  const [user] = await db<IdentifiedUser[]>`
    select u.id as "userId", u.disabled, u.mfa_type as "mfaType"
    from external_identity x join app_user u on u.id = x.user_id
    where x.issuer = ${issuer} and x.subject = ${subject}`
  return user
}

/**
 * The user of an e-mail, unless linked to an identity of this provider. Its name finds the user. Beyond that only the
 * case of A to Z may differ: the provider speaks for one mailbox, and straße@ and strasse@, or the Kelvin sign and k, can
 * be two.
 */
export async function findUnlinkedUser(
  db: Db,
  { issuer, email }: { issuer: string; email: string },
): Promise<IdentifiedUser | undefined> {
  const [user] = await db<IdentifiedUser[]>`
    select u.id as "userId", u.disabled, u.mfa_type as "mfaType" from app_user u
    where folded_login(u.email) = folded_login(${email})
      and lower(u.email collate "C") = lower(${email} collate "C")
      and not exists (select from external_identity x where x.user_id = u.id and x.issuer = ${issuer})`
  return user
}

/** Returns whether this call linked the identity. False when either is linked already. */
export async function linkIdentity(
  tx: Db,
  { issuer, subject }: { issuer: string; subject: string },
  userId: string,
): Promise<boolean> {
  const rows = await tx`
    insert into external_identity (issuer, subject, user_id) values (${issuer}, ${subject}, ${userId})
    on conflict do nothing returning 1`
  return rows.length > 0
}
