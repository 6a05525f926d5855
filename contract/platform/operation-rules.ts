import type { Operation } from './operation.ts'
import { problems, type ProblemKind } from './problem.ts'

/**
 * Whether a POST changes data and so takes an `Idempotency-Key`. Signing in is left out, because a replayed answer
 * would have to store tokens; so is a POST that only reads, which its access codes tell, and a file that comes as a stream,
 * which is one without a limit of its own.
 */
export function takesIdempotencyKey({ method, area, access, bodyType, bodyBytesMax }: Operation): boolean {
  if (method !== 'POST' || area === 'Authentication' || access === 'public') return false
  if (bodyType === 'application/octet-stream' && bodyBytesMax === undefined) return false
  return access === 'session' || access.some((code) => !code.endsWith('.read'))
}

/** Whether a change honours `If-Match`. */
export const takesIfMatch = ({ method, versioned }: Operation): boolean =>
  versioned === true && ['PATCH', 'PUT', 'DELETE'].includes(method)

/** Whether the answer carries the `ETag` of one resource. A deleted resource has none. */
export const givesETag = ({ method, versioned }: Operation): boolean =>
  versioned === true && method !== 'DELETE'

/**
 * Every problem the operation can answer, in the order of the table. `method-not-allowed` isn't among them: it is
 * the answer to a method that the address does not take, so it belongs to no operation.
 */
export function problemKindsOf(operation: Operation): ProblemKind[] {
  const kinds = new Set<ProblemKind>(operation.problems)
  const add = (applies: boolean, ...more: ProblemKind[]) => {
    if (applies) for (const kind of more) kinds.add(kind)
  }
  const idempotent = takesIdempotencyKey(operation)
  const hasBody = operation.body !== undefined
  add(true, 'invalid', 'not-acceptable', 'too-many-requests', 'headers-too-large', 'internal', 'overloaded')
  add(operation.access !== 'public', 'unauthenticated', 'forbidden')
  add(operation.access !== 'public' && operation.mfaPending !== true, 'mfa-required')
  add(operation.params !== undefined, 'not-found')
  add(takesIfMatch(operation), 'precondition-failed')
  add(hasBody, 'payload-too-large', 'unsupported-media-type')
  add(hasBody && operation.area !== 'Authentication', 'unprocessable')
  add(idempotent, 'idempotency-in-flight', 'idempotency-mismatch')
  return Object.keys(problems).filter((kind): kind is ProblemKind => kinds.has(kind as ProblemKind))
}
