import { Type, type Static } from 'typebox'
import { operation } from '../platform/operation.ts'

export const SignInWays = Type.Object(
  {
    password: Type.Boolean({ description: 'By `POST /auth/login`.' }),
    oidc: Type.Union([
      Type.Object({
        name: Type.String({ description: 'The provider’s display name.' }),
        url: Type.String({ description: 'The path that the browser opens to sign in.' }),
      }),
      Type.Null(),
    ]),
  },
  { $id: 'SignInWays' },
)
export type SignInWays = Static<typeof SignInWays>

export const listSignInWays = operation({
  id: 'listSignInWays',
  name: 'listSignInWays',
  method: 'GET',
  path: '/auth/ways',
  area: 'Authentication',
  summary: 'List the ways to sign in',
  access: 'public',
  status: 200,
  response: SignInWays,
  example: { response: { password: true, oidc: { name: 'Entra ID', url: '/api/v1/auth/oidc/start' } } },
})
export const startOidc = operation({
  id: 'startOidc',
  name: 'startOidc',
  method: 'GET',
  path: '/auth/oidc/start',
  area: 'Authentication',
  summary: 'Sign in through the OpenID Connect provider',
  description:
    'Open it in a browser: it redirects to the provider, which redirects back to `/auth/oidc/callback`.',
  access: 'public',
  query: Type.Object(
    {
      returnTo: Type.Optional(
        Type.String({
          maxLength: 6000,
          description: 'The path of this origin to return to afterwards. Default `/`.',
        }),
      ),
    },
    { additionalProperties: false },
  ),
  status: 302,
  response: Type.Null(),
  problems: ['not-found', 'unavailable'],
})
export const finishOidc = operation({
  id: 'finishOidc',
  name: 'finishOidc',
  method: 'GET',
  path: '/auth/oidc/callback',
  area: 'Authentication',
  summary: 'Finish a sign-in through the OpenID Connect provider',
  description:
    'Starts a cookie session and redirects to the path given at the start. A refusal redirects to `/?error=`: `oidc-expired` (another browser, too late, or used before), `oidc-failed` (the provider refused, or its answer was invalid), ' +
    '`oidc-refused` (no user may sign in with it), `oidc-mfa` (the user has a second factor here, but the provider did not ask for one).',
  access: 'public',
  // RFC 6749 section 4.1.2: unknown members are ignored.
  query: Type.Object({}, { additionalProperties: true }),
  status: 302,
  response: Type.Null(),
  problems: ['not-found', 'unavailable'],
})
