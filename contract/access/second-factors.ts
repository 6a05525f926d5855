import { Type, type Static } from 'typebox'
import { guid } from '../metadata/fields.ts'
import { operation } from '../platform/operation.ts'
import { Problem } from '../platform/problem.ts'
import { SignedIn, signInHeaders } from './sessions.ts'

const password = Type.String({ minLength: 1, maxLength: 128, title: 'Current password' })
const challenge = Type.String({ minLength: 1, maxLength: 200, title: 'Challenge' })
const code = Type.String({
  minLength: 6,
  maxLength: 40,
  title: 'Code',
  description: 'Six digits of the second factor, or a recovery code.',
})

export const signInWithCode = operation({
  id: 'signInWithCode',
  name: 'signInWithCode',
  method: 'POST',
  path: '/auth/mfa',
  area: 'Authentication',
  summary: 'Sign in: second factor',
  description:
    'Completes a sign-in that was answered with `mfaRequired`. A challenge is valid for ten minutes, allows five attempts and works once; so does a code. A recovery code can replace the code.',
  access: 'public',
  headers: signInHeaders,
  body: Type.Object({ challenge, code }, { $id: 'MfaCode', additionalProperties: false }),
  status: 200,
  response: SignedIn,
  problems: ['login-failed'],
  example: { body: { challenge: 'the-challenge-of-the-first-step', code: '492039' } },
})

/** The proof of identity that a user needs to change their second factor. */
const proof = {
  currentPassword: password,
  code,
  challenge: Type.Optional(challenge),
}

export const Enrolment = Type.Object(
  {
    otpauthUrl: Type.String({ description: 'For the authenticator app.' }),
    secret: Type.String({ description: 'The same secret in Base32, to be typed by hand.' }),
    qrCode: Type.String({ description: 'The address as a QR code: an SVG image as a data URI.' }),
  },
  { $id: 'Enrolment' },
)
export type Enrolment = Static<typeof Enrolment>

export const RecoveryCodes = Type.Object(
  {
    recoveryCodes: Type.Array(Type.String(), {
      description:
        'Ten codes, each good for one sign-in without the second factor. They are shown only once.',
    }),
  },
  { $id: 'RecoveryCodes' },
)
export type RecoveryCodes = Static<typeof RecoveryCodes>

export const SentCode = Type.Object(
  {
    challenge: Type.String({ description: 'Send it back together with the code.' }),
    expiresIn: Type.Integer({ description: 'Seconds until the code expires.' }),
  },
  { $id: 'SentCode' },
)
export type SentCode = Static<typeof SentCode>

export const enrolTotp = operation({
  id: 'enrolTotp',
  name: 'enrolTotp',
  method: 'POST',
  path: '/users/current/mfa/totp',
  area: 'Authentication',
  summary: 'Enrol an authenticator app',
  description:
    'Creates a new secret, which becomes active with `confirmTotp`. 409 while another second factor is active: remove that first. A wrong password counts as a failed sign-in.',
  access: 'session',
  mfaPending: true,
  body: Type.Object({ currentPassword: password }, { $id: 'EnrolTotp', additionalProperties: false }),
  status: 200,
  response: Enrolment,
  problems: ['conflict', 'unprocessable'],
})
export const confirmTotp = operation({
  id: 'confirmTotp',
  name: 'confirmTotp',
  method: 'POST',
  path: '/users/current/mfa/totp/confirm',
  area: 'Authentication',
  summary: 'Confirm the authenticator app',
  description:
    "Checks a code of the app, makes the app the user's second factor, ends the user's other sessions and returns the recovery codes.",
  access: 'session',
  mfaPending: true,
  body: Type.Object({ code }, { $id: 'ConfirmTotp', additionalProperties: false }),
  status: 200,
  response: RecoveryCodes,
  problems: ['conflict', 'unprocessable'],
  example: { body: { code: '492039' } },
})
export const chooseMfa = operation({
  id: 'chooseMfa',
  name: 'chooseMfa',
  method: 'POST',
  path: '/users/current/mfa/message',
  area: 'Authentication',
  summary: 'Choose codes by e-mail or SMS',
  description:
    "Sends a code to the user's own `email` (mfaType 2) or `cellularPhoneNumber` (3). 409 while another second factor is active, 422 without a phone number.",
  access: 'session',
  mfaPending: true,
  body: Type.Object(
    {
      mfaType: Type.Unsafe<2 | 3>({
        type: 'integer',
        enum: [2, 3],
        title: 'Second factor',
        description: '2 e-mail, 3 SMS',
      }),
      currentPassword: password,
    },
    { $id: 'ChooseMfa', additionalProperties: false },
  ),
  status: 200,
  response: SentCode,
  problems: ['conflict', 'unprocessable'],
})
export const confirmMfa = operation({
  id: 'confirmMfa',
  name: 'confirmMfa',
  method: 'POST',
  path: '/users/current/mfa/message/confirm',
  area: 'Authentication',
  summary: 'Confirm codes by e-mail or SMS',
  description:
    "Checks the code that `chooseMfa` sent, makes that channel the user's second factor, ends the user's other sessions and returns the recovery codes.",
  access: 'session',
  mfaPending: true,
  body: Type.Object({ challenge, code }, { $id: 'ConfirmMfa', additionalProperties: false }),
  status: 200,
  response: RecoveryCodes,
  problems: ['conflict', 'unprocessable'],
  example: { body: { challenge: 'the-challenge-of-the-first-step', code: '492039' } },
})
export const sendMfaCode = operation({
  id: 'sendMfaCode',
  name: 'sendMfaCode',
  method: 'POST',
  path: '/users/current/mfa/code',
  area: 'Authentication',
  summary: 'Send a code for a change of the second factor',
  description:
    'For a user whose second factor is e-mail or SMS. 409 for an authenticator app, which needs no sent code.',
  access: 'session',
  status: 200,
  response: SentCode,
  problems: ['conflict'],
})
export const renewRecoveryCodes = operation({
  id: 'renewRecoveryCodes',
  name: 'renewRecoveryCodes',
  method: 'POST',
  path: '/users/current/mfa/recovery-codes',
  area: 'Authentication',
  summary: 'Renew the recovery codes',
  description:
    'The former codes stop working. `challenge` is that of `sendMfaCode` if the second factor is e-mail or SMS.',
  access: 'session',
  body: Type.Object(proof, { $id: 'RenewRecoveryCodes', additionalProperties: false }),
  status: 200,
  response: RecoveryCodes,
  problems: ['conflict', 'unprocessable'],
  example: { body: { currentPassword: 'a passphrase of your own', code: '492039' } },
})
export const disableMfa = operation({
  id: 'disableMfa',
  name: 'disableMfa',
  method: 'DELETE',
  path: '/users/current/mfa',
  area: 'Authentication',
  summary: 'Remove the second factor',
  description:
    'Needs a password that is long enough without a second factor. `challenge` is that of `sendMfaCode` if the second factor is e-mail or SMS.',
  access: 'session',
  body: Type.Object(proof, { $id: 'DisableMfa', additionalProperties: false }),
  status: 200,
  response: Problem,
  problems: ['conflict', 'unprocessable'],
  example: { body: { currentPassword: 'a passphrase of your own', code: '492039' } },
})
export const resetMfa = operation({
  id: 'resetMfa',
  name: 'resetMfa',
  method: 'POST',
  path: '/users/:userGuid/mfa/reset',
  area: 'Users',
  summary: "Reset a user's second factor",
  description:
    'For a user who lost it: removes the second factor and its recovery codes, and ends the user’s sessions. The user must enrol a new one at the next sign-in. 409 when there is none; 403 for a user with more rights than the caller.',
  access: ['user.write'],
  params: Type.Object({ userGuid: guid('User') }),
  status: 200,
  response: Problem,
  problems: ['conflict'],
})
