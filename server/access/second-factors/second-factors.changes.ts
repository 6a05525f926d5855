/** The proof that a change of a second factor needs, and the change itself. */
import type { Settings } from '../../platform/config.ts'
import type { Change } from '../../platform/events/record.ts'
import type { Db } from '../../platform/database/transaction.ts'
import type { Caller, Origin } from '../../platform/http/caller.ts'
import { ownUser } from '../users/users.scope.ts'
import { ApiError } from '../../platform/http/errors.ts'
import { completeSession, findFactor } from './mfa.store.ts'
import { proveByChallenge, proveByOwnCode, renewRecoveryCodes } from './mfa.ts'
import { proveOwnPassword } from '../sessions/own-password.ts'
import { revokeUserSessions } from '../sessions/sessions.store.ts'
import { lockUser, updateUser, type UserForChange } from '../users/users.store.ts'

const refusal = (member: string, what: string) =>
  new ApiError('unprocessable', `${member} ${what} Nothing was changed.`, { errors: { [member]: [what] } })

const wrongPassword = () => refusal('currentPassword', 'is not your password.')
export const wrongCode = () => refusal('code', 'is wrong, expired or used, or too many attempts failed.')

/** Throws a 422 unless the password is the caller's, as `proveOwnPassword` says. Call it outside of transactions. */
export async function requireOwnPassword(
  db: Db,
  { userId }: Caller,
  password: string,
  address: string,
): Promise<void> {
  if ((await proveOwnPassword(db, { userId, address }, password)) === undefined) throw wrongPassword()
}

/** The caller's own record, locked for the rest of the transaction. */
export const lockSelf = async (tx: Db, caller: Caller): Promise<UserForChange> =>
  (await lockUser(tx, ownUser(caller), caller.userId))!

/** The caller's own record, locked, if the code is right; otherwise undefined. */
export async function verifyAndLockSelf(
  tx: Db,
  settings: Settings,
  caller: Caller,
  { code, challenge }: { code: string; challenge?: string },
): Promise<UserForChange | undefined> {
  const { userId } = caller
  const before = await lockSelf(tx, caller)
  const proven =
    challenge === undefined
      ? await proveByOwnCode(tx, settings, await findFactor(tx, userId), code)
      : (await proveByChallenge(tx, settings, { userId, code, challenge, purpose: 'change' })) !== undefined
  return proven ? before : undefined
}

/** Enrols a proven factor; returns the recovery codes. The caller's other sessions end. */
export async function enrolFactor(
  tx: Db,
  caller: Caller,
  before: UserForChange,
  mfaType: number,
  origin: Origin,
): Promise<string[]> {
  const { userId, sessionId } = caller
  await completeSession(tx, sessionId)
  await revokeUserSessions(tx, userId, sessionId)
  const changes: Change['changes'] = {
    secondFactor: [null, 'enrolled'],
    ...(before.record.mfaType !== mfaType && {
      mfaType: [before.record.mfaType, mfaType],
    }),
  }
  await updateUser(tx, userId, before, { changes }, origin)
  return renewRecoveryCodes(tx, userId)
}
