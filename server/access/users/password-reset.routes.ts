/** Resets a forgotten password by e-mail. */
import * as contract from '../../../contract/access/password-reset.ts'
import type { Settings } from '../../platform/config.ts'
import { inTransaction, type Db } from '../../platform/database/transaction.ts'
import type { Origin } from '../../platform/http/caller.ts'
import { ApiError, done, invalid } from '../../platform/http/errors.ts'
import { unrestricted } from '../../platform/database/row-scope.ts'
import { serve } from '../serve/route.ts'
import type { ServerContext } from '../serve/server-context.ts'
import { queueMessage } from '../../platform/messages/messages.store.ts'
import { mayStillInvite } from '../invitations/inviter.ts'
import { hashPassword } from '../sessions/passwords.ts'
import { hashToken, newSecret } from '../sessions/sessions.ts'
import { revokeUserSessions } from '../sessions/sessions.store.ts'
import { hashTurn } from '../sessions/throttle.ts'
import { findAgencyName } from './parties.store.ts'
import { findPasswordFault } from './password.rules.ts'
import * as store from './password-reset.store.ts'
import { lockUser, updateUser } from './users.store.ts'

const tokenMinutes = 30
const messagesPerHour = 3
/** Maximum requests per round of background work. */
const roundMax = 200

const unusable = () =>
  new ApiError(
    'unauthenticated',
    'The token is unknown, expired or used. Ask for a new message with POST /api/v1/auth/password/forgot.',
    { headers: { 'www-authenticate': 'Bearer' } },
  )

const anyUser = unrestricted(
  'user',
  'nobody is signed in: the token of the message says whose password it is',
)

export function servePasswordReset(service: ServerContext): void {
  serve(service, contract.requestPasswordReset, async ({ db, body, path }) => {
    await store.insertResetRequest(db, body.login)
    return { body: done('If the user exists, a message with the next step is on its way.', path) }
  })

  serve(service, contract.resetPassword, async ({ db, body, origin, path, address }) => {
    const userId = await setPasswordByToken(db, 'RESET', { ...body, address }, origin)
    if (userId === undefined) throw unusable()
    service.sessions.forgetUser(userId)
    return { body: done('The password is changed. Sign in with it.', path) }
  })
}

interface NewPassword {
  token: string
  password: string
  /** The sender's. */
  address: string
}

/** Returns the user whose password is set; undefined for a token that cannot be used. Throws a 400 for the password. */
export async function setPasswordByToken(
  db: Db,
  purpose: store.TokenPurpose,
  { token, password, address }: NewPassword,
  origin: Origin,
): Promise<string | undefined> {
  const hash = hashToken(token)
  const known = await store.findReset(db, hash, purpose)
  if (known === undefined) return undefined
  // Hashed before the transaction, which would hold a connection and the user's row meanwhile.
  const passwordHash = await hashPassword(password, hashTurn(address, known))
  return inTransaction(db, async (tx) => {
    const used = await store.useReset(tx, hash, purpose)
    if (!used) return undefined
    const { userId: found, invitedBy } = used
    const before = await lockUser(tx, anyUser, found)
    if (!before) return undefined
    // The token stays used: whoever may invite the user sends another.
    if (invitedBy !== null && !(await mayStillInvite(tx, invitedBy, before))) return undefined
    // Throws before the token is used up, so that the user can try again.
    const fault = await findPasswordFault(password, before.record, await findAgencyName(tx))
    if (fault !== null) throw invalid({ password: [fault] })
    await revokeUserSessions(tx, found)
    await updateUser(tx, found, before, { changes: {}, passwordHash }, { ...origin, actorId: found })
    // Who has the token has read the e-mail: a change of the address ends all tokens.
    await store.markEmailConfirmed(tx, found)
    return found
  })
}

/** Sends the requested messages. Runs in the background on any node. */
export async function sendResetMessages(db: Db, settings: Settings): Promise<void> {
  for (let count = 0; count < roundMax; count++) {
    const found = await inTransaction(db, async (tx) => {
      const login = await store.takeResetRequest(tx)
      if (login === undefined) return false
      await sendResetMessage(tx, login, settings)
      return true
    })
    if (!found) return
  }
}

async function sendResetMessage(tx: Db, login: string, settings: Settings): Promise<void> {
  const user = await store.lockResettableUser(tx, login)
  if (!user || (await store.countRecentResets(tx, user.userId)) >= messagesPerHour) return
  const token = newSecret()
  await store.insertReset(tx, { hash: hashToken(token), userId: user.userId, minutes: tokenMinutes })
  const origin = settings.FORDRA_PUBLIC_URL?.replace(/\/$/, '')
  await queueMessage(tx, {
    kind: 'password-reset',
    channel: 'email',
    recipient: user.email,
    userGuid: user.userId,
    languageCode: user.languageCode,
    // The token is in the fragment, which browsers do not send: it is in no log and no referrer.
    secret: origin === undefined ? token : `${origin}/reset-password#token=${token}`,
    minutes: tokenMinutes,
  })
}
