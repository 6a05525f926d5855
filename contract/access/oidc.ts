import { Type, type Static } from 'typebox'
import { operation } from '../platform/operation.ts'

export const SignInWays = Type.Object(
  {
    password: Type.Boolean({ description: 'By `POST /auth/login`.' }),
    oidc: Type.Union([
      Type.Object({
        name: Type.String({ description: 'What to call the provider.' }),
        url: Type.String({ description: 'Where the browser goes to sign in; a path of ours.' }),
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
    'For a browser to go to: redirects to the provider, which sends it back to `/auth/oidc/callback`.',
  access: 'public',
  query: Type.Object(
    {
      returnTo: Type.Optional(
        Type.String({
          maxLength: 500,
          description: 'Where to go afterwards: a path of this origin. `/` without.',
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
  summary: 'Come back from the OpenID Connect provider',
  description:
    'Starts a session by cookie and redirects to the path given at the start. A refusal redirects to `/?error=`: `oidc-expired` (another browser, too late, or used before), `oidc-failed` (the provider refused, or its answer did not hold), ' +
    '`oidc-refused` (nobody here who may sign in with it), `oidc-mfa` (the user has a second factor here, which the provider did not ask for).',
  access: 'public',
  // RFC 6749 section 4.1.2: members that are not known are ignored.
  query: Type.Object({}, { additionalProperties: true }),
  status: 302,
  response: Type.Null(),
  problems: ['not-found', 'unavailable'],
})
