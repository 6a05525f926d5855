/** Assistants that people connect: the authorization code grant of OAuth 2.1 for the address `/mcp`. */
import { Type, type Static } from 'typebox'
import { guid } from '../metadata/fields.ts'
import { operation } from '../platform/operation.ts'
import { Problem } from '../platform/problem.ts'

const maybe = (maxLength: number, description: string) =>
  Type.Optional(Type.String({ maxLength, description }))
const texts = (description: string) =>
  Type.Optional(Type.Array(Type.String({ maxLength: 500 }), { maxItems: 10, description }))
const exampleClient = '0198f2c4-7c1e-7a3b-9d52-3f60c1a2b4e9'

/** RFC 7591 section 2 defines the member names. */
export const AssistantRegistration = Type.Object(
  {
    client_name: maybe(200, 'The name that users see. At most 80 characters of it are kept.'),
    redirect_uris: Type.Array(Type.String({ minLength: 1, maxLength: 500 }), {
      minItems: 1,
      maxItems: 10,
      description:
        'Where the browser returns to: `https` addresses, or `http` on the own computer (127.0.0.1, [::1], localhost).',
    }),
    grant_types: texts('Ignored: `authorization_code` and `refresh_token`.'),
    response_types: texts('Ignored: `code`.'),
    token_endpoint_auth_method: maybe(100, 'Ignored: `none`. Programs prove themselves by PKCE.'),
    scope: maybe(2000, 'Ignored: the user chooses.'),
  },
  // RFC 7591 section 2: unknown members are ignored.
  { $id: 'AssistantRegistration', additionalProperties: true },
)

export const RegisteredAssistant = Type.Object(
  {
    client_id: Type.String({ format: 'uuid' }),
    client_id_issued_at: Type.Integer({ description: 'Seconds since 1970.' }),
    client_name: Type.String(),
    redirect_uris: Type.Array(Type.String()),
    grant_types: Type.Array(Type.String()),
    response_types: Type.Array(Type.String()),
    token_endpoint_auth_method: Type.Literal('none'),
  },
  { $id: 'RegisteredAssistant' },
)
export type RegisteredAssistant = Static<typeof RegisteredAssistant>

export const registerAssistant = operation({
  id: 'registerAssistant',
  name: 'registerAssistant',
  method: 'POST',
  path: '/oauth2/register',
  area: 'Authentication',
  summary: 'Register a program that acts as an assistant',
  description:
    'Dynamic client registration (RFC 7591). It gives no right: a signed-in user must allow each connection. A registration that nobody used is forgotten after a day. ' +
    'Errors are problem details with the additional members `error` and `error_description`.',
  access: 'public',
  body: AssistantRegistration,
  status: 201,
  response: RegisteredAssistant,
  problems: ['not-found'],
  example: {
    body: { client_name: 'Desk assistant', redirect_uris: ['http://127.0.0.1/callback'] },
    response: {
      client_id: exampleClient,
      client_id_issued_at: 1_795_000_000,
      client_name: 'Desk assistant',
      redirect_uris: ['http://127.0.0.1/callback'],
      grant_types: ['authorization_code', 'refresh_token'],
      response_types: ['code'],
      token_endpoint_auth_method: 'none',
    },
  },
})

/** RFC 6749 section 4.1.1, RFC 7636 section 4.3 and RFC 8707 define the member names. */
const requestMembers = {
  response_type: maybe(100, '`code`'),
  client_id: maybe(
    500,
    'The `client_id` of the registration, or the https address of a client ID metadata document, whose host the installation must list.',
  ),
  redirect_uri: maybe(500, 'One of the registered addresses. On the own computer its port may differ.'),
  code_challenge: maybe(200, 'The SHA-256 of the verifier in base64url.'),
  code_challenge_method: maybe(20, '`S256`'),
  resource: maybe(2000, 'The address for assistants, `…/mcp`.'),
  scope: maybe(2000, 'Access codes that are enough for the program, separated by spaces.'),
  state: maybe(2000, 'Returned as it is.'),
}
const exampleRequest = {
  response_type: 'code',
  client_id: exampleClient,
  redirect_uri: 'http://127.0.0.1:49152/callback',
  code_challenge: 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM',
  code_challenge_method: 'S256',
}

export const AssistantRequest = Type.Object(
  {
    name: Type.String({ description: 'What the program calls itself. Nobody has checked it.' }),
    publishedAt: Type.Union([Type.String(), Type.Null()], {
      description:
        'The host of the client ID metadata document, which the installation lists; null for a program that registered itself.',
    }),
    returnsTo: Type.String({ description: 'The host that the browser returns to.' }),
    isLocal: Type.Boolean({ description: 'That host is the computer of the browser.' }),
    mayWrite: Type.Boolean({ description: 'The installation lets assistants change data.' }),
  },
  { $id: 'AssistantRequest' },
)
export type AssistantRequest = Static<typeof AssistantRequest>

export const getAssistantRequest = operation({
  id: 'getAssistantRequest',
  name: 'getAssistantRequest',
  method: 'GET',
  path: '/oauth2/authorization',
  area: 'Authentication',
  summary: 'Get what an assistant asks for',
  description:
    'Checks an authorization request (RFC 6749 section 4.1.1 with PKCE) for the page on which the user decides.',
  access: 'session',
  query: Type.Object(requestMembers, { additionalProperties: false }),
  status: 200,
  response: AssistantRequest,
  problems: ['not-found', 'unprocessable'],
  example: {
    query: exampleRequest,
    response: {
      name: 'Desk assistant',
      publishedAt: null,
      returnsTo: '127.0.0.1:49152',
      isLocal: true,
      mayWrite: false,
    },
  },
})

export const answerAssistantRequest = operation({
  id: 'answerAssistantRequest',
  name: 'answerAssistantRequest',
  method: 'POST',
  path: '/oauth2/authorization',
  area: 'Authentication',
  summary: 'Allow or refuse an assistant',
  description:
    'For the page of the console alone: it needs a cookie session and its CSRF token. Allowing gives a code that is valid for a minute, once.',
  access: 'session',
  body: Type.Object(
    {
      ...requestMembers,
      allow: Type.Boolean(),
      access: Type.Unsafe<'read' | 'write'>({
        type: 'string',
        enum: ['read', 'write'],
        description: '`read`: only tools that read. `write`: also those that change data.',
      }),
    },
    { $id: 'AssistantDecision', additionalProperties: false },
  ),
  status: 200,
  response: Type.Object(
    { redirectTo: Type.String({ description: 'Where the browser goes now.' }) },
    { $id: 'AssistantAnswer' },
  ),
  problems: ['not-found', 'conflict', 'unprocessable'],
  example: {
    body: { ...exampleRequest, allow: true, access: 'read' },
    response: { redirectTo: 'http://127.0.0.1:49152/callback?code=a-text-of-43-characters' },
  },
})

export const ConnectedAssistant = Type.Object(
  {
    sessionGuid: Type.String({ format: 'uuid', title: 'Session' }),
    name: Type.String({ title: 'Assistant' }),
    publishedAt: Type.Union([Type.String(), Type.Null()], {
      description: 'The host of its client ID metadata document; null for one that registered itself.',
    }),
    access: Type.Unsafe<'read' | 'write'>({ type: 'string', enum: ['read', 'write'] }),
    connectedAt: Type.String({ format: 'date-time' }),
    endsAt: Type.String({ format: 'date-time' }),
  },
  { $id: 'ConnectedAssistant' },
)
export type ConnectedAssistant = Static<typeof ConnectedAssistant>

export const listConnectedAssistants = operation({
  id: 'listConnectedAssistants',
  name: 'listConnectedAssistants',
  method: 'GET',
  path: '/users/current/assistants',
  area: 'Users',
  summary: "List the current user's connected assistants",
  description: 'Newest first. A user has at most 50.',
  access: 'session',
  status: 200,
  response: Type.Object({ value: Type.Array(ConnectedAssistant) }, { $id: 'ConnectedAssistants' }),
})

export const disconnectAssistant = operation({
  id: 'disconnectAssistant',
  name: 'disconnectAssistant',
  method: 'DELETE',
  path: '/users/current/assistants/:sessionGuid',
  area: 'Users',
  summary: "Disconnect one of the current user's assistants",
  description: 'Takes effect on every node within one second.',
  access: 'session',
  params: Type.Object({ sessionGuid: guid('Session') }),
  status: 200,
  response: Problem,
})
