/** Authenticates an API user by client id and secret. */
import { isGuid } from '../../../core/text/guid.ts'
import type { Db } from '../../platform/database/transaction.ts'
import { ApiError } from '../../platform/http/errors.ts'
import type { ClientCredentials } from '../sessions/oauth2-form.ts'
import { isPassword } from '../sessions/passwords.ts'
import {
  addressKey,
  countFailure,
  findBlocks,
  forgetFailures,
  hashTurn,
  loginKey,
  requireOpenAddress,
} from '../sessions/throttle.ts'
import { findClient, noteUse, type ClientForLogin, type StoredSecret } from './client-secrets.store.ts'
import { isMade, matchesMade } from './new-secret.ts'

export const invalidClient = (): ApiError =>
  new ApiError(
    'login-failed',
    'Client id or secret is wrong or has ended, the user is disabled, or too many attempts failed. Check both, or wait some minutes.',
    { headers: { 'www-authenticate': 'Basic realm="Fordra", charset="UTF-8"' } },
  )

export interface AuthenticatedClient {
  client: ClientForLogin
  /** The secret that was used. */
  secret: StoredSecret
}

/** Every refusal gives the same answer and hashes once, so that neither reveals which clients exist. */
export async function authenticateClient(
  db: Db,
  { clientId, clientSecret }: ClientCredentials,
  address: string,
): Promise<AuthenticatedClient> {
  const client = isGuid(clientId) ? await findClient(db, clientId) : undefined
  const [login, from] = [loginKey(clientId, client?.userId), addressKey(address)]
  requireOpenAddress(await findBlocks(db, login, from))
  const secret = await findMatch(client?.secrets ?? [], clientSecret, () => hashTurn(address, clientId))
  // Checked only now: concurrent attempts after the tenth failure must not learn whether theirs was right.
  const { login: blocked } = await findBlocks(db, login, from)
  if (!secret || !client || client.disabled || blocked) {
    await countFailure(db, { login, address: from, blocked })
    throw invalidClient()
  }
  await forgetFailures(db, login)
  await noteUse(db, secret.secretGuid)
  return { client, secret }
}

/** A user has at most one chosen secret: the one of its creation. */
async function findMatch(
  secrets: readonly StoredSecret[],
  given: string,
  turn: () => Parameters<typeof isPassword>[2],
): Promise<StoredSecret | undefined> {
  const made = secrets.find(({ hash }) => isMade(hash) && matchesMade(hash, given))
  if (made) return made
  const chosen = secrets.find(({ hash }) => !isMade(hash))
  return (await isPassword(chosen?.hash ?? null, given, turn())) ? chosen : undefined
}
