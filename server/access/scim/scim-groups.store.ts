/** Access groups as a directory sees them: with the people in them whom the caller may see. */
import type { Db } from '../../platform/database/transaction.ts'
import { runStatement } from '../../platform/database/statement.ts'
import type { Caller } from '../../platform/http/caller.ts'
import { visibleUsers } from '../users/users.scope.ts'
import { compileFilter, type FilterColumns } from './filter-sql.ts'
import { groupType } from './schemas.ts'
import { isPerson, type ScimPage, type ScimQuery } from './scim-users.store.ts'

export interface ScimMember {
  value: string
  display: string
}

export interface ScimGroup {
  id: string
  displayName: string
  externalId: string | null
  accessCodes: string[]
  members: ScimMember[]
  version: number
}

const hasMember =
  'exists (select from user_access_group x where x.access_group_id = g.id and x.user_id = $value)'
const columns: FilterColumns = {
  id: { sql: 'g.id', kind: 'guid' },
  externalId: { sql: 'g.external_id', kind: 'exact' },
  displayName: { sql: 'g.name', kind: 'text' },
  members: { sql: hasMember, kind: 'set' },
  'members.value': { sql: hasMember, kind: 'set' },
}

const select = (members: string) => `
  g.id, g.name as "displayName", g.external_id as "externalId", g.access_codes as "accessCodes",
  ${members} as members, g.version`

const noMembers = `'[]'::jsonb`
const writeMembers = (scope: string) => `
  coalesce((select jsonb_agg(jsonb_build_object('value', u.id, 'display', u.full_name) order by u.id)
    from user_access_group x join app_user u on u.id = x.user_id
    where x.access_group_id = g.id and ${isPerson} and ${scope}), '[]')`

export async function findScimGroup(db: Db, caller: Caller, guid: string): Promise<ScimGroup | undefined> {
  const scope = visibleUsers(caller).at(2)
  const [group] = await runStatement<ScimGroup>(
    db,
    `select ${select(writeMembers(scope.text))} from access_group g where g.id = $1`,
    [guid, ...scope.parameters],
  )
  return group
}

export async function listScimGroups(
  db: Db,
  caller: Caller,
  { filter, startIndex, count, withMembers }: ScimQuery & { withMembers: boolean },
): Promise<ScimPage<ScimGroup>> {
  const chosen = filter ? compileFilter(filter, groupType, columns, 1) : { text: 'true', parameters: [] }
  const [row] = await runStatement<{ total: number }>(
    db,
    `select count(*)::int as total from access_group g where ${chosen.text}`,
    chosen.parameters,
  )
  const { total } = row!
  if (count === 0 || startIndex > total) return { total, rows: [] }
  const next = chosen.parameters.length + 1
  const scope = visibleUsers(caller).at(next + 2)
  const rows = await runStatement<ScimGroup>(
    db,
    `select ${select(withMembers ? writeMembers(scope.text) : noMembers)} from access_group g
     where ${chosen.text} order by g.id limit $${next}::int offset $${next + 1}::int`,
    [...chosen.parameters, count, startIndex - 1, ...(withMembers ? scope.parameters : [])],
  )
  return { total, rows }
}

/** Whether another group has the name, in any letter case. */
export async function isNameTaken(tx: Db, name: string, except: string | null): Promise<boolean> {
  const [row] = await tx<{ taken: boolean }[]>`
    select exists (
      select from access_group where lower(name) = lower(${name}) and id is distinct from ${except}::uuid
    ) as taken`
  return row!.taken
}

/** Those of the users whom the caller may see, and whom a directory may have. */
export async function findPeople(db: Db, caller: Caller, guids: readonly string[]): Promise<Set<string>> {
  const scope = visibleUsers(caller).at(2)
  const rows = await runStatement<{ id: string }>(
    db,
    `select u.id from app_user u where u.id = any($1::uuid[]) and ${isPerson} and ${scope.text}`,
    [[...guids], ...scope.parameters],
  )
  return new Set(rows.map(({ id }) => id))
}
