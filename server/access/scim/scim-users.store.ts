/** Users as a directory sees them: people only, without API users and those that it deleted. */
import type { Db } from '../../platform/database/transaction.ts'
import { runStatement } from '../../platform/database/statement.ts'
import { changesBetween, insertRecords, toRecords } from '../../platform/events/record.ts'
import type { Caller, Origin } from '../../platform/http/caller.ts'
import { visibleUsers } from '../users/users.scope.ts'
import { compileFilter, type FilterColumns } from './filter-sql.ts'
import type { Filter } from './filter-syntax.ts'
import { userType } from './schemas.ts'

export interface ScimUser {
  id: string
  userName: string
  externalId: string | null
  givenName: string | null
  familyName: string | null
  fullName: string
  email: string
  disabled: boolean
  userRole: number
  phoneNumber: string | null
  cellularPhoneNumber: string | null
  languageCode: string | null
  employmentNumber: string | null
  department: string | null
  partyReferenceCode: string
  groups: { value: string; display: string }[]
  createdAt: string
  version: number
}

export const isPerson = 'not u.api_user and not (u.deprovisioned and u.disabled)'

const from = 'app_user u join party p on p.id = u.party_id'
const select = `
  u.id, coalesce(u.user_name, u.email) as "userName", u.external_id as "externalId", u.given_name as "givenName",
  u.family_name as "familyName", u.full_name as "fullName", u.email, u.disabled, u.user_role as "userRole",
  u.phone_number as "phoneNumber", u.cellular_phone_number as "cellularPhoneNumber", u.language_code as "languageCode",
  u.employment_number as "employmentNumber", u.department,
  p.reference_code as "partyReferenceCode",
  coalesce((select jsonb_agg(jsonb_build_object('value', g.id, 'display', g.name) order by g.name, g.id)
    from user_access_group x join access_group g on g.id = x.access_group_id where x.user_id = u.id), '[]') as groups,
  u.created_at as "createdAt", u.version`

const inGroup =
  'exists (select from user_access_group x where x.user_id = u.id and x.access_group_id = $value)'
const columns: FilterColumns = {
  id: { sql: 'u.id', kind: 'guid' },
  externalId: { sql: 'u.external_id', kind: 'exact' },
  userName: { sql: 'coalesce(u.user_name, u.email)', kind: 'login' },
  displayName: { sql: 'u.full_name', kind: 'text' },
  'name.formatted': { sql: 'u.full_name', kind: 'text' },
  'name.familyName': { sql: 'u.family_name', kind: 'text' },
  'name.givenName': { sql: 'u.given_name', kind: 'text' },
  active: { sql: 'not u.disabled', kind: 'flag' },
  emails: { sql: 'u.email', kind: 'login' },
  'emails.value': { sql: 'u.email', kind: 'login' },
  'emails.type': { sql: "'work'::text", kind: 'text' },
  'emails.primary': { sql: 'true', kind: 'flag' },
  roles: { sql: 'u.user_role::text', kind: 'text' },
  'roles.value': { sql: 'u.user_role::text', kind: 'text' },
  preferredLanguage: { sql: 'u.language_code', kind: 'text' },
  groups: { sql: inGroup, kind: 'set' },
  'groups.value': { sql: inGroup, kind: 'set' },
  'meta.created': { sql: 'u.created_at', kind: 'moment' },
  employeeNumber: { sql: 'u.employment_number', kind: 'text' },
  department: { sql: 'u.department', kind: 'text' },
}

export async function findScimUser(db: Db, caller: Caller, guid: string): Promise<ScimUser | undefined> {
  const scope = visibleUsers(caller).at(2)
  const [user] = await runStatement<ScimUser>(
    db,
    `select ${select} from ${from} where u.id = $1 and ${isPerson} and ${scope.text}`,
    [guid, ...scope.parameters],
    { prepare: true },
  )
  return user
}

export interface ScimPage<Row> {
  total: number
  rows: Row[]
}

export interface ScimQuery {
  filter: Filter | null
  /** From 1. */
  startIndex: number
  count: number
}

export async function listScimUsers(
  db: Db,
  caller: Caller,
  { filter, startIndex, count }: ScimQuery,
): Promise<ScimPage<ScimUser>> {
  const scope = visibleUsers(caller).at(1)
  const chosen = filter
    ? compileFilter(filter, userType, columns, 1 + scope.parameters.length)
    : { text: 'true', parameters: [] }
  const where = `${isPerson} and ${scope.text} and ${chosen.text}`
  const parameters = [...scope.parameters, ...chosen.parameters]
  const [row] = await runStatement<{ total: number }>(
    db,
    `select count(*)::int as total from app_user u where ${where}`,
    parameters,
  )
  const { total } = row!
  if (count === 0 || startIndex > total) return { total, rows: [] }
  const next = parameters.length + 1
  const rows = await runStatement<ScimUser>(
    db,
    `select ${select} from ${from} where ${where} order by u.id limit $${next}::int offset $${next + 1}::int`,
    [...parameters, count, startIndex - 1],
  )
  return { total, rows }
}

/** What only the directory knows of a user. */
export interface DirectoryNames {
  /** Null where the directory knows the user by e-mail. */
  userName: string | null
  externalId: string | null
  givenName: string | null
  familyName: string | null
}

interface StoredNames extends DirectoryNames {
  version: number
  eventSequence: number
  deprovisioned: boolean
}

/** Stores the names of a user whose row is locked. Returns the user's version. */
export async function storeNames(
  tx: Db,
  userGuid: string,
  names: DirectoryNames & { deprovisioned: boolean; provisioned?: true },
  origin: Origin,
): Promise<number> {
  const [found] = await tx<StoredNames[]>`
    select user_name as "userName", external_id as "externalId", given_name as "givenName",
      family_name as "familyName", version, event_sequence as "eventSequence", deprovisioned
    from app_user where id = ${userGuid}`
  const { version, eventSequence, ...before } = found!
  const { provisioned, ...after } = names
  const changes = changesBetween(before, after)
  if (Object.keys(changes).length === 0 && provisioned !== true) return version
  await tx`
    update app_user set user_name = ${names.userName}, external_id = ${names.externalId},
      given_name = ${names.givenName}, family_name = ${names.familyName}, deprovisioned = ${names.deprovisioned},
      provisioned = provisioned or ${provisioned === true}, version = ${version + 1},
      event_sequence = ${eventSequence + 1}
    where id = ${userGuid}`
  const data = { userGuid, changed: Object.keys(changes) }
  const change = { entityId: userGuid, subject: userGuid, sequence: eventSequence + 1, data, changes }
  await insertRecords(tx, toRecords(origin, [{ ...change, type: 'user.updated' }]))
  return version + 1
}

/** A user that the directory deleted before, by its name or e-mail. Locked for the rest of the transaction. */
export async function lockDeprovisioned(
  tx: Db,
  caller: Caller,
  names: { userName: string; email: string },
): Promise<string | undefined> {
  const scope = visibleUsers(caller).at(3)
  const [user] = await runStatement<{ id: string }>(
    tx,
    `select u.id from app_user u
     where (folded_login(coalesce(u.user_name, u.email)) = folded_login($1) or folded_login(u.email) = folded_login($2))
       and u.deprovisioned and u.disabled and not u.api_user and ${scope.text}
     order by folded_login(coalesce(u.user_name, u.email)) = folded_login($1) desc limit 1 for update`,
    [names.userName, names.email, ...scope.parameters],
  )
  return user?.id
}
