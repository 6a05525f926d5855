import { User, UserListItem, UserSummary, type ClientRestriction } from '../../../contract/access/users.ts'
import type { EventAction } from '../../../contract/platform/event-types.ts'
import { makeId } from '../../platform/database/make-id.ts'
import { memberColumns, toRow, selectList } from '../../platform/database/columns.ts'
import { findRow } from '../../platform/database/find-row.ts'
import { rowsHelper, rowHelper } from '../../platform/database/statement.ts'
import {
  listRows,
  type ListContext,
  type ListSource,
  type Page,
  type PageQuery,
} from '../../platform/database/list.ts'
import type { Db } from '../../platform/database/transaction.ts'
import { initialChanges, insertRecords, toRecords, type Change } from '../../platform/events/record.ts'
import type { Caller, Origin } from '../../platform/http/caller.ts'
import { invitationState } from '../invitations/invitations.store.ts'
import { endWhatRestsOn } from '../sessions/ended-secrets.ts'
import { visibleUsers } from './users.scope.ts'
import type { Scope } from '../../platform/database/row-scope.ts'
import { filterableProperties } from '../../platform/odata/properties.ts'
import { noUser, type UserRecord } from './users.rules.ts'

const from = 'app_user u join party p on p.id = u.party_id'
const exceptions = { uniqueId: 'id' }
const userColumns = (names: readonly string[]) => ({
  ...memberColumns(names, 'u', exceptions),
  ...(names.includes('partyReferenceCode') && { partyReferenceCode: 'p.reference_code' }),
  ...(names.includes('invitation') && { invitation: invitationState }),
})

const listColumns = userColumns(Object.keys(UserListItem.properties))
const oneUser = { entity: 'user', from, key: 'u.id' } as const
const source: ListSource<'user'> = {
  ...oneUser,
  select: selectList(listColumns),
  properties: filterableProperties(UserListItem, listColumns),
}
const exportedColumns = userColumns(
  Object.keys(UserListItem.properties).filter((name) => !name.startsWith('photo')),
)
/** For exports and the command line: with the role, without pictures. */
export const userRows: ListSource<'user'> = {
  ...source,
  select: selectList({ ...exportedColumns, userRole: 'u.user_role', apiUser: 'u.api_user' }),
}

export const listUsers = (
  db: Db,
  caller: Caller,
  query: PageQuery,
  context: ListContext,
): Promise<Page<UserListItem>> =>
  listRows<UserListItem, 'user'>(db, source, visibleUsers(caller), query, context)

const {
  links: _links,
  accessGroups: _groups,
  clientRestriction: _restriction,
  ...plainMembers
} = User.properties
const grants = `
  array(select g.code from user_access_group x join access_group g on g.id = x.access_group_id
    where x.user_id = u.id order by g.code) as "accessGroups",
  (select coalesce(jsonb_agg(jsonb_build_object('partyReferenceCode', r.reference_code, 'includeSubParties', x.include_sub_parties)
    order by r.reference_code), '[]') from user_client_restriction x join party r on r.id = x.party_id
    where x.user_id = u.id) as "clientRestriction"`
const userSelect = `${selectList(userColumns(Object.keys(plainMembers)))}, ${grants}`

export type StoredUser = Omit<User, 'links'> & { version: number }

const findSource = { ...oneUser, select: `${userSelect}, u.version` }

export const findUser = (db: Db, caller: Caller, userGuid: string): Promise<StoredUser | undefined> =>
  findRow(db, findSource, userGuid, visibleUsers(caller))

const summarySource = { ...oneUser, select: selectList(userColumns(Object.keys(UserSummary.properties))) }

export const findUserSummary = (db: Db, caller: Caller, userGuid: string): Promise<UserSummary | undefined> =>
  findRow(db, summarySource, userGuid, visibleUsers(caller))

/** Everything about a user that a change needs, the row locked for the rest of the transaction. */
export interface UserForChange {
  record: UserRecord
  version: number
  eventSequence: number
  partyId: string
  accessGroups: string[]
  clientRestriction: ClientRestriction[]
  passwordHash: string | null
}

const changeSource = {
  ...oneUser,
  select: `${selectList(userColumns(Object.keys(noUser)))}, ${grants}, u.version, u.event_sequence as "eventSequence",
    u.party_id as "partyId", u.password_hash as "passwordHash"`,
}

export async function lockUser(
  tx: Db,
  scope: Scope<'user'>,
  userGuid: string,
): Promise<UserForChange | undefined> {
  const row = await findRow<RowForChange, 'user'>(tx, changeSource, userGuid, scope, {
    lock: 'for update of u',
  })
  return row && toUserForChange(row)
}

/** The same without a lock. */
export async function findUserForChange(
  db: Db,
  scope: Scope<'user'>,
  userGuid: string,
): Promise<UserForChange | undefined> {
  const row = await findRow<RowForChange, 'user'>(db, changeSource, userGuid, scope)
  return row && toUserForChange(row)
}

type RowForChange = UserRecord & Omit<UserForChange, 'record'>

function toUserForChange(row: RowForChange): UserForChange {
  const { version, eventSequence, partyId, accessGroups, clientRestriction, passwordHash, ...record } = row
  return { record, version, eventSequence, partyId, accessGroups, clientRestriction, passwordHash }
}

/** The grants of a user beyond the role. */
export interface Grants {
  accessGroups: readonly { id: string; code: string }[]
  clientRestriction: readonly { partyId: string; partyReferenceCode: string; includeSubParties: boolean }[]
}

export interface NewUser {
  userGuid?: string
  partyId: string
  record: UserRecord
  passwordHash: string | null
  clientId?: string | null
  clientSecretHash?: string | null
  grants?: Grants
  /** The source's reference from an import. */
  sourceReference?: string
}

/** Returns the user's GUID. Runs inside a transaction. */
export async function insertUser(tx: Db, user: NewUser, origin: Origin): Promise<string> {
  const userGuid = user.userGuid ?? makeId()
  const secrets = {
    password_hash: user.passwordHash,
    client_id: user.clientId ?? null,
    client_secret_hash: user.clientSecretHash ?? null,
    source_reference: user.sourceReference ?? null,
  }
  const row = { id: userGuid, party_id: user.partyId, ...toRow(user.record), ...secrets }
  await tx`insert into app_user ${rowHelper(tx, row)}`
  if (user.grants) await insertGrants(tx, userGuid, user.grants)
  const { photoImage: _photo, ...audited } = user.record
  const changes = initialChanges({ ...audited, ...(user.grants && grantNames(user.grants)) })
  await insertRecords(tx, toRecords(origin, [userEntry('created', userGuid, 1, changes)]))
  return userGuid
}

const grantNames = ({ accessGroups, clientRestriction }: Grants) => ({
  accessGroups: accessGroups.map(({ code }) => code),
  clientRestriction: clientRestriction.map(({ partyReferenceCode }) => partyReferenceCode),
})

const userEntry = (
  action: EventAction<'user'>,
  userGuid: string,
  sequence: number,
  changes: Change['changes'],
): Change => ({
  type: `user.${action}`,
  entityId: userGuid,
  subject: userGuid,
  sequence,
  data: { userGuid, ...(action === 'updated' && { changed: Object.keys(changes) }) },
  changes,
})

async function insertGrants(
  tx: Db,
  userGuid: string,
  { accessGroups, clientRestriction }: Grants,
): Promise<void> {
  const groups = accessGroups.map(({ id }) => ({ user_id: userGuid, access_group_id: id }))
  const clients = clientRestriction.map((one) => ({
    user_id: userGuid,
    party_id: one.partyId,
    include_sub_parties: one.includeSubParties,
  }))
  if (groups.length > 0) await tx`insert into user_access_group ${rowsHelper(tx, groups)}`
  if (clients.length > 0) await tx`insert into user_client_restriction ${rowsHelper(tx, clients)}`
}

export interface UserUpdate {
  changes: Change['changes']
  /** Set when the password changes. */
  passwordHash?: string
  /** Set when the grants change. */
  grants?: Grants
}

/** Stores a change of a locked user and returns the new version. */
export async function updateUser(
  tx: Db,
  userGuid: string,
  before: UserForChange,
  { changes, passwordHash, grants: granted }: UserUpdate,
  origin: Origin,
): Promise<number> {
  const own = Object.entries(changes).filter(([name]) => name in noUser)
  const values = toRow(Object.fromEntries(own.map(([name, [, value]]) => [name, value])))
  const version = before.version + 1
  const sequence = before.eventSequence + 1
  const row = {
    ...values,
    ...(passwordHash !== undefined && { password_hash: passwordHash }),
    version,
    event_sequence: sequence,
  }
  await tx`update app_user set ${rowHelper(tx, row)} where id = ${userGuid}`
  await endWhatRestsOn(tx, userGuid, changes)
  if (granted) {
    await tx`delete from user_access_group where user_id = ${userGuid}`
    await tx`delete from user_client_restriction where user_id = ${userGuid}`
    await insertGrants(tx, userGuid, granted)
  }
  // The audit trail says that a photo or password changed, but not their values.
  const said = Object.fromEntries(
    Object.entries(changes).map(([name, change]): [string, typeof change] => [
      name,
      name === 'photoImage' ? [null, 'changed'] : change,
    ]),
  )
  const audited: Change['changes'] = {
    ...said,
    ...(passwordHash !== undefined && { password: [null, 'changed'] }),
  }
  await insertRecords(tx, toRecords(origin, [userEntry('updated', userGuid, sequence, audited)]))
  return version
}

export async function hasUsers(db: Db): Promise<boolean> {
  const [row] = await db<{ any: boolean }[]>`select exists (select from app_user) as any`
  return row!.any
}

/** How many enabled administrators (roles 1 and 2) exist besides the given user. One who is only invited does not count. */
export async function countOtherAdministrators(tx: Db, userGuid: string): Promise<number> {
  const [row] = await tx<{ count: number }[]>`
    select count(*)::int as count from app_user u where user_role in (1, 2) and not disabled and not api_user
      and id <> ${userGuid} and coalesce(${tx.unsafe(invitationState)}, 'ACCEPTED') = 'ACCEPTED'`
  return row!.count
}

/** Those of the names that are in use already, each as member and value: `email eva@agency.example`. */
export async function findTakenNames(
  tx: Db,
  names: readonly (readonly [field: string, value: string])[],
): Promise<Set<string>> {
  const of = (field: string) => names.filter(([own]) => own === field).map(([, value]) => value)
  const rows = await tx<{ name: string }[]>`
    select 'email ' || given as name from unnest(${of('email')}::text[]) given
    join app_user on folded_login(email) = folded_login(given)
    union all
    select 'userCode ' || given from unnest(${of('userCode')}::text[]) given
    join app_user on folded_login(user_code) = folded_login(given)
    union all
    select 'clientId ' || client_id from app_user where client_id = any(${of('clientId')}::uuid[])
    union all
    select 'existingUserUniqueId ' || id from app_user where id = any(${of('existingUserUniqueId')}::uuid[])`
  return new Set(rows.map(({ name }) => name))
}
