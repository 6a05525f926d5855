import { CurrentUser } from '../../../contract/access/current-user.ts'
import { memberColumns, selectList } from '../../platform/database/columns.ts'
import { toJson, runStatement } from '../../platform/database/statement.ts'
import type { Db } from '../../platform/database/transaction.ts'

const {
  links: _links,
  accessGroups: _groups,
  accessCodes: _codes,
  clientRestriction: _restriction,
  partyReferenceCode: _party,
  systemCurrencyCode: _currency,
  systemCountryCode: _country,
  ...ownMembers
} = CurrentUser.properties
const select = selectList(memberColumns(Object.keys(ownMembers), 'u', { uniqueId: 'id' }))

export type StoredProfile = Omit<CurrentUser, 'links' | 'accessCodes' | 'systemCurrencyCode'> & {
  version: number
}

export async function findProfile(db: Db, userId: string): Promise<StoredProfile> {
  const [row] = await runStatement<StoredProfile>(
    db,
    `select ${select}, p.reference_code as "partyReferenceCode", u.version,
       coalesce((select a.country_code from party a where a.parent_id is null order by a.id limit 1),
         (select settings ->> 'countryCode' from system_setting)) as "systemCountryCode",
       array(select g.code from user_access_group x join access_group g on g.id = x.access_group_id
         where x.user_id = u.id order by g.code) as "accessGroups",
       (select coalesce(jsonb_agg(jsonb_build_object('partyReferenceCode', r.reference_code, 'includeSubParties', x.include_sub_parties)
         order by r.reference_code), '[]') from user_client_restriction x join party r on r.id = x.party_id
         where x.user_id = u.id) as "clientRestriction"
     from app_user u join party p on p.id = u.party_id where u.id = $1`,
    [userId],
    { prepare: true },
  )
  return row!
}

export async function findSettings(
  db: Db,
  userId: string,
  context: string,
  group: string,
): Promise<Record<string, unknown>> {
  const [row] = await db<{ settings: Record<string, unknown> }[]>`
    select settings from user_setting where user_id = ${userId} and context = ${context} and setting_group = ${group}`
  return row?.settings ?? {}
}

/**
 * Merges settings into a group; null removes a member. One statement, so that two tabs do not undo each other's
 * changes. Returns the group's size in bytes afterwards.
 */
export async function mergeSettings(
  tx: Db,
  where: { userId: string; context: string; group: string },
  settings: Record<string, unknown>,
): Promise<number> {
  const removed = Object.keys(settings).filter((name) => settings[name] === null)
  const merged = Object.fromEntries(Object.entries(settings).filter(([, value]) => value !== null))
  const [row] = await tx<{ bytes: number }[]>`
    insert into user_setting as s (user_id, context, setting_group, settings)
    values (${where.userId}, ${where.context}, ${where.group}, ${toJson(tx, merged)})
    on conflict (user_id, context, setting_group) do update
      set settings = (s.settings || excluded.settings) - ${removed}::text[]
    returning octet_length(settings::text) as bytes`
  return row!.bytes
}

export async function countSettingGroups(tx: Db, userId: string): Promise<number> {
  const [row] = await tx<
    { count: number }[]
  >`select count(*)::int as count from user_setting where user_id = ${userId}`
  return row!.count
}
