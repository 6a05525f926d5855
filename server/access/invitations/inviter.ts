/** An invitation counts while its inviter may send it: the rights of another time give nothing. */
import type { Db } from '../../platform/database/transaction.ts'
import { ApiError } from '../../platform/http/errors.ts'
import { findUserCaller } from '../sessions/sessions.ts'
import { requireManageable } from '../users/users.changes.ts'
import type { UserForChange } from '../users/users.store.ts'

/** Whether the inviter can sign in, writes users, and has every right that the invited user has now. */
export async function mayStillInvite(tx: Db, inviterGuid: string, invited: UserForChange): Promise<boolean> {
  const inviter = await findUserCaller(tx, inviterGuid, null)
  if (!inviter?.accessCodes.has('user.write')) return false
  try {
    await requireManageable(tx, inviter, invited)
    return true
  } catch (error) {
    if (error instanceof ApiError && error.kind === 'forbidden') return false
    throw error
  }
}
