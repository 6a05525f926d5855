import { Type, type Static } from 'typebox'
import { guid, outputSchema } from '../metadata/fields.ts'
import { operation } from '../platform/operation.ts'
import { page, pageQuery } from '../platform/page.ts'
import { Problem } from '../platform/problem.ts'

const always = (title: string) => Type.String({ format: 'date-time', title, 'x-field': { readOnly: true } })

const fields = {
  sessionGuid: guid('Session', { readOnly: true }),
  createdAt: always('Signed in'),
  endsAt: always('Ends unless it is used'),
  how: Type.Unsafe<'password' | 'mfa' | 'oauth2' | 'oidc'>({
    type: 'string',
    enum: ['password', 'mfa', 'oauth2', 'oidc'],
    title: 'Signed in by',
    description:
      'password; mfa: password and a second factor; oauth2: client id and secret; oidc: an outside provider',
    'x-field': {},
  }),
  carriedBy: Type.Unsafe<'token' | 'cookie'>({
    type: 'string',
    enum: ['token', 'cookie'],
    title: 'Carried by',
    'x-field': {},
  }),
  address: Type.Unsafe<string | null>({
    type: ['string', 'null'],
    maxLength: 50,
    title: 'Network address at sign-in',
    'x-field': { personalData: 'contact' },
  }),
  userAgent: Type.Unsafe<string | null>({
    type: ['string', 'null'],
    maxLength: 200,
    title: 'Program',
    description: 'The header `User-Agent` at sign-in, at most 200 characters.',
    'x-field': {},
  }),
  current: Type.Boolean({ title: 'The session of this request', 'x-field': { unfilterable: true } }),
}

export const OwnSession = outputSchema(
  fields,
  ['sessionGuid', 'createdAt', 'endsAt', 'how', 'carriedBy', 'address', 'userAgent', 'current'],
  { $id: 'OwnSession' },
)
export type OwnSession = Static<typeof OwnSession>

export const CurrentSession = Type.Object(
  {
    sessionGuid: Type.String({ format: 'uuid', title: 'Session' }),
    carriedBy: fields.carriedBy,
    csrfToken: Type.Union([Type.String(), Type.Null()], {
      description:
        'Only for cookie sessions: send it as `X-CSRF-Token` with every request except GET and HEAD.',
    }),
  },
  { $id: 'CurrentSession' },
)
export type CurrentSession = Static<typeof CurrentSession>

export const getSession = operation({
  id: 'getSession',
  name: 'getSession',
  method: 'GET',
  path: '/auth/session',
  area: 'Authentication',
  summary: 'Get the session of this request',
  description: 'Gives a web page its CSRF token again, after a reload or a sign-in through a provider.',
  access: 'session',
  mfaPending: true,
  status: 200,
  response: CurrentSession,
})
export const listSessions = operation({
  id: 'listSessions',
  name: 'listSessions',
  method: 'GET',
  path: '/users/current/sessions',
  area: 'Users',
  summary: "List the current user's sessions",
  description: 'Live sessions, newest first unless `$orderby` is given.',
  access: 'session',
  query: pageQuery,
  status: 200,
  response: page(OwnSession),
})
export const revokeSession = operation({
  id: 'revokeSession',
  name: 'revokeSession',
  method: 'DELETE',
  path: '/users/current/sessions/:sessionGuid',
  area: 'Users',
  summary: "End one of the current user's sessions",
  description: 'Takes effect on every node within one second. It may be the session of this request.',
  access: 'session',
  params: Type.Object({ sessionGuid: guid('Session') }),
  status: 200,
  response: Problem,
})
export const revokeOtherSessions = operation({
  id: 'revokeOtherSessions',
  name: 'revokeOtherSessions',
  method: 'DELETE',
  path: '/users/current/sessions',
  area: 'Users',
  summary: "End the current user's other sessions",
  description: 'Ends all except the session of this request, on every node within one second.',
  access: 'session',
  status: 200,
  response: Problem,
})
