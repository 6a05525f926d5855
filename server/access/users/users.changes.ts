/** Creates and changes users, for the API and the forms. */
import type { UserRole } from '../../../contract/access/access.ts'
import type { UserChange, UserInput } from '../../../contract/access/users.ts'
import { makeId } from '../../platform/database/make-id.ts'
import { inTransaction, violatedUniqueness, type Db } from '../../platform/database/transaction.ts'
import { changesBetween } from '../../platform/events/record.ts'
import type { Caller, Origin } from '../../platform/http/caller.ts'
import { ApiError, FieldErrors, notFound } from '../../platform/http/errors.ts'
import { visibleUsers } from './users.scope.ts'
import { requireMatch, type IfMatch } from '../../platform/http/version.ts'
import { insertClientSecret } from '../api-users/client-secrets.store.ts'
import { makeClientId, makeClientSecret } from '../api-users/new-secret.ts'
import {
  requireInvitations,
  sendInvitation,
  type InvitationSettings,
} from '../invitations/send-invitation.ts'
import { hashPassword } from '../sessions/passwords.ts'
import { revokeUserSessions } from '../sessions/sessions.store.ts'
import { findGrants, maySeeParty, requireGrantable } from './grants.ts'
import { checkNewPassword, partyNeeded, readUser } from './new-users.ts'
import { findAgencyName, findParties } from './parties.store.ts'
import { findPasswordFault } from './password.rules.ts'
import { applyUserInput, type UserRecord } from './users.rules.ts'
import * as store from './users.store.ts'

export interface UserContext {
  origin: Origin
  countryCode: string
  /** Allows a user without a password, who signs in by the provider. */
  withoutPassword?: boolean
  /** By which invitations are sent; without it none are. */
  settings?: InvitationSettings
}

export interface CreatedUser {
  userGuid: string
  /** What the server made for an API user without credentials. Shown once. */
  credentials?: { clientId: string; clientSecret: string }
}

/** Throws a 400 that names every wrong member, a 403 or a 409. */
export async function createUser(
  db: Db,
  caller: Caller,
  input: UserInput,
  context: UserContext,
): Promise<CreatedUser> {
  const checks = new FieldErrors()
  const wanted = readUser(input, context, checks)
  await checkNewPassword(wanted, checks, await findAgencyName(db))
  const { record, partyReferenceCode, clientId } = wanted
  const [party] = partyReferenceCode === '' ? [] : await findParties(db, [partyReferenceCode])
  if (!party || !maySeeParty(caller, party.partyId)) checks.add('partyReferenceCode', partyNeeded)
  const grants = await findGrants(db, caller, wanted, checks)
  checks.throwIfAny()
  await requireGrantable(db, caller, {
    role: record.userRole as UserRole,
    partyId: party!.partyId,
    ...grants,
  })
  if (wanted.invite) requireInvitations(context.settings)
  const turn = { sender: caller.userId, account: caller.userId }
  const hashes = {
    passwordHash: wanted.password === null ? null : await hashPassword(wanted.password, turn),
    clientSecretHash: wanted.clientSecret === null ? null : await hashPassword(wanted.clientSecret, turn),
  }
  const made =
    record.apiUser && wanted.password === null && clientId === null
      ? { clientId: makeClientId(), ...makeClientSecret() }
      : undefined
  const user = { partyId: party!.partyId, record, clientId: made?.clientId ?? clientId, grants, ...hashes }
  const given = wanted.userGuid === undefined ? {} : { userGuid: wanted.userGuid }
  try {
    const userGuid = await inTransaction(db, async (tx) => {
      const guid = await store.insertUser(tx, { ...user, ...given }, context.origin)
      if (made) await insertClientSecret(tx, guid, makeId(), made)
      if (wanted.invite) {
        const { origin, settings } = context
        await sendInvitation(tx, { userGuid: guid, invitedBy: caller.userId, settings }, origin)
      }
      return guid
    })
    if (!made) return { userGuid }
    return { userGuid, credentials: { clientId: made.clientId, clientSecret: made.clientSecret } }
  } catch (error) {
    throw toDuplicateError(error) ?? error
  }
}

export interface UserUpdate {
  userGuid: string
  input: UserChange
  ifMatch: IfMatch
}

/** Returns the version after the change. Throws a 400 that names every wrong member, a 403, 404, 409 or 412. */
export async function changeUser(
  db: Db,
  caller: Caller,
  { userGuid, input, ifMatch }: UserUpdate,
  context: UserContext,
): Promise<number> {
  // Hashed before the transaction, which would hold a connection and the user's row meanwhile.
  const turn = { sender: caller.userId, account: userGuid }
  const passwordHash = input.password ? await hashPassword(input.password, turn) : null
  try {
    return await inTransaction(db, async (tx) => {
      const before = await store.lockUser(tx, visibleUsers(caller), userGuid)
      if (!before) throw notFound('user')
      requireMatch(ifMatch, before.version)
      return changeLocked(tx, caller, { userGuid, before, input, passwordHash }, context)
    })
  } catch (error) {
    throw toDuplicateError(error) ?? error
  }
}

interface LockedUpdate {
  userGuid: string
  before: store.UserForChange
  input: UserChange
  /** Of the new password; null when it stays. */
  passwordHash: string | null
}

/** Returns the version after the change. */
async function changeLocked(
  tx: Db,
  caller: Caller,
  { userGuid, before, input, passwordHash }: LockedUpdate,
  context: UserContext,
): Promise<number> {
  const checks = new FieldErrors()
  const after = applyUserInput(before.record, input, context.countryCode, checks)
  const password = input.password || null
  const fault = password === null ? null : await findPasswordFault(password, after, await findAgencyName(tx))
  if (fault !== null) checks.add('password', fault)
  const wanted = {
    accessGroups: input.accessGroups ?? before.accessGroups,
    clientRestriction: input.clientRestriction ?? before.clientRestriction,
  }
  const grants = await findGrants(tx, caller, wanted, checks)
  checks.throwIfAny()
  // The caller cannot change users with more rights, nor grant more than the caller has.
  await requireManageable(tx, caller, before)
  const { partyId } = before
  await requireGrantable(tx, caller, { role: after.userRole as UserRole, partyId, ...grants })
  await requireAdministrator(tx, userGuid, after)
  const grantsBefore = { accessGroups: before.accessGroups, clientRestriction: before.clientRestriction }
  const changes = {
    ...changesBetween(before.record, after),
    ...changesBetween(grantsBefore, sortedGrants(grants)),
  }
  if (Object.keys(changes).length === 0 && password === null) return before.version
  const update = {
    changes,
    ...(passwordHash !== null && { passwordHash }),
    ...(('accessGroups' in changes || 'clientRestriction' in changes) && { grants }),
  }
  if (password !== null || after.disabled) await revokeUserSessions(tx, userGuid)
  return store.updateUser(tx, userGuid, before, update, context.origin)
}

const sortedGrants = ({ accessGroups, clientRestriction }: store.Grants) => ({
  accessGroups: accessGroups.map(({ code }) => code).toSorted(),
  clientRestriction: clientRestriction
    .map(({ partyReferenceCode, includeSubParties }) => ({ includeSubParties, partyReferenceCode }))
    .toSorted((a, b) => (a.partyReferenceCode < b.partyReferenceCode ? -1 : 1)),
})

/** Throws a 403 unless the caller may do all that a user may do. */
export async function requireManageable(tx: Db, caller: Caller, user: store.UserForChange): Promise<void> {
  const held = await findGrants(tx, { partyIds: null }, user, new FieldErrors())
  const { record, partyId } = user
  await requireGrantable(tx, caller, { role: record.userRole as UserRole, partyId, ...held })
}

const isAdministrator = ({ userRole, disabled }: Pick<UserRecord, 'userRole' | 'disabled'>) =>
  userRole <= 2 && !disabled

/** An installation must keep at least one administrator. */
export async function requireAdministrator(
  tx: Db,
  userGuid: string,
  after: Pick<UserRecord, 'userRole' | 'disabled'>,
): Promise<void> {
  if (isAdministrator(after) || (await store.countOtherAdministrators(tx, userGuid)) > 0) return
  throw new ApiError(
    'unprocessable',
    'This is the last administrator who can sign in. Create another one first.',
  )
}

const uniqueMembers: Record<string, string> = {
  app_user_email: 'email',
  // The name by which a directory knows another user.
  app_user_user_name: 'email',
  app_user_user_code: 'userCode',
  app_user_client_id: 'clientId',
  app_user_pkey: 'existingUserUniqueId',
}

/** The 409 for a value that another user has; undefined for another error. */
function toDuplicateError(error: unknown): ApiError | undefined {
  const member = uniqueMembers[violatedUniqueness(error) ?? '']
  if (member === undefined) return undefined
  return new ApiError('conflict', `Another user has this ${member} already. Choose another.`, {
    errors: { [member]: ['belongs to another user.'] },
  })
}
