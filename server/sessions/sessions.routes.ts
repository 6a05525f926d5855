import * as contract from '../../contract/sessions.ts'
import { inTransaction } from '../database/transaction.ts'
import { ApiError, done } from '../http/errors.ts'
import { serve } from '../http/route.ts'
import type { Service } from '../http/service.ts'
import { isPassword } from './passwords.ts'
import { hashToken, renewTokens, startSession } from './sessions.ts'
import * as store from './sessions.store.ts'
import { addressKey, countFailure, findBlocks, forgetFailures, loginKey } from './throttle.ts'

const loginFailed = () =>
  new ApiError(
    'login-failed',
    'Login or password is wrong, the user is disabled, or too many attempts failed. Check both, or wait some minutes.',
    { headers: { 'www-authenticate': 'Bearer' } },
  )

const shutOut = (seconds: number) =>
  new ApiError('too-many-requests', `Too many failed sign-ins from this address. Wait ${seconds} s.`, {
    headers: { 'retry-after': String(seconds) },
  })

export function serveSessions(service: Service): void {
  // Every refusal takes one password check and gives one answer, so that neither tells which logins exist.
  serve(service, contract.login, async ({ db, body, address, origin }) => {
    const user = await store.findUserForLogin(db, body.login)
    const [login, from] = [loginKey(body.login, user?.userId), addressKey(address)]
    const { addressSeconds } = await findBlocks(db, login, from)
    if (addressSeconds !== null) throw shutOut(addressSeconds)
    const matches = await isPassword(user?.passwordHash ?? null, body.password)
    // Asked only now: of many tries at once, those after the tenth failure must not learn whether theirs was right.
    const { login: blocked } = await findBlocks(db, login, from)
    if (!matches || !user || user.disabled || blocked) {
      await countFailure(db, { login, address: from, blocked })
      throw loginFailed()
    }
    const tokens = await inTransaction(db, async (tx) => {
      await forgetFailures(tx, login)
      const { sessionId, tokens: made } = await startSession(tx, user.userId)
      await store.noteSession(tx, { ...origin, actorId: user.userId }, 'created', {
        sessionId,
        userId: user.userId,
      })
      return made
    })
    return { body: tokens }
  })

  serve(service, contract.refresh, async ({ db, body, origin }) => {
    const outcome = await inTransaction(db, async (tx) => {
      const token = await store.useRefreshToken(tx, hashToken(body.refreshToken))
      if (!token) return undefined
      if (!token.used && token.usable) return { tokens: await renewTokens(tx, token.sessionId) }
      // A used token that comes again was stolen, from us or from its owner: nobody goes on with it.
      if (token.used) await store.endSession(tx, origin, 'revoked', token)
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

  serve(service, contract.logout, async ({ db, caller, origin, path }) => {
    await inTransaction(db, (tx) => store.endSession(tx, origin, 'ended', caller))
    service.sessions.forget(caller.sessionId)
    return { body: done('You are signed out.', path) }
  })
}
