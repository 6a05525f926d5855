import { ClientSecret } from '../../../contract/access/client-secrets.ts'
import type { AccessCode, UserRole } from '../../../contract/access/access.ts'
import { memberColumns, selectList } from '../../platform/database/columns.ts'
import { findRow } from '../../platform/database/find-row.ts'
import {
  listRows,
  type ListContext,
  type ListSource,
  type Page,
  type PageQuery,
} from '../../platform/database/list.ts'
import type { Db } from '../../platform/database/transaction.ts'
import { filterableProperties } from '../../platform/odata/properties.ts'
import { userSecrets } from './client-secrets.scope.ts'
import type { MadeSecret } from './new-secret.ts'

const columns = {
  ...memberColumns(Object.keys(ClientSecret.properties), 's', { secretGuid: 'id' }),
  clientId: 'u.client_id',
}
const source: ListSource<'clientsecret'> = {
  entity: 'clientsecret',
  from: 'client_secret s join app_user u on u.id = s.user_id',
  key: 's.id',
  select: selectList(columns),
  properties: filterableProperties(ClientSecret, columns),
  defaultOrder: {
    terms: [],
    keyDescending: true,
    text: 's.created_at desc, s.id desc',
    reversedText: 's.created_at, s.id',
  },
}

export const listClientSecrets = (
  db: Db,
  userGuid: string,
  query: PageQuery,
  context: ListContext,
): Promise<Page<ClientSecret>> =>
  listRows<ClientSecret, 'clientsecret'>(db, source, userSecrets(userGuid), query, context)

export const findClientSecret = (
  db: Db,
  userGuid: string,
  secretGuid: string,
): Promise<ClientSecret | undefined> =>
  findRow<ClientSecret, 'clientsecret'>(db, source, secretGuid, userSecrets(userGuid))

export async function insertClientSecret(
  tx: Db,
  userGuid: string,
  secretGuid: string,
  { hash, prefix }: MadeSecret,
): Promise<void> {
  await tx`
    insert into client_secret (id, user_id, hash, prefix) values (${secretGuid}, ${userGuid}, ${hash}, ${prefix})`
}

/** How many secrets of a user work. The user's row is locked, so that the count holds. */
export async function countWorkingSecrets(tx: Db, userGuid: string): Promise<number> {
  const [row] = await tx<{ count: number }[]>`
    select count(*)::int as count from client_secret
    where user_id = ${userGuid} and (ends_at is null or ends_at > now())`
  return row!.count
}

/** The user's client id, which becomes the given one if there is none. Returns it. */
export async function ensureClientId(tx: Db, userGuid: string, clientId: string): Promise<string> {
  const [row] = await tx<{ clientId: string }[]>`
    update app_user set client_id = coalesce(client_id, ${clientId}) where id = ${userGuid}
    returning client_id as "clientId"`
  return row!.clientId
}

/** The end of a day in a time zone, and whether it has passed. */
export async function findDayEnd(
  tx: Db,
  day: string,
  timeZone: string,
): Promise<{ at: string; isPast: boolean }> {
  const [row] = await tx<{ at: string; isPast: boolean }[]>`
    select at::text, at <= now() as "isPast"
    from (select (${day}::date + 1)::timestamp at time zone ${timeZone} as at) d`
  return row!
}

/** Ends the working secrets of a user besides the given one then, unless they end earlier. */
export async function endOtherSecrets(
  tx: Db,
  userGuid: string,
  except: string,
  endsAt: string,
): Promise<void> {
  await tx`
    update client_secret set ends_at = ${endsAt}::timestamptz
    where user_id = ${userGuid} and id <> ${except} and (ends_at is null or ends_at > ${endsAt}::timestamptz)`
}

/**
 * Ends a secret now, with the sessions that began with it. Returns its prefix; undefined when it does not work anyway.
 */
export async function endSecret(
  tx: Db,
  userGuid: string,
  secretGuid: string,
): Promise<{ prefix: string | null } | undefined> {
  const [ended] = await tx<{ prefix: string | null; hash: string }[]>`
    update client_secret set ends_at = now()
    where id = ${secretGuid} and user_id = ${userGuid} and (ends_at is null or ends_at > now())
    returning prefix, hash`
  if (!ended) return undefined
  // Nodes of the release before read a chosen secret there.
  await tx`
    update app_user set client_secret_hash = null where id = ${userGuid} and client_secret_hash = ${ended.hash}`
  await tx`
    update session set revoked_at = now() where client_secret_id = ${secretGuid} and revoked_at is null`
  return { prefix: ended.prefix }
}

export interface StoredSecret {
  secretGuid: string
  hash: string
  /** Seconds until the secret ends; null when it has no end. */
  secondsLeft: number | null
}

export interface ClientForLogin {
  userId: string
  disabled: boolean
  userRole: UserRole
  groupCodes: AccessCode[]
  /** The secrets that work. */
  secrets: StoredSecret[]
}

/** The user of a client id. */
export async function findClient(db: Db, clientId: string): Promise<ClientForLogin | undefined> {
  const [client] = await db<ClientForLogin[]>`
    select u.id as "userId", u.disabled, u.user_role as "userRole",
      array(select distinct unnest(g.access_codes) from user_access_group x
        join access_group g on g.id = x.access_group_id where x.user_id = u.id) as "groupCodes",
      coalesce((select json_agg(json_build_object('secretGuid', s.id, 'hash', s.hash,
          'secondsLeft', floor(extract(epoch from s.ends_at - now()))::bigint))
        from client_secret s where s.user_id = u.id and (s.ends_at is null or s.ends_at > now())), '[]') as secrets
    from app_user u where u.client_id = ${clientId}`
  return client
}

/** The enabled user of a working secret that the server made, by its hash. */
export async function findSecretOwner(
  db: Db,
  hash: string,
): Promise<{ userId: string; secretGuid: string } | undefined> {
  const [owner] = await db<{ userId: string; secretGuid: string }[]>`
    select s.user_id as "userId", s.id as "secretGuid" from client_secret s join app_user u on u.id = s.user_id
    where s.hash = ${hash} and (s.ends_at is null or s.ends_at > now()) and not u.disabled`
  return owner
}

/** Notes the use of a secret, at most once a minute. */
export async function noteUse(db: Db, secretGuid: string): Promise<void> {
  await db`
    update client_secret set last_used_at = date_trunc('minute', now())
    where id = ${secretGuid} and (last_used_at is null or last_used_at < date_trunc('minute', now()))`
}

/** Deletes what ended at least 30 days ago. */
export async function deleteEndedSecrets(db: Db): Promise<void> {
  await db`delete from client_secret where ends_at < now() - interval '30 days'`
}
