import { Type } from 'typebox'
import { operation } from '../platform/operation.ts'
import { Problem } from '../platform/problem.ts'

export const requestPasswordReset = operation({
  id: 'requestPasswordReset',
  name: 'requestPasswordReset',
  method: 'POST',
  path: '/auth/password/forgot',
  area: 'Authentication',
  summary: 'Request a new password',
  description:
    "Sends a message to the user's e-mail address, at most three an hour. The answer is the same whether or not the user exists.",
  access: 'public',
  body: Type.Object(
    { login: Type.String({ minLength: 1, maxLength: 254 }) },
    { $id: 'ForgottenPassword', additionalProperties: false },
  ),
  status: 200,
  response: Problem,
  example: { body: { login: 'admin@demo.example' } },
})
export const resetPassword = operation({
  id: 'resetPassword',
  name: 'resetPassword',
  method: 'POST',
  path: '/auth/password/reset',
  area: 'Authentication',
  summary: 'Set a new password',
  description:
    'The token of the message works once, within 30 minutes. All sessions of the user end. A second factor is still required at the next sign-in.',
  access: 'public',
  body: Type.Object(
    {
      token: Type.String({ minLength: 1, maxLength: 200 }),
      password: Type.String({ minLength: 1, maxLength: 128 }),
    },
    { $id: 'NewPassword', additionalProperties: false },
  ),
  status: 200,
  response: Problem,
  problems: ['unauthenticated'],
  example: { body: { token: 'the-token-of-the-message', password: 'a passphrase of your own' } },
})
