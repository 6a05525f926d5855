import { Type, type Static } from 'typebox'

/**
 * Every error of the API: its kind, status, title and remedy. The kind is the `code` member and the last part of the
 * `type` address. No other table maps errors.
 */
export const problems = {
  invalid: [
    400,
    'Request invalid',
    'A part of the request is missing, unknown, of the wrong type or out of range. The member `errors` names each one and says what would be right.',
  ],
  unauthenticated: [
    401,
    'Not signed in',
    'Send `Authorization: Bearer <token>` with a token from `POST /api/v1/auth/login`. A token that expired is renewed with `POST /api/v1/auth/refresh`.',
  ],
  'login-failed': [
    401,
    'Login failed',
    'Login or password is wrong, the user is disabled, or too many attempts failed: wait some minutes and try again. The answer is the same for each of these.',
  ],
  forbidden: [
    403,
    'Not allowed',
    'You are signed in, but your role and access groups do not include what this operation needs; `detail` names the access code. Ask an administrator.',
  ],
  'needs-approval': [
    403,
    'A second person is needed',
    'The act is above the limit of your role. Request it with `POST /approvals`, naming the act in `approval`; somebody else who may do it approves it.',
  ],
  'mfa-required': [
    403,
    'Second factor required',
    'Enrol a second factor first: `POST /users/current/mfa/totp` for an authenticator app, `POST /users/current/mfa/message` for codes by e-mail or SMS.',
  ],
  'not-found': [404, 'Not found', 'There is no such resource, or it is outside what you may see.'],
  'method-not-allowed': [
    405,
    'Method not allowed',
    'This address does not support the method; the header `Allow` lists those it supports.',
  ],
  'not-acceptable': [
    406,
    'Not acceptable',
    'The service answers in JSON: send `Accept: application/json` or omit the header.',
  ],
  conflict: [
    409,
    'Conflict',
    'The request contradicts the state of the resource or another one; `detail` says which.',
  ],
  'idempotency-in-flight': [
    409,
    'The first request is still running',
    'A request with this `Idempotency-Key` is still running. Wait a moment and send it again to get its answer.',
  ],
  'precondition-failed': [
    412,
    'The resource has changed',
    'Somebody changed the resource since you read it. Read it again, apply your change, and send the new `ETag` in `If-Match`.',
  ],
  'payload-too-large': [
    413,
    'Body too large',
    'A request body may have at most 1 MiB, or 2 MiB with a photo in it.',
  ],
  'unsupported-media-type': [
    415,
    'Unsupported media type',
    'Send the body as `Content-Type: application/json` in UTF-8, without a content encoding.',
  ],
  unprocessable: [
    422,
    'Against a rule',
    'The request is well-formed but a business rule forbids it; `detail` says which.',
  ],
  'idempotency-mismatch': [
    422,
    'Idempotency key used for another request',
    'This `Idempotency-Key` was used with another path or body in the last 24 hours. Use a new key for a new request.',
  ],
  'too-many-requests': [
    429,
    'Too many requests',
    'You exceeded your request quota. Wait as many seconds as `Retry-After` says.',
  ],
  'headers-too-large': [
    431,
    'Headers too large',
    'The request line and headers may have at most 16 kB together.',
  ],
  internal: [
    500,
    'Internal error',
    'Something went wrong on our side. Nothing was changed. Give `traceId` to your administrator.',
  ],
  overloaded: [
    503,
    'Overloaded',
    'The service is overloaded. Nothing was changed. Try again after as many seconds as `Retry-After` says.',
  ],
  'service-failed': [
    502,
    'The service failed',
    'The custom service failed, or its outside address did not answer correctly. Nothing that it wrote through Fordra was stored; `detail` says more.',
  ],
  'service-timeout': [
    504,
    'The service took too long',
    'The custom service reached its time limit. Nothing that it wrote through Fordra was stored. Call it with `async=true` if it may take longer.',
  ],
  unavailable: [
    503,
    'An outside service does not answer',
    'The request needs an outside service, which is not available. Nothing was changed. Try again after as many seconds as `Retry-After` says.',
  ],
} as const satisfies Record<string, readonly [status: number, title: string, help: string]>

export type ProblemKind = keyof typeof problems

/** Problem details (RFC 9457), for an error or for a success without business data. */
export const Problem = Type.Object(
  {
    type: Type.String({ description: 'An address that explains the problem; `about:blank` for a success.' }),
    title: Type.String(),
    status: Type.Integer(),
    detail: Type.String({ description: 'What is wrong and what to do.' }),
    instance: Type.String({ description: 'The path of the request.' }),
    code: Type.Optional(Type.String({ description: 'Stable and machine-readable.' })),
    traceId: Type.Optional(Type.String({ description: 'The request id, also in `X-Request-Id`.' })),
    errors: Type.Optional(
      Type.Record(Type.String(), Type.Array(Type.String()), {
        description: 'From a member path (`payments[0].amount`, `$filter`) to its error.',
      }),
    ),
  },
  { $id: 'Problem', additionalProperties: true },
)
export type Problem = Static<typeof Problem>
