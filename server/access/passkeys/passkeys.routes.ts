/** Users enrol, list and delete their passkeys, and sign in by one in place of a code. */
import * as contract from '../../../contract/access/passkeys.ts'
import { makeId } from '../../platform/database/make-id.ts'
import type { Change } from '../../platform/events/record.ts'
import { inTransaction, type Db } from '../../platform/database/transaction.ts'
import { ApiError, done, notFound } from '../../platform/http/errors.ts'
import { answerCodeSignIn } from '../second-factors/mfa.routes.ts'
import { findFactor, markChallengeUsed, tryChallenge, type Factor } from '../second-factors/mfa.store.ts'
import {
  challengeMinutes,
  challengeTriesMax,
  isEnrolled,
  startChallenge,
  tryCode,
} from '../second-factors/mfa.ts'
import {
  enrolFactor,
  lockSelf,
  requireOwnPassword,
  verifyAndLockSelf,
  wrongCode,
} from '../second-factors/second-factors.changes.ts'
import { serve } from '../serve/route.ts'
import type { ServerContext } from '../serve/server-context.ts'
import { hashToken } from '../sessions/sessions.ts'
import { updateUser } from '../users/users.store.ts'
import * as store from './passkeys.store.ts'
import { requireRelyingParty, type RelyingParty } from './relying-party.ts'
import { makeCreationOptions, verifyCreation, verifyUse } from './webauthn.ts'

const passkeysMax = 10
/** `mfaType` of authenticators: apps, and passkeys. */
const authenticatorType = 1

export function servePasskeys(service: ServerContext): void {
  serveSignIn(service)
  serveEnrolment(service)
  serveOwn(service)
}

function serveSignIn(service: ServerContext): void {
  serve(service, contract.signInWithPasskey, (request) =>
    answerCodeSignIn(service, request, request.body.challenge, async (tx, userId) => {
      const party = requireRelyingParty(service.settings, request)
      return provePasskey(tx, party, { userId, ...request.body })
    }),
  )
}

/** Tries a passkey against a challenge and counts the attempt. Run it in a transaction that is committed even on failure. */
async function provePasskey(
  tx: Db,
  party: RelyingParty,
  { userId, challenge, credential }: { userId: string; challenge: string; credential: { id: string } },
): Promise<boolean> {
  const challengeHash = hashToken(challenge)
  const found = await tryChallenge(tx, challengeHash, { purpose: 'sign-in', userId }, challengeTriesMax)
  const factor = found && (await findFactor(tx, userId))
  if (!factor || factor.disabled || factor.mfaType !== found.mfaType) return false
  const stored = await store.findPasskey(tx, userId, Buffer.from(credential.id, 'base64url'))
  const counter = stored && (await verifyUse(party, challenge, stored, credential))
  if (counter === undefined) return false
  await markChallengeUsed(tx, challengeHash)
  await store.notePasskeyUse(tx, stored!.passkeyGuid, counter)
  return true
}

async function requireRoom(db: Db, factor: Factor): Promise<void> {
  if (isEnrolled(factor) && factor.mfaType !== authenticatorType)
    throw new ApiError(
      'conflict',
      'Your second factor is codes by e-mail or SMS. Remove it first with DELETE /api/v1/users/current/mfa, then enrol a passkey.',
    )
  if ((await store.listCredentials(db, factor.userId)).length >= passkeysMax)
    throw new ApiError('conflict', `You have ${passkeysMax} passkeys. Delete one first.`)
}

function serveEnrolment(service: ServerContext): void {
  const { settings, sessions } = service

  serve(service, contract.enrolPasskey, async (request) => {
    const { db, caller, body, address } = request
    const { userId } = caller
    const party = requireRelyingParty(settings, request)
    await requireOwnPassword(db, caller, body.currentPassword, address)
    const factor = await findFactor(db, userId)
    await requireRoom(db, factor)
    if (isEnrolled(factor)) {
      const { code = '' } = body
      const proven = await tryCode(db, { userId, address }, (tx) =>
        verifyAndLockSelf(tx, settings, caller, { code }),
      )
      if (!proven) throw wrongCode()
    }
    const challenge = await startChallenge(db, factor, 'choose', authenticatorType)
    const owner = { userId, login: factor.email, company: settings.FORDRA_COMPANY ?? 'Fordra' }
    const known = await store.listCredentials(db, userId)
    const publicKey = makeCreationOptions(party, owner, known, challenge)
    return { body: { challenge, publicKey, expiresIn: challengeMinutes * 60 } }
  })

  serve(service, contract.confirmPasskey, async (request) => {
    const { db, caller, body, origin, address } = request
    const { userId } = caller
    const party = requireRelyingParty(settings, request)
    const codes = await tryCode(db, { userId, address }, async (tx) => {
      const before = await lockSelf(tx, caller)
      const factor = await findFactor(tx, userId)
      await requireRoom(tx, factor)
      const hash = hashToken(body.challenge)
      const found = await tryChallenge(tx, hash, { purpose: 'choose', userId }, challengeTriesMax)
      if (found?.mfaType !== authenticatorType) return undefined
      const made = await verifyCreation(party, body.challenge, body.credential)
      if (!made) return undefined
      const passkey = { ...made, passkeyGuid: makeId(), name: body.name }
      if (!(await store.insertPasskey(tx, userId, passkey))) return undefined
      await markChallengeUsed(tx, hash)
      if (!isEnrolled(factor)) return enrolFactor(tx, caller, before, authenticatorType, origin)
      const changes: Change['changes'] = { passkey: [null, body.name] }
      await updateUser(tx, userId, before, { changes }, origin)
      return []
    })
    if (!codes) throw wrongPasskey()
    sessions.forgetUser(userId)
    return { body: { recoveryCodes: codes } }
  })
}

const wrongPasskey = () => {
  const what = 'is not a new passkey for this sign-in, or too many attempts failed.'
  return new ApiError('unprocessable', `credential ${what} Nothing was changed.`, {
    errors: { credential: [what] },
  })
}

function serveOwn(service: ServerContext): void {
  serve(service, contract.listPasskeys, async ({ db, caller }) => ({
    body: { passkeys: await store.listPasskeys(db, caller.userId) },
  }))

  serve(service, contract.deletePasskey, async ({ db, caller, params, body, origin, path, address }) => {
    const { userId } = caller
    if (!(await store.hasPasskey(db, userId, params.passkeyGuid))) throw notFound('passkey')
    await requireOwnPassword(db, caller, body.currentPassword, address)
    await inTransaction(db, async (tx) => {
      const before = await lockSelf(tx, caller)
      const name = await store.deletePasskey(tx, userId, params.passkeyGuid)
      if (name === undefined) throw notFound('passkey')
      if (!isEnrolled(await findFactor(tx, userId)))
        throw new ApiError(
          'conflict',
          'This is your only second factor. Remove the second factor with DELETE /api/v1/users/current/mfa instead.',
        )
      await updateUser(tx, userId, before, { changes: { passkey: [name, null] } }, origin)
    })
    return { body: done('The passkey is deleted.', path) }
  })
}
