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
import { requireMatch } from '../../platform/http/version.ts'
import { hashPassword, isPassword } from '../sessions/passwords.ts'
import { revokeUserSessions } from '../sessions/sessions.store.ts'
import { addressKey, countFailure, findBlocks, userKey } from '../sessions/throttle.ts'
import { countSettingGroups, findProfile, findSettings, mergeSettings } from './current-user.store.ts'
import { findPasswordFault } from './password.rules.ts'
import { applyUserInput } from './users.rules.ts'
import { lockUser, updateUser, type UserForChange } from './users.store.ts'

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
    const [login, from] = [userKey(caller.userId), addressKey(address)]
    if (body.password && (await findBlocks(db, login, from)).login) throw wrongPassword()
    const outcome = await inTransaction(db, async (tx) => {
      const before = (await lockUser(tx, ownUser(caller), caller.userId))!
      requireMatch(ifMatch, before.version)
      return changePreferences(
        tx,
        caller,
        { before, input: body, countryCode: settings.FORDRA_COUNTRY },
        origin,
      )
    })
    if (outcome === 'wrong password') {
      await countFailure(db, { login, address: from, blocked: false })
      throw wrongPassword()
    }
    sessions.forgetUser(caller.userId)
    return { body: done('Your preferences are updated.', path), version: outcome }
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

interface PreferenceChange {
  before: UserForChange
  input: contract.Preferences
  countryCode: string
}

/**
 * Returns the version after the change. Returns a wrong password rather than throwing, so that the caller can count it.
 */
async function changePreferences(
  tx: Db,
  caller: Caller,
  { before, input, countryCode }: PreferenceChange,
  origin: Origin,
): Promise<number | 'wrong password'> {
  const { password, currentPassword, ...preferences } = input
  const checks = new FieldErrors()
  const after = applyUserInput(before.record, preferences, countryCode, checks)
  const newPassword = password || null
  if (newPassword !== null) {
    if (!currentPassword) checks.add('currentPassword', 'is required when the password changes.')
    const fault = await findPasswordFault(newPassword, before.record)
    if (fault !== null) checks.add('password', fault)
  }
  checks.throwIfAny()
  if (newPassword !== null && !(await isPassword(before.passwordHash, currentPassword ?? '')))
    return 'wrong password'
  const changes = changesBetween(before.record, after)
  if (Object.keys(changes).length === 0 && newPassword === null) return before.version
  if (newPassword !== null) await revokeUserSessions(tx, caller.userId, caller.sessionId)
  const hashed = newPassword === null ? {} : { passwordHash: await hashPassword(newPassword) }
  return updateUser(tx, caller.userId, before, { changes, ...hashed }, origin)
}

function profileLinks(guid: string): Link[] {
  const self = `${basePath}/users/current`
  return [
    { type: 'GET', name: 'self', href: self, resource: 'currentuser', guid },
    { type: 'GET', name: 'favorites', href: `${self}/favorites`, resource: 'favorites', guid },
    { type: 'GET', name: 'user', href: `${basePath}/users/${guid}`, resource: 'user', guid },
  ]
}
