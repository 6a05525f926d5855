import type { HeaderObject, ParameterObject } from './openapi-document.ts'
import { exampleRequestId } from './openapi-example-values.data.ts'

/** Request headers of several operations, by the name of their shared parameter. */
export const requestHeaders: Record<'IfMatch' | 'IdempotencyKey' | 'RequestId' | 'DryRun', ParameterObject> =
  {
    IfMatch: {
      name: 'If-Match',
      in: 'header',
      required: false,
      description:
        'The `ETag` of the resource as you read it. If somebody has changed it since, the answer is 412 and nothing changes.',
      schema: { type: 'string' },
    },
    IdempotencyKey: {
      name: 'Idempotency-Key',
      in: 'header',
      required: false,
      description:
        'A unique value, such as a UUID. For 24 hours, a request with the same key, path and body gets the first answer again instead of creating a second resource.',
      schema: { type: 'string', pattern: '^[!-~]{1,255}$' },
    },
    DryRun: {
      name: 'dryRun',
      in: 'query',
      required: false,
      description:
        '`true` tries the change: the answer says what it would answer, write, book and send. Nothing is stored and nothing is sent. Refusals are those of the change itself.',
      schema: { type: 'boolean', enum: [true] },
    },
    RequestId: {
      name: 'X-Request-Id',
      in: 'header',
      required: false,
      description:
        'Identifies the request in logs and in the `traceId` of a problem. The service creates one when it is missing or invalid.',
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
    description: 'The path of the created resource, or the target of a redirect.',
    schema: { type: 'string', format: 'uri-reference' },
  },
  'X-Request-Id': {
    description: 'The id of the request, yours or one that the service created.',
    schema: { type: 'string', examples: [exampleRequestId] },
  },
  'RateLimit-Limit': whole('The maximum number of requests in a row.'),
  'RateLimit-Remaining': whole('The number of requests left now.'),
  'RateLimit-Reset': whole('Seconds until all of them are available again.'),
  'Idempotency-Replayed': {
    description: '`true` for the answer of an earlier request with the same `Idempotency-Key`.',
    schema: { type: 'string', const: 'true' },
  },
  'Retry-After': whole('Seconds to wait before the next try.'),
  'WWW-Authenticate': text('The authentication scheme: `Bearer` or `Basic`.'),
}
