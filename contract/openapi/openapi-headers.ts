import type { HeaderObject, ParameterObject } from './openapi-document.ts'
import { exampleRequestId } from './openapi-examples.ts'

/** The request headers that several operations take, by the name of their shared parameter. */
export const requestHeaders: Record<'IfMatch' | 'IdempotencyKey' | 'RequestId', ParameterObject> = {
  IfMatch: {
    name: 'If-Match',
    in: 'header',
    required: false,
    description:
      'The `ETag` of the resource as you read it. When somebody has changed it since, the answer is 412 and nothing is changed.',
    schema: { type: 'string' },
  },
  IdempotencyKey: {
    name: 'Idempotency-Key',
    in: 'header',
    required: false,
    description:
      'A value of your own, such as a UUID. For 24 hours the same key with the same path and body gives the first answer again instead of a second resource.',
    schema: { type: 'string', pattern: '^[!-~]{1,255}$' },
  },
  RequestId: {
    name: 'X-Request-Id',
    in: 'header',
    required: false,
    description:
      'Names the request in logs and in the `traceId` of a problem. Made by the service when you send none, or one that it cannot take.',
    schema: { type: 'string', pattern: String.raw`^[\w.:\-]{1,128}$` },
  },
}

const whole = (description: string): HeaderObject => ({
  description,
  schema: { type: 'integer', minimum: 0 },
})
const text = (description: string): HeaderObject => ({ description, schema: { type: 'string' } })

/** The response headers, by name. */
export const responseHeaders: Record<string, HeaderObject> = {
  ETag: text('The version of the resource. Send it back in `If-Match`.'),
  Location: {
    description: 'The path of the created resource, or where a redirect leads.',
    schema: { type: 'string', format: 'uri-reference' },
  },
  'X-Request-Id': {
    description: 'The id of the request, yours or one we made.',
    schema: { type: 'string', examples: [exampleRequestId] },
  },
  'RateLimit-Limit': whole('Requests that may follow each other at once.'),
  'RateLimit-Remaining': whole('Requests left of them now.'),
  'RateLimit-Reset': whole('Seconds until all of them are available again.'),
  'Idempotency-Replayed': {
    description: '`true` when the answer is that of an earlier request with the same `Idempotency-Key`.',
    schema: { type: 'string', const: 'true' },
  },
  'Retry-After': whole('Seconds to wait before the next try.'),
  'WWW-Authenticate': text('`Bearer` or `Basic`: how to sign in.'),
}
