/** What a user is granted. Nobody can grant more than they have (contract section 6). */
import { roleAccessCodes, creditorRoles, userRoles, type UserRole } from '../../../contract/access/access.ts'
import type { ClientRestriction } from '../../../contract/access/users.ts'
import type { Db } from '../../platform/database/transaction.ts'
import type { Caller } from '../../platform/http/caller.ts'
import { ApiError, type FieldErrors } from '../../platform/http/errors.ts'
import {
  findAccessGroups,
  findParties,
  findPartiesBelow,
  type AccessGroup,
  type Party,
} from './parties.store.ts'
import { findStoredCaller } from '../sessions/sessions.ts'
import type { Grants } from './users.store.ts'

export interface WantedGrants {
  accessGroups: readonly string[]
  clientRestriction: readonly ClientRestriction[]
}

export type FoundGrants = Grants & { groupCodes: readonly string[] }

/**
 * Finds groups and clients by their codes. Those that do not exist, or that the caller may not see, are added to
 * `checks`. `partyIds` is null when a user's existing grants are looked up.
 */
export async function findGrants(
  db: Db,
  caller: Pick<Caller, 'partyIds'>,
  wanted: WantedGrants,
  checks: FieldErrors,
): Promise<FoundGrants> {
  const [groups, parties] = await Promise.all([
    findAccessGroups(db, wanted.accessGroups),
    findParties(
      db,
      wanted.clientRestriction.map(({ partyReferenceCode }) => partyReferenceCode),
    ),
  ])
  return matchGrants({ groups, parties }, caller, wanted, checks)
}

/** The same with preloaded groups and parties, for many users at once. */
export function matchGrants(
  found: { groups: readonly AccessGroup[]; parties: readonly Party[] },
  caller: Pick<Caller, 'partyIds'>,
  wanted: WantedGrants,
  checks: FieldErrors,
): FoundGrants {
  const groupsByCode = new Map(found.groups.map((group) => [group.code.toLowerCase(), group]))
  const groups = new Set<AccessGroup>()
  wanted.accessGroups.forEach((code, index) => {
    const group = groupsByCode.get(code.toLowerCase())
    if (group) groups.add(group)
    else checks.add(`accessGroups[${index}]`, 'is not the code of an access group.')
  })
  const partiesByCode = new Map(found.parties.map((party) => [party.partyReferenceCode.toLowerCase(), party]))
  const clientRestriction = wanted.clientRestriction.flatMap(
    ({ partyReferenceCode, includeSubParties }, index) => {
      const party = partiesByCode.get(partyReferenceCode.toLowerCase())
      if (party && maySeeParty(caller, party.partyId)) return [{ ...party, includeSubParties }]
      checks.add(
        `clientRestriction[${index}].partyReferenceCode`,
        'is not the reference code of a party that you may see.',
      )
      return []
    },
  )
  const distinct = [...new Map(clientRestriction.map((one) => [one.partyId, one])).values()]
  return {
    accessGroups: [...groups],
    clientRestriction: distinct,
    groupCodes: [...groups].flatMap(({ accessCodes }) => accessCodes),
  }
}

export const maySeeParty = (caller: Pick<Caller, 'partyIds'>, partyId: string): boolean =>
  caller.partyIds === null || caller.partyIds.includes(partyId)

const tooMuch = (detail: string) => new ApiError('forbidden', detail)

interface Rights extends Pick<FoundGrants, 'groupCodes' | 'clientRestriction'> {
  role: UserRole
  /** The user's own party: a creditor role without a client restriction reaches it and those below. */
  partyId: string
}

/** Throws a 403 when role, groups or clients exceed the caller's own. */
export async function requireGrantable(
  db: Db,
  caller: Caller,
  { role, groupCodes, clientRestriction, partyId }: Rights,
): Promise<void> {
  const beyond = findCodesBeyond(caller, [...roleCodes(role), ...groupCodes])
  if (beyond.length > 0) {
    throw tooMuch(
      `The role ${role} (${userRoles[role]}) and these access groups bring ${beyond.join(', ')}, which you do not have. Nobody may grant more than they have.`,
    )
  }
  if (caller.partyIds === null) return
  if (!creditorRoles.includes(role))
    throw tooMuch('You are restricted to certain clients, so you can manage only users with a creditor role.')
  const restriction =
    clientRestriction.length > 0 ? clientRestriction : [{ partyId, includeSubParties: true }]
  const deep = restriction.filter((one) => one.includeSubParties).map((one) => one.partyId)
  const reached = [...(await findPartiesBelow(db, deep)), ...restriction.map((one) => one.partyId)]
  if (reached.some((one) => !caller.partyIds!.includes(one))) {
    throw tooMuch(
      'This client restriction reaches clients that you may not see. Leave out includeSubParties or the client.',
    )
  }
}

/** What a role brings. Operations that admit field collectors by name let them write about debtors. */
export const roleCodes = (role: UserRole): readonly string[] =>
  role === 14 ? [...roleAccessCodes[14], 'debtor.write'] : roleAccessCodes[role]

/** The codes that the caller lacks. Of a role's own privileges nobody lacks those of the same role. */
export function findCodesBeyond(caller: Caller, codes: readonly string[]): string[] {
  const own = new Set<string>(caller.accessCodes)
  if (caller.role === 14 && caller.narrowed !== true) own.add('debtor.write')
  return [...new Set(codes)].filter((code) => !own.has(code))
}

/**
 * Throws a 403 unless the caller has every access code and every client of another user, who may be disabled. `what`
 * begins the sentence that says what is refused.
 */
export async function requireUserRights(db: Db, caller: Caller, userId: string, what: string): Promise<void> {
  const other = await findStoredCaller(db, userId)
  // What a user created who no longer exists, or the system itself, is for those who may do everything.
  if (!other)
    return requireGrantable(db, caller, { role: 1, groupCodes: [], clientRestriction: [], partyId: '' })
  const lacksCode = findCodesBeyond(caller, [...other.accessCodes, ...roleCodes(other.role)]).length > 0
  const lacksClient =
    caller.partyIds !== null && (other.partyIds?.some((one) => !caller.partyIds!.includes(one)) ?? true)
  if (lacksCode || lacksClient)
    throw tooMuch(`${what} who has access codes or clients that you do not have cannot be changed by you.`)
}
