/** Deletes a user who never did anything, with what is the user's own. */
import { inTransaction, type Db } from '../../platform/database/transaction.ts'
import type { Caller, Origin } from '../../platform/http/caller.ts'
import { deleteTracked, type TrackedTable } from '../../platform/events/tracked-row.ts'
import { ApiError, notFound } from '../../platform/http/errors.ts'
import { inUse } from '../../platform/http/in-use.ts'
import { requireMatch, type IfMatch } from '../../platform/http/version.ts'
import { requireAdministrator, requireManageable } from './users.changes.ts'
import { visibleUsers } from './users.scope.ts'
import { lockUser } from './users.store.ts'

const users: TrackedTable = { table: 'app_user', entity: 'user', guidName: 'userGuid' }

/** Tables of a user's own settings and credentials. Tokens go with their session. */
const ownTables = [
  'user_setting',
  'favorite',
  'dashboard',
  'user_access_group',
  'user_client_restriction',
  'external_identity',
  'authenticator',
  'recovery_code',
  'passkey',
  'mfa_challenge',
  'password_reset',
  'client_secret',
  'session',
] as const

/** Throws a 403, a 404, a 409 that names what depends on the user, or a 412. */
export async function removeUser(
  db: Db,
  caller: Caller,
  { userGuid, ifMatch }: { userGuid: string; ifMatch: IfMatch },
  origin: Origin,
): Promise<void> {
  await inTransaction(db, async (tx) => {
    const before = await lockUser(tx, visibleUsers(caller), userGuid)
    if (!before) throw notFound('user')
    requireMatch(ifMatch, before.version)
    await requireManageable(tx, caller, before)
    if (userGuid === caller.userId)
      throw new ApiError('conflict', 'You cannot delete yourself. Ask another administrator.')
    await requireAdministrator(tx, userGuid, { userRole: before.record.userRole, disabled: true })
    const used = inUse('user', await countUses(tx, userGuid))
    if (used) {
      const detail = `${used.message} A user whose work must stay traceable is disabled instead.`
      throw new ApiError('conflict', detail, { members: used.members })
    }
    for (const table of ownTables) await tx`delete from ${tx(table)} where user_id = ${userGuid}`
    const { photoImage: _photo, ...record } = before.record
    await deleteTracked(tx, users, { guid: userGuid, before: record }, origin)
  })
}

/** So many entries are counted; who has more has enough. */
const countedMax = 1000

/**
 * What depends on a user, counted by what it is. The entries of the trail that name the user as the one who did it can
 * only come after the one that created the user. Those about the user alone, such as a sign-in, do not count.
 */
async function countUses(tx: Db, userGuid: string): Promise<Record<string, number>> {
  const [row] = await tx<Record<string, number>[]>`
    select
      (select count(*)::int from (
        select from audit_entry where actor_id = ${userGuid} and subject <> ${userGuid} and "position" > coalesce((
          select min("position") from audit_entry where subject = ${userGuid} and sequence = 1), 0)
        limit ${countedMax}
      ) done) as "entries of the audit trail",
      (select count(distinct strategy_id)::int from strategy_step
        where actions @> ${tx.json([{ userGuid }])}) as strategies,
      (select count(*)::int from webhook where created_by = ${userGuid}) as webhooks,
      (select count(*)::int from note where created_by = ${userGuid}) as notes,
      (select count(*)::int from uploaded_file where uploaded_by = ${userGuid}) as "uploaded files",
      (select count(*)::int from job_run where asked_by = ${userGuid} and status in ('waiting', 'running', 'failed')) as jobs`
  return row!
}
