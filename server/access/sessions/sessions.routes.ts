import * as contract from '../../../contract/access/sessions.ts'
import { inTransaction } from '../../platform/database/transaction.ts'
import { ApiError, done } from '../../platform/http/errors.ts'
import { serve } from '../serve/route.ts'
import type { ServerContext } from '../serve/server-context.ts'
import { writeCookie } from '../../platform/http/cookies.ts'
import { findFactor } from '../second-factors/mfa.store.ts'
import { isEnrolled, startChallenge } from '../second-factors/mfa.ts'
import { offerPasskeys } from '../passkeys/offer-passkeys.ts'
import { provePassword } from './passwords.ts'
import { hashToken, sessionLimits, renewTokens } from './sessions.ts'
import * as store from './sessions.store.ts'
import { answerSignedIn } from './sign-in.ts'
import {
  addressKey,
  countFailure,
  findBlocks,
  forgetFailures,
  hashTurn,
  loginKey,
  requireOpenAddress,
} from './throttle.ts'

const loginFailed = () =>
  new ApiError(
    'login-failed',
    'Login or password is wrong, the user is disabled, or too many attempts failed. Check both, or wait some minutes.',
    { headers: { 'www-authenticate': 'Bearer' } },
  )

/** A client that lost the answer to a refresh sends it again within this time, and gets new tokens once more. */
const repeatSeconds = 30

export function serveSessions(service: ServerContext): void {
  const limits = sessionLimits(service.settings)

  // Every refusal checks a password once and gives the same answer, so that neither reveals which logins exist.
  serve(service, contract.login, async (request) => {
    const { db, body, address } = request
    const user = await store.findUserForLogin(db, body.login)
    const [login, from] = [loginKey(body.login, user?.userId), addressKey(address)]
    requireOpenAddress(await findBlocks(db, login, from))
    const proof = {
      passwordHash: user?.passwordHash ?? null,
      password: body.password,
      turn: hashTurn(address, body.login),
    }
    const isRight = await provePassword(proof, async (matches) => {
      // Checked only now: concurrent attempts after the tenth failure must not learn whether theirs was right.
      const { login: blocked } = await findBlocks(db, login, from)
      if (matches && user && !user.disabled && !blocked) return true
      await countFailure(db, { login, address: from, blocked })
      return false
    })
    if (!isRight || !user) throw loginFailed()
    const factor = await findFactor(db, user.userId)
    const { mfaType } = factor
    if (mfaType !== 0 && isEnrolled(factor)) {
      // The failures still count. Otherwise every right password would allow ten more guesses of the code.
      const challenge = await startChallenge(db, factor, 'sign-in')
      const passkey = await offerPasskeys(service, request, factor, challenge)
      return { body: { mfaRequired: true as const, mfaType, challenge, ...(passkey && { passkey }) } }
    }
    await forgetFailures(db, login)
    return answerSignedIn(service, request, user.userId, 'password', { mfaPending: mfaType !== 0 })
  })

  serve(service, contract.refresh, async ({ db, body, origin }) => {
    const outcome = await inTransaction(db, async (tx) => {
      const token = await store.useRefreshToken(tx, hashToken(body.refreshToken))
      if (!token) return undefined
      const isUsed = token.usedSecondsAgo !== null && token.usedSecondsAgo > repeatSeconds
      if (!isUsed && token.usable) return { tokens: await renewTokens(tx, token.sessionId, limits) }
      // A refresh token used again later may have been stolen, so the session ends.
      if (isUsed) await store.endSession(tx, origin, 'revoked', token)
      return { ended: token.sessionId }
    })
    if (outcome?.tokens) return { body: outcome.tokens }
    if (outcome?.ended) service.sessions.forget(outcome.ended)
    throw new ApiError(
      'unauthenticated',
      'The refresh token is unknown, expired, revoked or used before. Sign in again.',
      {
        headers: { 'www-authenticate': 'Bearer' },
      },
    )
  })

  serve(service, contract.logout, async (request) => {
    const { db, caller, origin, path, headers } = request
    await inTransaction(db, (tx) => store.endSession(tx, origin, 'ended', caller))
    service.sessions.forget(caller.sessionId)
    const cookies =
      headers.cookie === undefined ? [] : [writeCookie(service.settings, request, 'session', null)]
    return { body: done('You are signed out.', path), cookies }
  })
}
