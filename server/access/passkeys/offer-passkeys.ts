import type { Factor } from '../second-factors/mfa.store.ts'
import type { ServerContext } from '../serve/server-context.ts'
import { listCredentials } from './passkeys.store.ts'
import { findRelyingParty, type Reached } from './relying-party.ts'
import { makeRequestOptions } from './webauthn.ts'

/** What a browser needs to sign in by a passkey; undefined for a user without one. */
export async function offerPasskeys(
  { sql, settings }: ServerContext,
  reached: Reached,
  { userId, mfaType, hasPasskey }: Factor,
  challenge: string,
): Promise<Record<string, unknown> | undefined> {
  const party = findRelyingParty(settings, reached)
  if (!party || !hasPasskey || mfaType !== 1) return undefined
  return makeRequestOptions(party, await listCredentials(sql, userId), challenge)
}
