/** Creates, changes and deletes access groups. Users can grant only access codes that they have. */
import type { AccessCode, UserRole } from '../../../contract/access/access.ts'
import type { AccessGroupInput } from '../../../contract/access/access-groups.ts'
import { cleanText } from '../../../core/identity/person-name.ts'
import { makeId } from '../../platform/database/make-id.ts'
import { inTransaction, violatedUniqueness, type Db } from '../../platform/database/transaction.ts'
import {
  deleteTracked,
  insertTracked,
  updateTracked,
  type TrackedTable,
} from '../../platform/events/tracked-row.ts'
import type { Caller, Origin } from '../../platform/http/caller.ts'
import { ApiError, FieldErrors, notFound } from '../../platform/http/errors.ts'
import { inUse } from '../../platform/http/in-use.ts'
import { requireMatch, type IfMatch } from '../../platform/http/version.ts'
import { findCodesBeyond, roleCodes } from './grants.ts'

export interface StoredAccessGroup {
  accessGroupGuid: string
  code: string
  name: string
  accessCodes: string[]
  version: number
}

type GroupRecord = Omit<StoredAccessGroup, 'accessGroupGuid' | 'version'>
/** Where access groups are stored. */
export const accessGroupTable: TrackedTable = {
  table: 'access_group',
  entity: 'accessgroup',
  guidName: 'accessGroupGuid',
}
const at = accessGroupTable

export async function findAccessGroup(
  db: Db,
  guid: string,
  { lock = false } = {},
): Promise<StoredAccessGroup | undefined> {
  const [row] = await db<StoredAccessGroup[]>`
    select id as "accessGroupGuid", code, name, access_codes as "accessCodes", version
    from access_group where id = ${guid} ${lock ? db`for update` : db``}`
  return row
}

/** Throws a 400, a 403 for codes that the caller lacks, or a 409 for a code in use. */
export async function addAccessGroup(
  db: Db,
  caller: Caller,
  input: AccessGroupInput,
  origin: Origin,
): Promise<StoredAccessGroup> {
  const members = prepare({ code: '', name: '', accessCodes: [] }, input, caller)
  const guid = makeId()
  await atDuplicate(() => inTransaction(db, (tx) => insertTracked(tx, at, { guid, members }, origin)))
  return { accessGroupGuid: guid, ...members, version: 1 }
}

/** Returns the version after the change. It takes effect for the group's users within a second. */
export async function changeAccessGroup(
  db: Db,
  caller: Caller,
  { guid, input, ifMatch }: { guid: string; input: AccessGroupInput; ifMatch: IfMatch },
  origin: Origin,
): Promise<number> {
  return atDuplicate(() =>
    inTransaction(db, async (tx) => {
      const { accessGroupGuid: _, version, ...before } = await requireGroup(tx, guid, ifMatch)
      requireOwn(before.accessCodes, caller)
      await requireMembersWithin(tx, guid, caller)
      return updateTracked(tx, at, { guid, before, version, after: prepare(before, input, caller) }, origin)
    }),
  )
}

/** Throws a 404, a 409 while users are in the group, or a 412. */
export async function removeAccessGroup(
  db: Db,
  { guid, ifMatch }: { guid: string; ifMatch: IfMatch },
  origin: Origin,
): Promise<void> {
  await inTransaction(db, async (tx) => {
    const { accessGroupGuid: _, version: __, ...before } = await requireGroup(tx, guid, ifMatch)
    const [row] = await tx<{ users: number }[]>`
      select count(*)::int as users from user_access_group where access_group_id = ${guid}`
    const used = inUse('access group', { users: row!.users })
    if (used) throw used
    await deleteTracked(tx, at, { guid, before }, origin)
  })
}

async function requireGroup(tx: Db, guid: string, ifMatch: IfMatch): Promise<StoredAccessGroup> {
  const found = await findAccessGroup(tx, guid, { lock: true })
  if (!found) throw notFound('access group')
  requireMatch(ifMatch, found.version)
  return found
}

function prepare(before: GroupRecord, input: AccessGroupInput, caller: Caller): GroupRecord {
  const checks = new FieldErrors()
  const accessCodes = [...new Set(input.accessCodes ?? before.accessCodes)].toSorted()
  const code = typeof input.code === 'string' ? cleanText(input.code) : before.code
  const name = typeof input.name === 'string' ? cleanText(input.name) : before.name
  if (code === '') checks.add('code', 'is required.')
  else if (/[,\\]/.test(code)) checks.add('code', 'must not have commas or backslashes.')
  if (name === '') checks.add('name', 'is required.')
  checks.throwIfAny()
  requireOwn(accessCodes, caller)
  return { code, name, accessCodes }
}

/** Throws a 403 for access codes that the caller lacks. */
export function requireOwn(accessCodes: readonly string[], caller: Caller): void {
  const beyond = accessCodes.filter((code) => !caller.accessCodes.has(code as AccessCode))
  if (beyond.length === 0) return
  throw new ApiError(
    'forbidden',
    `You do not have ${beyond.join(', ')} yourself. Nobody may grant more than they have.`,
  )
}

/** Changing a group changes its users, whose rights must not exceed the caller's. */
async function requireMembersWithin(tx: Db, groupGuid: string, caller: Caller): Promise<void> {
  const members = await tx<{ userRole: UserRole; groupCodes: string[] }[]>`
    select distinct u.user_role as "userRole", array(
      select distinct unnest(g.access_codes) from user_access_group o join access_group g on g.id = o.access_group_id
      where o.user_id = u.id order by 1) as "groupCodes"
    from user_access_group x join app_user u on u.id = x.user_id where x.access_group_id = ${groupGuid}`
  const isBeyond = members.some(
    ({ userRole, groupCodes }) => findCodesBeyond(caller, [...roleCodes(userRole), ...groupCodes]).length > 0,
  )
  if (isBeyond) throw new ApiError('forbidden', 'The group has users with access codes that you do not have.')
}

async function atDuplicate<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (violatedUniqueness(error) !== 'access_group_code') throw error
    throw new ApiError('conflict', 'There is an access group with this code already. Choose another.', {
      errors: { code: ['belongs to another access group.'] },
    })
  }
}
