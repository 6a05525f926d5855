import { basePath } from '../../../contract/api.ts'
import * as contract from '../../../contract/access/current-user.ts'
import type { Link } from '../../../contract/metadata/fields.ts'
import { inTransaction, type Db } from '../../platform/database/transaction.ts'
import { changesBetween } from '../../platform/events/record.ts'
import type { Caller, Origin } from '../../platform/http/caller.ts'
import { ApiError, done, invalid, FieldErrors } from '../../platform/http/errors.ts'
import { ownUser } from './users.scope.ts'
import { serve } from '../serve/route.ts'
import type { ServerContext } from '../serve/server-context.ts'
import { requireMatch, type IfMatch } from '../../platform/http/version.ts'
import { proveOwnPassword } from '../sessions/own-password.ts'
import { hashPassword } from '../sessions/passwords.ts'
import { revokeUserSessions } from '../sessions/sessions.store.ts'
import { countSettingGroups, findProfile, findSettings, mergeSettings } from './current-user.store.ts'
import { findAgencyName } from './parties.store.ts'
import { findPasswordFault } from './password.rules.ts'
import { applyUserInput, type UserRecord } from './users.rules.ts'
import { findUserForChange, lockUser, updateUser, type UserForChange } from './users.store.ts'

export function serveCurrentUser(service: ServerContext): void {
  const { settings, sessions } = service

  serve(service, contract.getCurrentUser, async ({ db, caller }) => {
    const { version, ...profile } = await findProfile(db, caller.userId)
    const more = {
      systemCurrencyCode: settings.FORDRA_CURRENCY,
      accessCodes: [...caller.accessCodes].toSorted(),
      links: profileLinks(caller.userId),
    }
    return { body: { ...profile, ...more }, version }
  })

  serve(service, contract.updateCurrentUser, async ({ db, caller, body, origin, ifMatch, path, address }) => {
    const countryCode = settings.FORDRA_COUNTRY
    const hashes = await changeHashes(db, caller, body, { countryCode, address, ifMatch })
    const version = await inTransaction(db, async (tx) => {
      const before = (await lockUser(tx, ownUser(caller), caller.userId))!
      requireMatch(ifMatch, before.version)
      return changePreferences(tx, caller, { before, input: body, countryCode, hashes }, origin)
    })
    sessions.forgetUser(caller.userId)
    return { body: done('Your preferences are updated.', path), version }
  })

  serve(service, contract.getUserSettings, async ({ db, caller, params }) => ({
    body: await findSettings(db, caller.userId, params.context, params.group),
  }))

  serve(service, contract.updateUserSettings, async ({ db, caller, params, body, path }) => {
    if (Object.keys(body).length === 0) throw invalid({ '': ['must have at least one setting.'] })
    await inTransaction(db, async (tx) => {
      const bytes = await mergeSettings(tx, { userId: caller.userId, ...params }, body)
      if (bytes > groupBytesMax)
        throw tooLarge(
          `a group holds at most ${groupBytesMax / 1024} kB; this one would have ${Math.ceil(bytes / 1024)} kB`,
        )
      if ((await countSettingGroups(tx, caller.userId)) > groupsMax)
        throw tooLarge(`a user has at most ${groupsMax} groups`)
    })
    return { body: done('The settings are updated.', path) }
  })
}

const groupBytesMax = 65_536
const groupsMax = 500

const tooLarge = (limit: string) =>
  new ApiError('unprocessable', `The settings are too large: ${limit}. Remove some by setting them to null.`)

const wrongPassword = () =>
  new ApiError('unprocessable', 'currentPassword is not your password. Nothing was changed.', {
    errors: { currentPassword: ['is not your password.'] },
  })

interface PasswordHashes {
  /** Of the password that the caller proved to know. */
  proven: string
  wanted: string
}

/**
 * Proves the current password and hashes the new one, before the transaction, which would hold a connection and the
 * user's row meanwhile. Null when the password stays. Throws what the change would be refused for.
 */
async function changeHashes(
  db: Db,
  caller: Caller,
  input: contract.Preferences,
  { countryCode, address, ifMatch }: { countryCode: string; address: string; ifMatch: IfMatch },
): Promise<PasswordHashes | null> {
  const { password, currentPassword } = input
  if (!password) return null
  const before = (await findUserForChange(db, ownUser(caller), caller.userId))!
  requireMatch(ifMatch, before.version)
  await checkPreferences(db, before, input, countryCode)
  const { userId } = caller
  const proven = await proveOwnPassword(db, { userId, address }, currentPassword ?? '')
  if (proven === undefined) throw wrongPassword()
  return { proven, wanted: await hashPassword(password, { sender: userId, account: userId }) }
}

/** Returns the record after the change. Throws a 400 that names every wrong member. */
async function checkPreferences(
  db: Db,
  before: UserForChange,
  { password, currentPassword, ...preferences }: contract.Preferences,
  countryCode: string,
): Promise<UserRecord> {
  const checks = new FieldErrors()
  const after = applyUserInput(before.record, preferences, countryCode, checks)
  if (password) {
    if (!currentPassword) checks.add('currentPassword', 'is required when the password changes.')
    const fault = await findPasswordFault(password, before.record, await findAgencyName(db))
    if (fault !== null) checks.add('password', fault)
  }
  checks.throwIfAny()
  return after
}

interface PreferenceChange {
  before: UserForChange
  input: contract.Preferences
  countryCode: string
  hashes: PasswordHashes | null
}

/** Returns the version after the change. */
async function changePreferences(
  tx: Db,
  caller: Caller,
  { before, input, countryCode, hashes }: PreferenceChange,
  origin: Origin,
): Promise<number> {
  const changes = changesBetween(before.record, await checkPreferences(tx, before, input, countryCode))
  if (hashes === null) {
    if (Object.keys(changes).length === 0) return before.version
    return updateUser(tx, caller.userId, before, { changes }, origin)
  }
  // Another request has changed the password since it was proven.
  if (before.passwordHash !== hashes.proven) throw wrongPassword()
  await revokeUserSessions(tx, caller.userId, caller.sessionId)
  return updateUser(tx, caller.userId, before, { changes, passwordHash: hashes.wanted }, origin)
}

function profileLinks(guid: string): Link[] {
  const self = `${basePath}/users/current`
  return [
    { type: 'GET', name: 'self', href: self, resource: 'currentuser', guid },
    { type: 'GET', name: 'favorites', href: `${self}/favorites`, resource: 'favorites', guid },
    { type: 'GET', name: 'user', href: `${basePath}/users/${guid}`, resource: 'user', guid },
  ]
}
