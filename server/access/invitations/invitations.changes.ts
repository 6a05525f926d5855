/** Sends an invitation again, and withdraws one. */
import { inTransaction, type Db } from '../../platform/database/transaction.ts'
import type { Caller, Origin } from '../../platform/http/caller.ts'
import { ApiError, notFound } from '../../platform/http/errors.ts'
import { revokeUserSessions } from '../sessions/sessions.store.ts'
import { requireAdministrator, requireManageable } from '../users/users.changes.ts'
import { visibleUsers } from '../users/users.scope.ts'
import { lockUser, updateUser, type UserForChange } from '../users/users.store.ts'
import { findInvitee } from './invitations.store.ts'
import { sendInvitation, type InvitationSettings } from './send-invitation.ts'

/** Throws a 403, 404, 409, 422 or 429. */
export async function inviteAgain(
  db: Db,
  caller: Caller,
  { userGuid, settings }: { userGuid: string; settings: InvitationSettings },
  origin: Origin,
): Promise<void> {
  await inTransaction(db, async (tx) => {
    await lockManageable(tx, caller, userGuid)
    await sendInvitation(tx, { userGuid, invitedBy: caller.userId, settings }, origin)
  })
}

/** Ends the link and disables the user. Throws a 403, 404 or 409. */
export async function withdrawInvitation(
  db: Db,
  caller: Caller,
  userGuid: string,
  origin: Origin,
): Promise<void> {
  await inTransaction(db, async (tx) => {
    const before = await lockManageable(tx, caller, userGuid)
    const { invitation } = await findInvitee(tx, userGuid)
    if (invitation !== 'INVITED' && invitation !== 'EXPIRED')
      throw new ApiError('conflict', 'This user has no open invitation. Disable a user who can sign in.')
    await requireAdministrator(tx, userGuid, { userRole: before.record.userRole, disabled: true })
    await revokeUserSessions(tx, userGuid)
    await updateUser(tx, userGuid, before, { changes: { disabled: [false, true] } }, origin)
  })
}

/** Locks a user whose every right the caller has. */
async function lockManageable(tx: Db, caller: Caller, userGuid: string): Promise<UserForChange> {
  const user = await lockUser(tx, visibleUsers(caller), userGuid)
  if (!user) throw notFound('user')
  await requireManageable(tx, caller, user)
  return user
}
