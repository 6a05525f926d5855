import * as contract from '../../../contract/access/second-factors.ts'
import type { Db } from '../../platform/database/transaction.ts'
import { ApiError } from '../../platform/http/errors.ts'
import { serve } from '../serve/route.ts'
import type { ServerContext } from '../serve/server-context.ts'
import { findChallengedUser } from './mfa.store.ts'
import { proveByChallenge, tryCode } from './mfa.ts'
import { hashToken } from '../sessions/sessions.ts'
import { answerSignedIn, type SignInRequest } from '../sessions/sign-in.ts'
import type { SignedIn } from '../../../contract/access/sessions.ts'
import type { Answer } from '../serve/handler-request.ts'
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
  serve(service, contract.signInWithCode, (request) =>
    answerCodeSignIn(service, request, request.body.challenge, async (tx, userId) => {
      const proof = { ...request.body, userId, purpose: 'sign-in' } as const
      return (await proveByChallenge(tx, service.settings, proof)) !== undefined
    }),
  )
}

/** Completes a sign-in by whatever proves the second factor. Every failure gives the same answer, so that it reveals nothing. */
export async function answerCodeSignIn(
  service: ServerContext,
  request: SignInRequest,
  challenge: string,
  prove: (tx: Db, userId: string) => Promise<boolean>,
): Promise<Answer<SignedIn>> {
  const { db, address } = request
  const userId = await findChallengedUser(db, hashToken(challenge))
  if (userId === undefined) {
    await countStranger(db, challenge, address)
    throw codeFailed()
  }
  const answer = await tryCode(db, { userId, address }, async (tx) => {
    if (!(await prove(tx, userId))) return undefined
    return answerSignedIn(service, { ...request, db: tx }, userId, 'mfa')
  })
  if (!answer) throw codeFailed()
  await forgetFailures(db, userKey(userId))
  return answer
}

async function countStranger(db: Db, challenge: string, address: string): Promise<void> {
  const [login, from] = [loginKey(challenge, undefined), addressKey(address)]
  requireOpenAddress(await findBlocks(db, login, from))
  await countFailure(db, { login, address: from, blocked: false })
}
