import * as contract from '../../../contract/access/second-factors.ts'
import type { Db } from '../../platform/database/transaction.ts'
import { ApiError } from '../../platform/http/errors.ts'
import { serve } from '../serve/route.ts'
import type { ServerContext } from '../serve/server-context.ts'
import { findChallengedUser } from './mfa.store.ts'
import { proveByChallenge, tryCode } from './mfa.ts'
import { hashToken } from '../sessions/sessions.ts'
import { answerSignedIn } from '../sessions/sign-in.ts'
import {
  addressKey,
  countFailure,
  findBlocks,
  forgetFailures,
  loginKey,
  requireOpenAddress,
  userKey,
} from '../sessions/throttle.ts'

const codeFailed = () =>
  new ApiError(
    'login-failed',
    'The challenge or the code is wrong, expired or used, or too many attempts failed. Sign in again, or wait some minutes.',
    { headers: { 'www-authenticate': 'Bearer' } },
  )

export function serveMfa(service: ServerContext): void {
  // Every failure gives the same answer, so that it reveals nothing.
  serve(service, contract.signInWithCode, async (request) => {
    const { db, body, address } = request
    const userId = await findChallengedUser(db, hashToken(body.challenge))
    if (userId === undefined) {
      await countStranger(db, body.challenge, address)
      throw codeFailed()
    }
    const answer = await tryCode(db, { userId, address }, async (tx) => {
      const proven = await proveByChallenge(tx, service.settings, { ...body, userId, purpose: 'sign-in' })
      if (proven === undefined) return undefined
      return answerSignedIn(service, { ...request, db: tx }, userId, 'mfa')
    })
    if (!answer) throw codeFailed()
    await forgetFailures(db, userKey(userId))
    return answer
  })
}

async function countStranger(db: Db, challenge: string, address: string): Promise<void> {
  const [login, from] = [loginKey(challenge, undefined), addressKey(address)]
  requireOpenAddress(await findBlocks(db, login, from))
  await countFailure(db, { login, address: from, blocked: false })
}
