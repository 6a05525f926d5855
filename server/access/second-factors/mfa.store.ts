import { rowsHelper } from '../../platform/database/statement.ts'
import type { Db } from '../../platform/database/transaction.ts'
import type { StoredSeed } from './second-factor-seed.ts'

/** A user's second factor, and the recipient of its codes. */
export interface Factor {
  userId: string
  mfaType: number
  disabled: boolean
  email: string
  cellularPhoneNumber: string | null
  languageCode: string | null
  hasAuthenticator: boolean
  hasPasskey: boolean
}

export async function findFactor(db: Db, userId: string): Promise<Factor> {
  const [row] = await db<Factor[]>`
    select id as "userId", mfa_type as "mfaType", disabled, email, cellular_phone_number as "cellularPhoneNumber",
      language_code as "languageCode",
      exists (select from authenticator a where a.user_id = u.id and a.active) as "hasAuthenticator",
      exists (select from passkey p where p.user_id = u.id) as "hasPasskey"
    from app_user u where id = ${userId}`
  return row!
}

export type Purpose = 'sign-in' | 'choose' | 'change' | 'email'

export interface NewChallenge {
  hash: Buffer
  userId: string
  purpose: Purpose
  mfaType: number
  codeHash: Buffer | null
  minutes: number
}

export async function insertChallenge(tx: Db, challenge: NewChallenge): Promise<void> {
  await tx`
    insert into mfa_challenge (hash, user_id, purpose, mfa_type, code_hash, expires_at)
    values (${challenge.hash}, ${challenge.userId}, ${challenge.purpose}, ${challenge.mfaType}, ${challenge.codeHash},
      now() + ${challenge.minutes} * interval '1 minute')`
}

/** How many codes the user was sent in the last minutes, and the seconds until the oldest no longer counts. */
export async function countCodes(
  tx: Db,
  userId: string,
  minutes: number,
): Promise<{ count: number; seconds: number }> {
  const [row] = await tx<{ count: number; seconds: number }[]>`
    select count(*)::int as count,
      coalesce(ceil(extract(epoch from min(created_at) + ${minutes} * interval '1 minute' - now())), 0)::int as seconds
    from mfa_challenge
    where user_id = ${userId} and code_hash is not null and created_at > now() - ${minutes} * interval '1 minute'`
  return row!
}

export interface Challenge {
  mfaType: number
  codeHash: Buffer | null
}

/** Locks the user for the rest of the transaction, so that attempts for one user run one after the other. */
export async function lockUser(tx: Db, userId: string): Promise<void> {
  await tx`select from app_user where id = ${userId} for no key update`
}

/** The user of a challenge, even if it can no longer be used. */
export async function findChallengedUser(db: Db, hash: Buffer): Promise<string | undefined> {
  const [row] = await db<
    { userId: string }[]
  >`select user_id as "userId" from mfa_challenge where hash = ${hash}`
  return row?.userId
}

/** A usable challenge, locked for the rest of the transaction. The attempt is counted. */
export async function tryChallenge(
  tx: Db,
  hash: Buffer,
  { purpose, userId }: { purpose: Purpose; userId: string },
  triesMax: number,
): Promise<Challenge | undefined> {
  const [row] = await tx<Challenge[]>`
    update mfa_challenge set tries = tries + 1
    where hash = ${hash} and user_id = ${userId} and purpose = ${purpose}
      and used_at is null and expires_at > now() and tries < ${triesMax}
    returning mfa_type as "mfaType", code_hash as "codeHash"`
  return row
}

export async function markChallengeUsed(tx: Db, hash: Buffer): Promise<void> {
  await tx`update mfa_challenge set used_at = now() where hash = ${hash}`
}

export type Authenticator = StoredSeed & { lastStep: number }

export async function findAuthenticator(
  tx: Db,
  userId: string,
  active: boolean,
): Promise<Authenticator | undefined> {
  const [row] = await tx<Authenticator[]>`
    select seed, sealed, last_step as "lastStep" from authenticator where user_id = ${userId} and active = ${active}`
  return row
}

/** Marks a time step as used. False when it or a later one was used before, also by a concurrent request. */
export async function takeStep(tx: Db, userId: string, active: boolean, step: number): Promise<boolean> {
  const taken = await tx`
    update authenticator set last_step = ${step}
    where user_id = ${userId} and active = ${active} and last_step < ${step} returning 1`
  return taken.length === 1
}

/** Stores the seed of an app being enrolled. Replaces one that was never confirmed. */
export async function storePendingSeed(tx: Db, userId: string, { seed, sealed }: StoredSeed): Promise<void> {
  await tx`
    insert into authenticator (user_id, active, seed, sealed) values (${userId}, false, ${seed}, ${sealed})
    on conflict (user_id, active) do update
      set seed = excluded.seed, sealed = excluded.sealed, last_step = 0, created_at = now()`
}

export async function replaceSeed(
  tx: Db,
  userId: string,
  active: boolean,
  { seed, sealed }: StoredSeed,
): Promise<void> {
  await tx`
    update authenticator set seed = ${seed}, sealed = ${sealed} where user_id = ${userId} and active = ${active}`
}

export async function activateAuthenticator(tx: Db, userId: string): Promise<void> {
  await tx`delete from authenticator where user_id = ${userId} and active`
  await tx`update authenticator set active = true where user_id = ${userId}`
}

/** Removes the user's apps, passkeys and recovery codes. */
export async function deleteFactor(tx: Db, userId: string): Promise<void> {
  await tx`delete from authenticator where user_id = ${userId}`
  await tx`delete from passkey where user_id = ${userId}`
  await tx`delete from recovery_code where user_id = ${userId}`
}

export async function replaceRecoveryCodes(tx: Db, userId: string, hashes: readonly Buffer[]): Promise<void> {
  await tx`delete from recovery_code where user_id = ${userId}`
  const rows = hashes.map((hash) => ({ user_id: userId, hash }))
  await tx`insert into recovery_code ${rowsHelper(tx, rows)}`
}

/** Marks a recovery code as used. False for an unknown or used code. */
export async function takeRecoveryCode(tx: Db, userId: string, hash: Buffer): Promise<boolean> {
  const taken = await tx`
    update recovery_code set used_at = now()
    where user_id = ${userId} and hash = ${hash} and used_at is null returning 1`
  return taken.length === 1
}

/** Turns a session that could only enrol into a full one. */
export async function completeSession(tx: Db, sessionId: string): Promise<void> {
  await tx`update session set mfa_pending = false where id = ${sessionId}`
}

export async function deleteOldChallenges(db: Db): Promise<void> {
  await db`delete from mfa_challenge where expires_at < now() - interval '1 hour'`
}
