import { Type, type Static } from 'typebox'
import { allAccessCodes } from './access.ts'
import { operation } from '../platform/operation.ts'

/** RFC 6749 section 5.1 defines the member names. */
export const ClientToken = Type.Object(
  {
    access_token: Type.String({ description: 'Send it as `Authorization: Bearer <access_token>`.' }),
    token_type: Type.Literal('Bearer'),
    expires_in: Type.Integer({ description: 'Seconds until the token expires. Request a new one then.' }),
    scope: Type.String({ description: 'The access codes of the token, separated by spaces.' }),
    refresh_token: Type.Optional(
      Type.String({ description: 'Only for a connected assistant: gets the next tokens, once.' }),
    ),
  },
  { $id: 'ClientToken' },
)
export type ClientToken = Static<typeof ClientToken>

const credential = (description: string) => Type.Optional(Type.String({ maxLength: 200, description }))
const ofCode = (maxLength: number, description: string) =>
  Type.Optional(Type.String({ maxLength, description: `For \`authorization_code\`: ${description}` }))

export const TokenRequest = Type.Object(
  {
    grant_type: Type.String({
      maxLength: 200,
      description: '`client_credentials`, or for assistants `authorization_code` and `refresh_token`.',
    }),
    scope: Type.Optional(
      Type.String({
        maxLength: 2000,
        description:
          'Access codes, separated by spaces, to narrow the token to. Default: all that the user has.',
      }),
    ),
    resource: Type.Optional(
      Type.String({
        maxLength: 2000,
        description:
          'The address that the token shall open (RFC 8707): `/api/v1`, or `/mcp` for assistants, with the origin of the service. A token opens no other. Default: the API.',
      }),
    ),
    client_id: Type.Optional(
      Type.String({
        maxLength: 500,
        description:
          'The clientId (GUID), unless sent by HTTP Basic. For an assistant what it sent as `client_id` before.',
      }),
    ),
    client_secret: credential('The clientSecret, unless sent by HTTP Basic.'),
    code: ofCode(200, 'the code.'),
    redirect_uri: ofCode(500, 'the address that the code was sent to.'),
    code_verifier: ofCode(200, 'the verifier of PKCE (RFC 7636).'),
    refresh_token: Type.Optional(
      Type.String({ maxLength: 200, description: 'For `refresh_token`: the newest refresh token.' }),
    ),
  },
  // RFC 6749 section 3.2: unknown members are ignored.
  { $id: 'TokenRequest', additionalProperties: true },
)

export const requestToken = operation({
  id: 'requestToken',
  name: 'requestToken',
  method: 'POST',
  path: '/oauth2/token',
  area: 'Authentication',
  summary: 'Get an access token for an API user',
  description:
    'The client credentials grant of OAuth 2.0 (RFC 6749 section 4.4). Send client id and secret by HTTP Basic or in the form, not both. There is no refresh token. ' +
    'A connected assistant sends its `client_id` alone: the authorization code grant with PKCE, and refresh tokens, each of which works once. ' +
    'Errors are problem details with the additional members `error` and `error_description` of RFC 6749. With `Accept: application/json` they have that media type.',
  access: 'public',
  basic: true,
  body: TokenRequest,
  bodyType: 'application/x-www-form-urlencoded',
  status: 200,
  response: ClientToken,
  problems: ['login-failed'],
  example: {
    body: { grant_type: 'client_credentials', scope: 'debtor.read case.read' },
    response: {
      access_token: 'an opaque text of 43 characters',
      token_type: 'Bearer',
      expires_in: 3600,
      scope: `${allAccessCodes[9]} ${allAccessCodes[12]}`,
    },
  },
})
