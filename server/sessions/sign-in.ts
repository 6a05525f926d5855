/** How every way to sign in ends: with tokens, or with a session by cookie for web pages of the same origin. */
import type { SignedIn } from '../../contract/sessions.ts'
import type { Db } from '../database/transaction.ts'
import type { Answer } from '../http/route.ts'
import type { Service } from '../http/service.ts'
import { startSession } from './sessions.ts'

/** By what a user proved who they are. */
export type SignInWay = 'password' | 'mfa' | 'oauth2' | 'oidc'

/** What of a request decides about its session; `Served` has it all. */
export interface SignInRequest {
  db: Db
  headers: Record<string, string | string[] | undefined>
  address: string
  protocol: string
}

/** Starts a session for a user who has proven who they are; the caller has checked that the user may sign in. */
export async function answerSignedIn(
  _service: Service,
  { db }: SignInRequest,
  userId: string,
  _how: SignInWay,
): Promise<Answer<SignedIn>> {
  const { tokens } = await startSession(db, userId)
  return { body: tokens }
}
