import type { Operation } from './operation.ts'
import { problems, type ProblemKind } from './problem.ts'

/**
 * True if a POST changes data and so accepts an `Idempotency-Key`. Sign-ins are excluded, because a replayed answer
 * would have to store tokens. So are POSTs that only read, known by their access codes, and files that are streamed
 * without a size limit of their own.
 */
export function takesIdempotencyKey({ method, area, access, bodyType, bodyBytesMax }: Operation): boolean {
  if (method !== 'POST' || area === 'Authentication' || access === 'public') return false
  if (bodyType === 'application/octet-stream' && bodyBytesMax === undefined) return false
  return access === 'session' || access.some((code) => !code.endsWith('.read'))
}

/** Writes with an effect that a rolled-back transaction does not undo, and why. */
export const withoutDryRun: Readonly<Record<string, string>> = {
  setSystemDate: 'it changes the date of the whole service in transactions of its own',
  setLogLevel: 'it changes the running service',
  runCommand: 'a command runs as a job',
  cancelJob: 'it acts on a running job',
  retryJob: 'it starts a job',
  startBulkAction: 'it runs as a job',
  stopBulkAction: 'it acts on a running job',
  undoBulkAction: 'it runs as a job',
  pingWebhook: 'it sends to a webhook',
  replayWebhook: 'it sends to a webhook',
  eraseDebtor: 'it also records the erasure outside of the database',
  createClientSecret: 'it makes a secret',
  endClientSecret: 'it ends sessions on every node',
  revokeSession: 'it ends sessions on every node',
  revokeOtherSessions: 'it ends sessions on every node',
  disconnectAssistant: 'it ends sessions on every node',
  // A rolled-back try of a password or code would not be counted.
  updateCurrentUser: 'it may change the password, whose tries are counted',
  confirmEmail: 'it uses a code, whose tries are counted',
  sendEmailCode: 'it sends a code',
}

/** Why a write has no dry run; undefined when it has one. */
export function findDryRunObstacle(operation: Operation): string | undefined {
  const { area, access, bodyType, accepts, name } = operation
  if (area === 'Authentication' || access === 'public') return 'it concerns the sign-in'
  if (bodyType !== undefined) return 'it takes a file'
  if (accepts) return 'a custom service runs beside the request'
  return withoutDryRun[name]
}

/** True if a write takes `dryRun=true`. */
export const takesDryRun = (operation: Operation): boolean =>
  operation.method !== 'GET' && findDryRunObstacle(operation) === undefined

/** True if a change honours `If-Match`. */
export const takesIfMatch = ({ method, versioned }: Operation): boolean =>
  versioned === true && ['PATCH', 'PUT', 'DELETE'].includes(method)

/** True if the answer has the `ETag` of one resource. A deleted resource has none. */
export const givesETag = ({ method, versioned }: Operation): boolean =>
  versioned === true && method !== 'DELETE'

/**
 * Every problem of the operation, in the order of the table. `method-not-allowed` is missing because it answers a
 * method that no operation of the address has.
 */
export function listProblemKinds(operation: Operation): ProblemKind[] {
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
