/** Users confirm that their e-mail address is their own: operations that the specification does not have. */
import { Type } from 'typebox'
import { operation } from '../platform/operation.ts'
import { Problem } from '../platform/problem.ts'
import { SentCode } from './second-factors.ts'

export const sendEmailCode = operation({
  id: 'sendEmailCode',
  name: 'sendEmailCode',
  method: 'POST',
  path: '/users/current/email/code',
  area: 'Users',
  summary: 'Send a code to the own e-mail address',
  description:
    'For `confirmEmail`. The code is valid for ten minutes. At most five codes are sent in that time, those of second factors included. 409 for an address that is confirmed already, 422 without a mail server.',
  access: 'session',
  status: 200,
  response: SentCode,
  problems: ['conflict', 'unprocessable'],
})
export const confirmEmail = operation({
  id: 'confirmEmail',
  name: 'confirmEmail',
  method: 'POST',
  path: '/users/current/email/confirm',
  area: 'Users',
  summary: 'Confirm the own e-mail address',
  description:
    'By the code that `sendEmailCode` sent. Five attempts are allowed; a wrong one counts as a failed sign-in. A change of the address ends the confirmation. An accepted invitation and a password set by e-mail confirm the address too.',
  access: 'session',
  body: Type.Object(
    {
      challenge: Type.String({ minLength: 1, maxLength: 200, title: 'Challenge' }),
      code: Type.String({ minLength: 6, maxLength: 40, title: 'Code' }),
    },
    { $id: 'EmailCode', additionalProperties: false },
  ),
  status: 200,
  response: Problem,
  problems: ['unprocessable'],
  example: { body: { challenge: 'the-challenge-of-the-first-step', code: '492039' } },
})
