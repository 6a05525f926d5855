import * as contract from '../../../contract/access/invitations.ts'
import { ApiError, done } from '../../platform/http/errors.ts'
import { serve } from '../serve/route.ts'
import type { ServerContext } from '../serve/server-context.ts'
import { setPasswordByToken } from '../users/password-reset.routes.ts'
import { inviteAgain, withdrawInvitation } from './invitations.changes.ts'

const unusable = () =>
  new ApiError(
    'unauthenticated',
    'The invitation is unknown, expired, withdrawn or used. Ask whoever invited you to send it again.',
    { headers: { 'www-authenticate': 'Bearer' } },
  )

export function serveInvitations(service: ServerContext): void {
  const { settings, sessions } = service

  serve(service, contract.inviteUser, async ({ db, caller, params: { userGuid }, origin, path }) => {
    await inviteAgain(db, caller, { userGuid, settings }, origin)
    return { body: done('The invitation is on its way.', path) }
  })

  serve(service, contract.withdrawInvitation, async ({ db, caller, params: { userGuid }, origin, path }) => {
    await withdrawInvitation(db, caller, userGuid, origin)
    sessions.forgetUser(userGuid)
    return { body: done('The invitation is withdrawn, and the user is disabled.', path) }
  })

  serve(service, contract.acceptInvitation, async ({ db, body, origin, path, address }) => {
    const userId = await setPasswordByToken(db, 'INVITATION', { ...body, address }, origin)
    if (userId === undefined) throw unusable()
    sessions.forgetUser(userId)
    return { body: done('The invitation is accepted. Sign in with your e-mail address and password.', path) }
  })
}
