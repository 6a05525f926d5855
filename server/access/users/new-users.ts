/** Reading and checking a new user: the one way, for the API and the import alike. */
import type { UserInput } from '../../../contract/access/users.ts'
import type { MemberChecks } from '../../platform/http/errors.ts'
import type { WantedGrants } from './grants.ts'
import { findPasswordFault } from './password.rules.ts'
import { applyUserInput, noUser, type UserRecord } from './users.rules.ts'

/** A new user as the input has it: codes not yet looked up, secrets not yet hashed. */
export interface ReadUser extends WantedGrants {
  record: UserRecord
  partyReferenceCode: string
  password: string | null
  clientId: string | null
  clientSecret: string | null
  /** The guid that was asked for. */
  userGuid?: string
}

export interface ReadContext {
  countryCode: string
  /** Whether who has neither a password nor a client id may be made: they set a password by e-mail. */
  withoutPassword?: boolean
}

const guidPattern = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i

/** What is wrong is added to `checks`, but for the password, which `checkNewPassword` looks at. */
export function readUser(input: UserInput, context: ReadContext, checks: MemberChecks): ReadUser {
  const record = applyUserInput(noUser, input, context.countryCode, checks)
  const [password, clientId, clientSecret] = [
    input.password || null,
    input.clientId?.toLowerCase() || null,
    input.clientSecret || null,
  ]
  if (clientId !== null && !guidPattern.test(clientId)) checks.add('clientId', 'must be a GUID.')
  if (input.existingUserUniqueId && !guidPattern.test(input.existingUserUniqueId)) {
    checks.add('existingUserUniqueId', 'must be a GUID.')
  }
  if ((clientId === null) !== (clientSecret === null)) {
    checks.add(
      clientId === null ? 'clientId' : 'clientSecret',
      'is required: clientId and clientSecret go together.',
    )
  }
  if (password === null && clientId === null && context.withoutPassword !== true) {
    checks.add('password', 'is required unless clientId and clientSecret are used.')
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
    ...(input.existingUserUniqueId && { userGuid: input.existingUserUniqueId.toLowerCase() }),
  }
}

/** What is wrong with a new user's password is added to `checks`. */
export async function checkNewPassword({ password, record }: ReadUser, checks: MemberChecks): Promise<void> {
  const fault = password === null ? null : await findPasswordFault(password, record)
  if (fault !== null) checks.add('password', fault)
}

export const partyNeeded = 'is required: the reference code of a party that you may see.'
