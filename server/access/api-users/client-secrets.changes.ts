/** Makes and ends the secrets of API users. */
import type { NewClientSecret, SecretRotation } from '../../../contract/access/client-secrets.ts'
import { makeId } from '../../platform/database/make-id.ts'
import { inTransaction, type Db } from '../../platform/database/transaction.ts'
import type { Change } from '../../platform/events/record.ts'
import type { Caller, Origin } from '../../platform/http/caller.ts'
import { ApiError, invalid, notFound } from '../../platform/http/errors.ts'
import { requireManageable } from '../users/users.changes.ts'
import { visibleUsers } from '../users/users.scope.ts'
import { findUserForChange, lockUser, updateUser, type UserForChange } from '../users/users.store.ts'
import * as store from './client-secrets.store.ts'
import { makeClientId, makeClientSecret } from './new-secret.ts'

const workingMax = 5

export interface RotationContext {
  origin: Origin
  /** The day of `endOthersOn` ends in it. */
  timeZone: string
}

/** Throws a 403 or 404 unless the caller sees the user and may do all that the user may do. */
export async function requireManagedUser(db: Db, caller: Caller, userGuid: string): Promise<void> {
  const user = await findUserForChange(db, visibleUsers(caller), userGuid)
  if (!user) throw notFound('user')
  await requireManageable(db, caller, user)
}

/** Makes a secret. Only this answer has it. Throws a 400, 403, 404 or 409. */
export async function makeSecret(
  db: Db,
  caller: Caller,
  { userGuid, endOthersOn }: { userGuid: string } & SecretRotation,
  { origin, timeZone }: RotationContext,
): Promise<NewClientSecret> {
  return inTransaction(db, async (tx) => {
    const before = await lockManaged(tx, caller, userGuid)
    if ((await store.countWorkingSecrets(tx, userGuid)) >= workingMax)
      throw new ApiError(
        'conflict',
        `This user has ${workingMax} secrets that work. End one that is no longer used first.`,
      )
    const endsAt = endOthersOn ? await readEnd(tx, endOthersOn, timeZone) : null
    const [made, secretGuid] = [makeClientSecret(), makeId()]
    await store.ensureClientId(tx, userGuid, makeClientId())
    await store.insertClientSecret(tx, userGuid, secretGuid, made)
    if (endsAt !== null) await store.endOtherSecrets(tx, userGuid, secretGuid, endsAt)
    const changes: Change['changes'] = { clientSecret: [null, made.prefix] }
    if (endOthersOn) changes['endOthersOn'] = [null, endOthersOn.slice(0, 10)]
    await updateUser(tx, userGuid, before, { changes }, origin)
    const stored = await store.findClientSecret(tx, userGuid, secretGuid)
    return { ...stored!, clientSecret: made.clientSecret }
  })
}

async function readEnd(tx: Db, day: string, timeZone: string): Promise<string> {
  const { at, isPast } = await store.findDayEnd(tx, day.slice(0, 10), timeZone)
  if (isPast)
    throw invalid({ endOthersOn: ['must be today or a later day. End a secret at once by DELETE.'] })
  return at
}

/** Ends a secret at once. Throws a 403 or 404. */
export async function endClientSecret(
  db: Db,
  caller: Caller,
  { userGuid, secretGuid }: { userGuid: string; secretGuid: string },
  origin: Origin,
): Promise<void> {
  await inTransaction(db, async (tx) => {
    const before = await lockManaged(tx, caller, userGuid)
    const ended = await store.endSecret(tx, userGuid, secretGuid)
    if (!ended) throw notFound('secret that works')
    await updateUser(
      tx,
      userGuid,
      before,
      { changes: { clientSecret: [ended.prefix ?? 'chosen', null] } },
      origin,
    )
  })
}

async function lockManaged(tx: Db, caller: Caller, userGuid: string): Promise<UserForChange> {
  const user = await lockUser(tx, visibleUsers(caller), userGuid)
  if (!user) throw notFound('user')
  await requireManageable(tx, caller, user)
  return user
}
