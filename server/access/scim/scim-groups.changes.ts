/** Creates, changes and deletes access groups for a directory. Access codes are given by administrators, never here. */
import { isGuid } from '../../../core/text/guid.ts'
import { inTransaction, type Db } from '../../platform/database/transaction.ts'
import { updateTracked } from '../../platform/events/tracked-row.ts'
import type { Caller } from '../../platform/http/caller.ts'
import { ApiError } from '../../platform/http/errors.ts'
import {
  accessGroupTable,
  addAccessGroup,
  changeAccessGroup,
  findAccessGroup,
  removeAccessGroup,
  requireOwn,
} from '../users/access-groups.changes.ts'
import { changeUser } from '../users/users.changes.ts'
import { visibleUsers } from '../users/users.scope.ts'
import { lockUser } from '../users/users.store.ts'
import { valuesMax, type Document, type Element } from './documents.ts'
import { badRequest, ScimFailure, unknownResource } from './scim-failure.ts'
import { findPeople, findScimGroup, isNameTaken, type ScimGroup } from './scim-groups.store.ts'
import type { ScimContext } from './scim-users.changes.ts'

const nameMax = 200

/** The attributes that a directory may change. */
export const toGroupDocument = ({ displayName, externalId, members }: ScimGroup): Document => ({
  displayName,
  ...(externalId !== null && { externalId }),
  members: members.map(({ value, display }) => ({ value, display, type: 'User' })),
})

interface WantedGroup {
  name: string
  externalId: string | null
  members: Set<string>
}

function readWantedGroup(document: Document): WantedGroup {
  const name = String(document['displayName'] ?? '').trim()
  if (name === '') throw badRequest('invalidValue', 'displayName is required.')
  if (name.length > nameMax)
    throw badRequest('invalidValue', `displayName has more than ${nameMax} characters.`)
  const externalId = String(document['externalId'] ?? '').trim()
  if (externalId.length > 254) throw badRequest('invalidValue', 'externalId has more than 254 characters.')
  const members = ((document['members'] ?? []) as Element[]).map(({ value }) =>
    String(value ?? '').toLowerCase(),
  )
  const wrong = members.find((one) => !isGuid(one))
  if (wrong !== undefined)
    throw badRequest('invalidValue', `members: "${wrong.slice(0, 50)}" is not the id of a user.`)
  return { name, externalId: externalId || null, members: new Set(members) }
}

/** Returns the GUID. */
export async function createScimGroup(
  db: Db,
  caller: Caller,
  document: Document,
  context: ScimContext,
): Promise<string> {
  const wanted = readWantedGroup(document)
  return inTransaction(db, async (tx) => {
    if (await isNameTaken(tx, wanted.name, null)) throw takenName()
    // The code has no commas, which separate codes in a form.
    const code = wanted.name.replaceAll(/[,\\]/g, ' ').slice(0, 50).trim()
    const input = { code, name: wanted.name, accessCodes: [] }
    const { accessGroupGuid: guid } = await addAccessGroup(tx, caller, input, context.origin)
    await storeExternalId(tx, { guid, before: null, after: wanted.externalId }, context)
    await setMembers(tx, caller, { guid, before: new Set(), after: wanted.members }, context)
    return guid
  })
}

export interface ScimGroupUpdate {
  guid: string
  change: (before: Document) => Document
  /** Throws a 412 when the group has changed since the caller read it. */
  requireUnchanged: (group: ScimGroup) => void
}

export async function changeScimGroup(
  db: Db,
  caller: Caller,
  { guid, change, requireUnchanged }: ScimGroupUpdate,
  context: ScimContext,
): Promise<void> {
  await inTransaction(db, async (tx) => {
    const group = await lockScimGroup(tx, caller, guid)
    requireUnchanged(group)
    const wanted = readWantedGroup(change(toGroupDocument(group)))
    if (wanted.name !== group.displayName) {
      if (await isNameTaken(tx, wanted.name, guid)) throw takenName()
      const update = { guid, input: { name: wanted.name }, ifMatch: undefined }
      await changeAccessGroup(tx, caller, update, context.origin)
    }
    await storeExternalId(tx, { guid, before: group.externalId, after: wanted.externalId }, context)
    await setMembers(tx, caller, { guid, before: memberIds(group), after: wanted.members }, context)
  })
}

/** Takes the members out first, each by the rules for changing a user. */
export async function deleteScimGroup(
  db: Db,
  caller: Caller,
  { guid, requireUnchanged }: Pick<ScimGroupUpdate, 'guid' | 'requireUnchanged'>,
  context: ScimContext,
): Promise<void> {
  await inTransaction(db, async (tx) => {
    const group = await lockScimGroup(tx, caller, guid)
    requireUnchanged(group)
    requireOwn(group.accessCodes, caller)
    await setMembers(tx, caller, { guid, before: memberIds(group), after: new Set() }, context)
    await removeAccessGroup(tx, { guid, ifMatch: undefined }, context.origin)
  })
}

const memberIds = ({ members }: ScimGroup) => new Set(members.map(({ value }) => value))

async function lockScimGroup(tx: Db, caller: Caller, guid: string): Promise<ScimGroup> {
  const locked = await findAccessGroup(tx, guid, { lock: true })
  const group = locked && (await findScimGroup(tx, caller, guid))
  if (!group) throw unknownResource('group')
  return group
}

async function storeExternalId(
  tx: Db,
  { guid, before, after }: { guid: string; before: string | null; after: string | null },
  { origin }: ScimContext,
): Promise<void> {
  if (before === after) return
  const { version } = (await findAccessGroup(tx, guid))!
  const update = { guid, before: { externalId: before }, after: { externalId: after }, version }
  await updateTracked(tx, accessGroupTable, update, origin)
}

/** Users are changed in the order of their GUIDs, so that two requests never wait for each other. */
async function setMembers(
  tx: Db,
  caller: Caller,
  { guid, before, after }: { guid: string; before: ReadonlySet<string>; after: ReadonlySet<string> },
  context: ScimContext,
): Promise<void> {
  const added = [...after].filter((one) => !before.has(one))
  const removed = [...before].filter((one) => !after.has(one))
  if (added.length + removed.length > valuesMax)
    throw badRequest('invalidValue', `A request changes at most ${valuesMax} members. Send several.`)
  const known = await findPeople(tx, caller, added)
  const unknown = added.find((one) => !known.has(one))
  if (unknown !== undefined) throw badRequest('invalidValue', `members: there is no user ${unknown}.`)
  const { code } = (await findAccessGroup(tx, guid))!
  for (const userGuid of [...added, ...removed].toSorted()) {
    const user = await lockUser(tx, visibleUsers(caller), userGuid)
    if (!user) continue
    const others = user.accessGroups.filter((one) => one !== code)
    const input = { accessGroups: after.has(userGuid) ? [...others, code] : others, password: null }
    await changeUser(tx, caller, { userGuid, input, ifMatch: undefined }, context)
  }
}

const takenName = () =>
  new ScimFailure(409, 'Another group has this displayName already.', { scimType: 'uniqueness' })

/** The 412 of a group that has changed. */
export const groupChanged = (etag: string): ApiError =>
  new ApiError(
    'precondition-failed',
    `The resource has changed: its ETag is now ${etag}. Read it again, apply your change and send that ETag in If-Match.`,
    { headers: { etag } },
  )
