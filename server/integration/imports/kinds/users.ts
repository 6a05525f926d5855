/** The import of users: the fields and checks of U9. A user without a password sets one by e-mail. */
import { UserInput } from '../../../../contract/access/users.ts'
import { foldLogin } from '../../../../core/identity/login.ts'
import type { Db } from '../../../platform/database/transaction.ts'
import { ApiError, FieldErrors } from '../../../platform/http/errors.ts'
import { hashPassword } from '../../../access/sessions/passwords.ts'
import { matchGrants } from '../../../access/users/grants.ts'
import { checkNewPassword, readUser, type ReadUser } from '../../../access/users/new-users.ts'
import { findAccessGroups, findParties } from '../../../access/users/parties.store.ts'
import { findTakenNames, insertUser } from '../../../access/users/users.store.ts'
import {
  findKeys,
  type ImportKind,
  type Outcome,
  type PrepareContext,
  type ReadyRow,
} from '../import-kind.ts'
import { toFaults } from '../reading/json-row.ts'
import { splitCell } from '../reading/list-cell.ts'
import { existingOutcome } from '../prepare-rows.ts'
import type { Fault } from '../reading/row.ts'

interface UserRow extends ReadUser {
  passwordHash: string | null
  clientSecretHash: string | null
}

/** A password hash takes tens of milliseconds. Small chunks keep the progress moving. */
const rowsInChunk = 100
const hashesAtOnce = 2

export const userImport: ImportKind<UserRow> = {
  what: 'users',
  inTurn: true,
  own: { entity: 'user', table: 'app_user', guidName: 'userGuid' },
  schema: UserInput,
  cells: { accessGroups: splitCell, clientRestriction: readClients },
  rowsInChunk,
  readReference: ({ email }) => (typeof email === 'string' ? email.trim().toLowerCase() || null : null),
  findPresent: (db, keys) => findKeys(db, 'app_user', keys),
  prepare: (members, _key, { countryCode }) => {
    const checks = new FieldErrors()
    const user = readUser(members as UserInput, { countryCode, withoutPassword: true }, checks)
    if (user.partyReferenceCode === '') checks.add('partyReferenceCode', 'is required.')
    checks.throwIfAny()
    return { ...user, passwordHash: null, clientSecretHash: null }
  },
  complete: completeUsers,
  distinct: { field: 'email', reason: 'or user code is on an earlier row of the file too.' },
  listNames: (user) => uniqueNames(user).map(([field, value]) => `${field} ${value}`),
  insert: async (tx, ready, _run, origin) => {
    const chunk = await startChunk(tx, ready)
    const outcomes: Outcome[] = []
    for (const one of ready) {
      const user = chunk.isPresent(one) ? undefined : chunk.take(one)
      if (user === undefined || Array.isArray(user)) outcomes.push(user ?? existingOutcome(one))
      else {
        await insertUser(tx, user, origin)
        outcomes.push('inserted')
      }
    }
    return outcomes
  },
}

/** Clients in a CSV cell: `NORD*|KLAR` means NORD with its sub-parties, and KLAR alone. */
function readClients(text: string): { partyReferenceCode: string; includeSubParties: boolean }[] {
  return splitCell(text).map((code) => ({
    partyReferenceCode: code.replace(/\*$/, '').trim(),
    includeSubParties: code.endsWith('*'),
  }))
}

/** Checks and hashes passwords, a few at a time. */
async function completeUsers(users: readonly UserRow[], { agencyName }: PrepareContext): Promise<Fault[][]> {
  const faults: Fault[][] = users.map(() => [])
  const waiting = users.entries()
  const work = async () => {
    for (const [index, user] of waiting) {
      const checks = new FieldErrors()
      await checkNewPassword(user, checks, agencyName)
      faults[index] = faultsIn(checks)
      if (faults[index].length > 0) continue
      if (user.password !== null) user.passwordHash = await hashPassword(user.password)
      if (user.clientSecret !== null) user.clientSecretHash = await hashPassword(user.clientSecret)
    }
  }
  await Promise.all(Array.from({ length: hashesAtOnce }, work))
  return faults
}

function faultsIn(checks: FieldErrors): Fault[] {
  try {
    checks.throwIfAny()
    return []
  } catch (error) {
    if (error instanceof ApiError) return toFaults(error)
    throw error
  }
}

/** The names that must be unique among users, each with its member and folded. */
function uniqueNames({ record, clientId, userGuid }: ReadUser): [field: string, value: string][] {
  const names: [string, string | null | undefined][] = [
    ['email', foldLogin(record.email)],
    ['userCode', record.userCode === null ? null : foldLogin(record.userCode)],
    ['clientId', clientId],
    ['existingUserUniqueId', userGuid],
  ]
  return names.filter((name): name is [string, string] => typeof name[1] === 'string')
}

async function startChunk(tx: Db, ready: readonly ReadyRow<UserRow>[]) {
  const users = ready.map(({ made }) => made)
  const present = await findKeys(
    tx,
    'app_user',
    ready.map(({ row }) => row.key),
  )
  const taken = await findTakenNames(tx, users.flatMap(uniqueNames))
  const listClientCodes = ({ clientRestriction }: UserRow) =>
    clientRestriction.map(({ partyReferenceCode }) => partyReferenceCode)
  const parties = await findParties(
    tx,
    users.flatMap((user) => [user.partyReferenceCode, ...listClientCodes(user)]),
  )
  const groups = await findAccessGroups(
    tx,
    users.flatMap(({ accessGroups }) => accessGroups),
  )
  const idsByCode = new Map(parties.map((party) => [party.partyReferenceCode.toLowerCase(), party.partyId]))
  return {
    isPresent: ({ row }: ReadyRow<UserRow>) => present.has(row.key),
    /** The user to insert, whose names are then taken; or why the row is rejected. */
    take: ({ row, made }: ReadyRow<UserRow>) => {
      const checks = new FieldErrors()
      const partyId = idsByCode.get(made.partyReferenceCode.toLowerCase())
      if (partyId === undefined) checks.add('partyReferenceCode', 'is not the reference code of a party.')
      const grants = matchGrants({ groups, parties }, { partyIds: null }, made, checks)
      const names = uniqueNames(made)
      for (const [field, value] of names) {
        if (taken.has(`${field} ${value}`)) checks.add(field, 'belongs to another user.')
      }
      const faults = faultsIn(checks)
      if (faults.length > 0) return faults
      for (const [field, value] of names) taken.add(`${field} ${value}`)
      present.add(row.key)
      const { record, clientId, clientSecretHash, passwordHash, userGuid } = made
      const user = { partyId: partyId!, record, clientId, clientSecretHash, passwordHash, grants }
      return { ...user, sourceReference: row.key, ...(userGuid !== undefined && { userGuid }) }
    },
  }
}
