/** Reads and checks a new user, for the API and the import alike. */
import type { UserInput } from '../../../contract/access/users.ts'
import { isGuid } from '../../../core/text/guid.ts'
import type { FieldErrors } from '../../platform/http/errors.ts'
import type { WantedGrants } from './grants.ts'
import { findPasswordFault } from './password.rules.ts'
import { applyUserInput, noUser, type UserRecord } from './users.rules.ts'

/** A new user as given: codes not looked up, secrets not hashed yet. */
export interface ReadUser extends WantedGrants {
  record: UserRecord
  partyReferenceCode: string
  password: string | null
  clientId: string | null
  clientSecret: string | null
  /** Chooses a password by the link of an invitation. */
  invite: boolean
  /** The requested GUID. */
  userGuid?: string
}

export interface ReadContext {
  countryCode: string
  /** Allows users with neither password nor client id: they set a password by e-mail. */
  withoutPassword?: boolean
}

/** Adds errors to `checks`. `checkNewPassword` checks the password. */
export function readUser(input: UserInput, context: ReadContext, checks: FieldErrors): ReadUser {
  const record = applyUserInput(noUser, input, context.countryCode, checks)
  const [password, clientId, clientSecret] = [
    input.password || null,
    input.clientId?.toLowerCase() || null,
    input.clientSecret || null,
  ]
  if (clientId !== null && !isGuid(clientId)) checks.add('clientId', 'must be a GUID.')
  const wantedGuid = input.existingUserUniqueId
  // Zeros alone stand for the system itself.
  if (wantedGuid && (!isGuid(wantedGuid) || /^[0-]+$/.test(wantedGuid))) {
    checks.add('existingUserUniqueId', 'must be a GUID.')
  }
  if ((clientId === null) !== (clientSecret === null)) {
    checks.add(
      clientId === null ? 'clientId' : 'clientSecret',
      'is required: clientId and clientSecret go together.',
    )
  }
  const invite = input.invite === true
  if (invite && (password !== null || clientId !== null || record.apiUser))
    checks.add('invite', 'must be left out for a user with a password and for an API user.')
  if (invite && record.disabled) checks.add('invite', 'must be left out for a disabled user.')
  // The server makes the credentials of an API user that comes without.
  const isWithout = password === null && clientId === null && input.apiUser !== true
  if (isWithout && !invite && context.withoutPassword !== true) {
    checks.add('password', 'is required unless the user is invited or is an API user.')
  }
  if (input.apiUser === null || input.apiUser === undefined) {
    record.apiUser = password === null && clientId !== null
  }
  return {
    record,
    partyReferenceCode: input.partyReferenceCode?.trim() ?? '',
    accessGroups: input.accessGroups ?? [],
    clientRestriction: input.clientRestriction ?? [],
    password,
    clientId,
    clientSecret,
    invite,
    ...(input.existingUserUniqueId && { userGuid: input.existingUserUniqueId.toLowerCase() }),
  }
}

/** Adds errors of a new user's password to `checks`. */
export async function checkNewPassword(
  { password, record }: ReadUser,
  checks: FieldErrors,
  agencyName: string,
): Promise<void> {
  const fault = password === null ? null : await findPasswordFault(password, record, agencyName)
  if (fault !== null) checks.add('password', fault)
}

export const partyNeeded = 'is required: the reference code of a party that you may see.'
