/** Creates, changes and deletes users for a directory, by the rules of the API (users.changes.ts). */
import { UserChange, UserInput } from '../../../contract/access/users.ts'
import { inTransaction, violatedUniqueness, type Db } from '../../platform/database/transaction.ts'
import type { Caller, Origin } from '../../platform/http/caller.ts'
import { ApiError } from '../../platform/http/errors.ts'
import { compileCheck } from '../../platform/http/validation.ts'
import type { IfMatch } from '../../platform/http/version.ts'
import { findPartyCode } from '../users/parties.store.ts'
import { changeUser, createUser, requireManageable } from '../users/users.changes.ts'
import { visibleUsers } from '../users/users.scope.ts'
import { lockUser } from '../users/users.store.ts'
import type { Document } from './documents.ts'
import { badRequest, unknownResource } from './scim-failure.ts'
import { findScimUser, lockDeprovisioned, storeNames, type ScimUser } from './scim-users.store.ts'
import { readWantedUser, toUserDocument, type WantedUser } from './user-documents.ts'

export interface ScimContext {
  origin: Origin
  countryCode: string
  /** The role of a new user for whom the directory names none. */
  defaultRole: number
}

const checkNew = compileCheck(UserInput)
const checkChange = compileCheck(UserChange)

/** Creates a user, or takes back the one of that name that the directory deleted. Returns the GUID. */
export async function createScimUser(
  db: Db,
  caller: Caller,
  document: Document,
  context: ScimContext,
): Promise<string> {
  const wanted = readWantedUser(document)
  return atTakenName(() =>
    inTransaction(db, async (tx) => {
      const { email } = wanted.members
      const names = { userName: wanted.names.userName ?? email, email }
      const former = await lockDeprovisioned(tx, caller, names)
      if (former !== undefined) return takeBack(tx, caller, former, wanted, context)
      const partyReferenceCode = wanted.partyReferenceCode ?? (await findPartyCode(tx, caller.partyId)) ?? ''
      const input = {
        userRole: context.defaultRole,
        ...wanted.members,
        partyReferenceCode,
      }
      checkNew(input)
      const { userGuid } = await createUser(tx, caller, input, { ...context, withoutPassword: true })
      await storeNames(
        tx,
        userGuid,
        { ...wanted.names, deprovisioned: false, provisioned: true },
        context.origin,
      )
      return userGuid
    }),
  )
}

/** A user who comes back starts again: with the role of a new user, and without the former groups. */
async function takeBack(
  tx: Db,
  caller: Caller,
  userGuid: string,
  { members, names }: WantedUser,
  context: ScimContext,
): Promise<string> {
  const input = {
    disabled: false,
    userRole: context.defaultRole,
    ...members,
    accessGroups: [],
    password: null,
  }
  checkChange(input)
  await changeUser(tx, caller, { userGuid, input, ifMatch: undefined }, context)
  await storeNames(tx, userGuid, { ...names, deprovisioned: false }, context.origin)
  return userGuid
}

export interface ScimUserUpdate {
  userGuid: string
  /** The document after the change, from the one before. */
  change: (before: Document) => Document
  ifMatch: IfMatch
}

/** Throws a 404 for a user whom the caller may not see, or a 403 for one with more rights. */
export async function changeScimUser(
  db: Db,
  caller: Caller,
  { userGuid, change, ifMatch }: ScimUserUpdate,
  context: ScimContext,
): Promise<void> {
  await atTakenName(() =>
    inTransaction(db, async (tx) => {
      const before = toUserDocument(await lockScimUser(tx, caller, userGuid))
      const wanted = readWantedUser(change(before), before)
      const { partyReferenceCode } = readWantedUser(before, before)
      if (wanted.partyReferenceCode !== undefined && wanted.partyReferenceCode !== partyReferenceCode)
        throw badRequest('mutability', 'A user stays with the party that they were created for.')
      const input = { ...wanted.members, password: null }
      checkChange(input)
      await changeUser(tx, caller, { userGuid, input, ifMatch }, context)
      await storeNames(tx, userGuid, { ...wanted.names, deprovisioned: false }, context.origin)
    }),
  )
}

/** Disables the user for good: what they did must stay traceable. The directory no longer finds them. */
export async function deleteScimUser(
  db: Db,
  caller: Caller,
  { userGuid, ifMatch }: { userGuid: string; ifMatch: IfMatch },
  context: ScimContext,
): Promise<void> {
  await inTransaction(db, async (tx) => {
    const user = await lockScimUser(tx, caller, userGuid)
    if (userGuid === caller.userId)
      throw new ApiError('conflict', 'You cannot delete yourself. Ask another administrator.')
    const input = { disabled: true, accessGroups: [], password: null }
    await changeUser(tx, caller, { userGuid, input, ifMatch }, context)
    const { names } = readWantedUser(toUserDocument(user))
    await storeNames(tx, userGuid, { ...names, deprovisioned: true }, context.origin)
  })
}

async function lockScimUser(tx: Db, caller: Caller, userGuid: string): Promise<ScimUser> {
  const locked = await lockUser(tx, visibleUsers(caller), userGuid)
  const user = locked && (await findScimUser(tx, caller, userGuid))
  if (!user) throw unknownResource('user')
  await requireManageable(tx, caller, locked)
  return user
}

async function atTakenName<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (violatedUniqueness(error) !== 'app_user_user_name') throw error
    throw new ApiError('conflict', 'Another user has this userName already.', {
      errors: { userName: ['belongs to another user.'] },
    })
  }
}
