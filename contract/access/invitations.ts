/** Invitations of users by e-mail: operations that the specification does not have. */
import { Type } from 'typebox'
import { guid } from '../metadata/fields.ts'
import { operation } from '../platform/operation.ts'
import { Problem } from '../platform/problem.ts'

/** How the invitation of a user stands. A user who was created with a password has none. */
export const invitationStates = ['INVITED', 'EXPIRED', 'ACCEPTED', 'WITHDRAWN'] as const

/** How long the link of an invitation works. */
export const invitationHours = 72

const ofUser = Type.Object({ userGuid: guid('User') })

export const inviteUser = operation({
  id: 'inviteUser',
  name: 'inviteUser',
  method: 'POST',
  path: '/users/:userGuid/invitation',
  area: 'Users',
  summary: 'Invite a user again',
  description:
    'Sends a new invitation to a user who was created with `invite` and has no password yet, or to any other user who cannot sign in yet. Earlier links stop working. The caller needs every right of the user. At most three an hour go to one user, and a hundred from one caller. 422 without a mail server (`FORDRA_SMTP_URL`) or public address (`FORDRA_PUBLIC_URL`).',
  access: ['user.write'],
  params: ofUser,
  status: 200,
  response: Problem,
  problems: ['conflict', 'unprocessable', 'too-many-requests'],
})
export const withdrawInvitation = operation({
  id: 'withdrawInvitation',
  name: 'withdrawInvitation',
  method: 'DELETE',
  path: '/users/:userGuid/invitation',
  area: 'Users',
  summary: 'Withdraw an invitation',
  description:
    'The link stops working, and the user is disabled: a forgotten password would let them in otherwise. The caller needs every right of the user. 409 when no invitation is open.',
  access: ['user.write'],
  params: ofUser,
  status: 200,
  response: Problem,
  problems: ['conflict'],
})
export const acceptInvitation = operation({
  id: 'acceptInvitation',
  name: 'acceptInvitation',
  method: 'POST',
  path: '/auth/invitation',
  area: 'Authentication',
  summary: 'Accept an invitation',
  description:
    'Sets the first password of an invited user. The token of the message works once, within 72 hours, until the invitation is sent again or withdrawn. The user then signs in with the password.',
  access: 'public',
  body: Type.Object(
    {
      token: Type.String({ minLength: 1, maxLength: 200 }),
      password: Type.String({ minLength: 1, maxLength: 128 }),
    },
    { $id: 'AcceptedInvitation', additionalProperties: false },
  ),
  status: 200,
  response: Problem,
  problems: ['unauthenticated'],
  example: { body: { token: 'the-token-of-the-invitation', password: 'a passphrase of your own' } },
})
