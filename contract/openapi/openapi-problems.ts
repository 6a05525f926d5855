import type { Operation } from '../platform/operation.ts'
import { listProblemKinds } from '../platform/operation-rules.ts'
import type { NamedExample, Reference, ResponseObject } from './openapi-document.ts'
import { exampleRequestId } from './openapi-example-values.data.ts'
import { problems, type ProblemKind } from '../platform/problem.ts'

/** Example details for problem kinds. */
const details: Record<ProblemKind, string> = {
  invalid: 'countryCode is `SWE`; it must be two letters (ISO 3166-1), such as `SE`.',
  unauthenticated: 'The access token has expired. Renew it with POST /api/v1/auth/refresh.',
  'login-failed': 'Login or password is wrong.',
  forbidden: 'This needs the access code debtor.write, which your role and access groups do not include.',
  'needs-approval':
    'SEK 4,000.00 is above SEK 1,000.00, the limit of your role. Request it, and somebody else approves it.',
  'mfa-required': 'Enrol a second factor first: POST /api/v1/users/current/mfa/totp.',
  'not-found': 'There is no such debtor, or it is outside what you may see.',
  'method-not-allowed': 'PUT is not supported here; GET and PATCH are.',
  'not-acceptable': 'The header Accept asks for text/csv; the service answers in application/json.',
  conflict: 'Another debtor has this identity number; send X-Allow-Duplicate: true to create a second one.',
  'idempotency-in-flight': 'A request with this Idempotency-Key is still running. Send it again in a moment.',
  'precondition-failed':
    'If-Match is not the current ETag. Read the resource again and apply your change to it.',
  'payload-too-large': 'The body has more than 1 MiB. Send less at a time.',
  'unsupported-media-type': 'The body is text/plain; it must be application/json.',
  unprocessable: 'A business rule forbids the change, although the request is well-formed.',
  'idempotency-mismatch': 'This Idempotency-Key was used with another body. Use a new key for a new request.',
  'too-many-requests': 'You exceeded your request quota. Wait 2 seconds.',
  'headers-too-large': 'The request line and headers have more than 16 kB together. Send shorter ones.',
  internal: 'Something went wrong on our side. Nothing was changed. Give traceId to your administrator.',
  overloaded: 'The service is overloaded. Nothing was changed. Try again in 2 seconds.',
  'service-failed': 'The service address-check ended with a failure: the register does not answer.',
  'service-timeout': 'The service address-check was ended after 10 s.',
  unavailable: 'The sign-in provider is not available. Try again in 10 seconds, or sign in by password.',
}
const extraMembers: Partial<Record<ProblemKind, object>> = {
  'needs-approval': { approval: { act: 'WRITE_OFF' } },
  invalid: { errors: { countryCode: ['is `SWE`; it must be two letters (ISO 3166-1), such as `SE`'] } },
}

/** An example problem as sent. `origin` comes before the path of the problem's page. */
export function exampleProblem(kind: ProblemKind, origin = ''): object {
  const [status, title] = problems[kind]
  return {
    type: `${origin}/problems/${kind}`,
    title,
    status,
    detail: details[kind],
    instance: '/api/v1/debtors',
    code: kind,
    traceId: exampleRequestId,
    ...extraMembers[kind],
  }
}

/** Collects the problem answers of a document: one shared response per status and set of kinds. */
export class ProblemCollection {
  readonly responses: Record<string, ResponseObject> = {}
  readonly #origin: string

  constructor(origin: string) {
    this.#origin = origin
  }

  /** The problem answers of the operation, by status. */
  include(operation: Operation): Record<string, Reference> {
    const byStatus = Map.groupBy(listProblemKinds(operation), (kind) => problems[kind][0])
    return Object.fromEntries(
      [...byStatus].map(([status, kinds]) => {
        const name = kinds.map(pascalCase).join('Or')
        this.responses[name] ??= this.#response(kinds)
        return [String(status), { $ref: `#/components/responses/${name}` }]
      }),
    )
  }

  #response(kinds: readonly ProblemKind[]): ResponseObject {
    const status = problems[kinds[0]!][0]
    const examples: Record<string, NamedExample> = Object.fromEntries(
      kinds.map((kind) => [kind, { summary: problems[kind][1], value: exampleProblem(kind, this.#origin) }]),
    )
    return {
      description: kinds
        .map((kind) => {
          const [, title, help] = problems[kind]
          return `**${title}** (\`${kind}\`). ${help}`
        })
        .join('\n\n'),
      headers: Object.fromEntries(
        problemHeaders(status, kinds).map((name) => [name, { $ref: `#/components/headers/${name}` }]),
      ),
      content: {
        'application/problem+json': { schema: { $ref: '#/components/schemas/Problem' }, examples },
      },
    }
  }
}

const pascalCase = (kind: string) =>
  kind.replaceAll(/(?:^|-)([a-z])/g, (_, letter: string) => letter.toUpperCase())

/** Errors that occur before a request counts against the caller's quota. */
const beforeQuota = new Set([401, 406, 431, 500, 503])
const quotaHeaders = ['RateLimit-Limit', 'RateLimit-Remaining', 'RateLimit-Reset']

function problemHeaders(status: number, kinds: readonly ProblemKind[]): string[] {
  const names = ['X-Request-Id']
  if (!beforeQuota.has(status)) names.push(...quotaHeaders)
  if (status === 401) names.push('WWW-Authenticate')
  if (status === 412) names.push('ETag')
  if (status === 429 || status === 503 || kinds.includes('idempotency-in-flight')) names.push('Retry-After')
  return names
}
