import type { JsonSchema } from './openapi-document.ts'

/** Every way in. */
export const securitySchemes: Record<string, JsonSchema> = {
  bearer: {
    type: 'http',
    scheme: 'bearer',
    description:
      'The `accessToken` of `POST /auth/login`. It is valid for minutes; `POST /auth/refresh` renews it.',
  },
  cookie: {
    type: 'apiKey',
    in: 'cookie',
    name: '__Host-fordra',
    description:
      'For web pages of the same origin: signing in with the header `X-Session: cookie` sets it. Requests other than GET and HEAD also need `X-CSRF-Token`.',
  },
  apiUser: {
    type: 'oauth2',
    description:
      'For programs: an API user exchanges its client id and secret for a token, which goes out as a bearer token.',
    flows: { clientCredentials: { tokenUrl: '/api/v1/oauth2/token', scopes: {} } },
  },
  basic: {
    type: 'http',
    scheme: 'basic',
    description:
      'The client id and secret of an API user. Only `POST /api/v1/oauth2/token`, `/odata` and `/scim/v2` take them; every other operation takes the token.',
  },
}
