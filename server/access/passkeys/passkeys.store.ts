import type { Passkey } from '../../../contract/access/passkeys.ts'
import type { Db } from '../../platform/database/transaction.ts'

export interface StoredPasskey {
  passkeyGuid: string
  credentialId: Buffer
  publicKey: Buffer
  counter: number
  transports: string[]
}

/** What browsers need to know of a user's passkeys. */
export const listCredentials = (
  db: Db,
  userId: string,
): Promise<Pick<StoredPasskey, 'credentialId' | 'transports'>[]> =>
  db<Pick<StoredPasskey, 'credentialId' | 'transports'>[]>`
    select credential_id as "credentialId", transports from passkey where user_id = ${userId} order by created_at`

export const listPasskeys = (db: Db, userId: string): Promise<Passkey[]> =>
  db<Passkey[]>`
    select id as "passkeyGuid", name, created_at as "createdAt", last_used_at as "lastUsedAt"
    from passkey where user_id = ${userId} order by created_at desc, id desc`

export async function hasPasskey(db: Db, userId: string, passkeyGuid: string): Promise<boolean> {
  const found = await db`select from passkey where user_id = ${userId} and id = ${passkeyGuid}`
  return found.length > 0
}

export async function findPasskey(
  tx: Db,
  userId: string,
  credentialId: Buffer,
): Promise<StoredPasskey | undefined> {
  const [row] = await tx<StoredPasskey[]>`
    select id as "passkeyGuid", credential_id as "credentialId", public_key as "publicKey", counter::float8 as counter, transports
    from passkey where user_id = ${userId} and credential_id = ${credentialId}`
  return row
}

/** False if somebody has this credential already. */
export async function insertPasskey(
  tx: Db,
  userId: string,
  { passkeyGuid, name, credentialId, publicKey, counter, transports }: StoredPasskey & { name: string },
): Promise<boolean> {
  const made = await tx`
    insert into passkey (id, user_id, credential_id, public_key, counter, transports, name)
    values (${passkeyGuid}, ${userId}, ${credentialId}, ${publicKey}, ${counter}, ${transports}, ${name})
    on conflict (credential_id) do nothing returning 1`
  return made.length === 1
}

export async function notePasskeyUse(tx: Db, passkeyGuid: string, counter: number): Promise<void> {
  await tx`update passkey set counter = ${counter}, last_used_at = now() where id = ${passkeyGuid}`
}

/** The name of the deleted passkey; undefined when the user has no such one. */
export async function deletePasskey(
  tx: Db,
  userId: string,
  passkeyGuid: string,
): Promise<string | undefined> {
  const [row] = await tx<{ name: string }[]>`
    delete from passkey where user_id = ${userId} and id = ${passkeyGuid} returning name`
  return row?.name
}
