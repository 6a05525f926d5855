/** Users confirm their e-mail address by a code, so that nothing about the agency's work goes to a mistyped one. */
import * as contract from '../../../contract/access/email-confirmation.ts'
import { ApiError, done } from '../../platform/http/errors.ts'
import { serve } from '../serve/route.ts'
import type { ServerContext } from '../serve/server-context.ts'
import { isEmailConfirmed, markEmailConfirmed } from '../users/password-reset.store.ts'
import { findFactor } from './mfa.store.ts'
import { challengeMinutes, proveByChallenge, startChallenge, tryCode } from './mfa.ts'
import { wrongCode } from './second-factors.changes.ts'

/** The `mfaType` of codes by e-mail. */
const byEmail = 2

export function serveEmailConfirmation(service: ServerContext): void {
  const { settings } = service

  serve(service, contract.sendEmailCode, async ({ db, caller: { userId } }) => {
    if (settings.FORDRA_SMTP_URL === undefined)
      throw new ApiError(
        'unprocessable',
        'The server has no mail server (FORDRA_SMTP_URL), so no code can reach you. Ask an administrator.',
      )
    if (await isEmailConfirmed(db, userId))
      throw new ApiError('conflict', 'Your e-mail address is confirmed already.')
    const challenge = await startChallenge(db, await findFactor(db, userId), 'email', byEmail)
    return { body: { challenge, expiresIn: challengeMinutes * 60 } }
  })

  serve(service, contract.confirmEmail, async ({ db, caller: { userId }, body, path, address }) => {
    const proven = await tryCode(db, { userId, address }, async (tx) => {
      const by = await proveByChallenge(tx, settings, { ...body, userId, purpose: 'email' })
      if (by !== undefined) await markEmailConfirmed(tx, userId)
      return by
    })
    if (proven === undefined) throw wrongCode()
    return { body: done('Your e-mail address is confirmed.', path) }
  })
}
