import { Type, type Static } from 'typebox'
import { operation } from '../platform/operation.ts'
import { Problem } from '../platform/problem.ts'

export const Tokens = Type.Object(
  {
    accessToken: Type.String({ description: 'Send it as `Authorization: Bearer <accessToken>`.' }),
    refreshToken: Type.String({ description: 'Exchange it for new tokens at `POST /auth/refresh`.' }),
    tokenType: Type.Literal('Bearer'),
    expiresIn: Type.Integer({ description: 'Seconds until the access token expires.' }),
  },
  { $id: 'Tokens' },
)
export type Tokens = Static<typeof Tokens>

/** The answer to a sign-in with the header `X-Session: cookie`. */
export const CookieSession = Type.Object(
  {
    csrfToken: Type.String({
      description: 'Send it as `X-CSRF-Token` with every request except GET and HEAD.',
    }),
    expiresIn: Type.Integer({ description: 'The session ends after so many seconds without a request.' }),
  },
  { $id: 'CookieSession' },
)
export type CookieSession = Static<typeof CookieSession>

/** The answer to every sign-in: tokens, or a cookie session with `X-Session: cookie`. */
export const SignedIn = Type.Union([Tokens, CookieSession])
export type SignedIn = Static<typeof SignedIn>

/** The answer to a correct password of a user with a second factor. */
export const MfaRequired = Type.Object(
  {
    mfaRequired: Type.Literal(true),
    mfaType: Type.Integer({
      minimum: 1,
      maximum: 3,
      description: '1 authenticator app or passkey, 2 a code was sent by e-mail, 3 by SMS.',
    }),
    challenge: Type.String({ description: 'Send it with the code to `POST /auth/mfa` within ten minutes.' }),
    passkey: Type.Optional(
      Type.Object(
        {},
        {
          additionalProperties: true,
          description:
            'For `PublicKeyCredential.parseRequestOptionsFromJSON`, when the user has passkeys. Send the credential to `POST /auth/mfa/passkey` in place of a code.',
        },
      ),
    ),
  },
  { $id: 'MfaRequired' },
)
export type MfaRequired = Static<typeof MfaRequired>

/** The request headers of an operation that signs in. */
export const signInHeaders = {
  'X-Session':
    '`cookie` keeps the session in an HttpOnly cookie and returns a CSRF token instead of tokens. For web pages of the same origin.',
} as const

const token = Type.String({ minLength: 1, maxLength: 200 })

export const login = operation({
  id: 'login',
  name: 'login',
  method: 'POST',
  path: '/auth/login',
  area: 'Authentication',
  summary: 'Sign in',
  description:
    'The login is the e-mail or the userCode, in any letter case. A user with a second factor gets `mfaRequired` and a challenge, which `POST /auth/mfa` completes.',
  access: 'public',
  body: Type.Object(
    {
      login: Type.String({ minLength: 1, maxLength: 254 }),
      password: Type.String({ minLength: 1, maxLength: 128 }),
    },
    { $id: 'Login', additionalProperties: false },
  ),
  headers: signInHeaders,
  status: 200,
  response: Type.Union([Tokens, CookieSession, MfaRequired]),
  problems: ['login-failed'],
  example: { body: { login: 'admin@demo.example', password: 'a passphrase of your own' } },
})
export const refresh = operation({
  id: 'refresh',
  name: 'refresh',
  method: 'POST',
  path: '/auth/refresh',
  area: 'Authentication',
  summary: 'Renew tokens',
  description:
    'A refresh token works once. For a client that lost the answer it works again within 30 seconds; using it later ends its session.',
  access: 'public',
  body: Type.Object({ refreshToken: token }, { $id: 'Refresh', additionalProperties: false }),
  status: 200,
  response: Tokens,
  problems: ['unauthenticated'],
})
export const logout = operation({
  id: 'logout',
  name: 'logout',
  method: 'POST',
  path: '/auth/logout',
  area: 'Authentication',
  summary: 'Sign out',
  description: 'Ends the session of the access token, on every node within one second.',
  access: 'session',
  mfaPending: true,
  status: 200,
  response: Problem,
})
