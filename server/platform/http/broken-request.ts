import { randomUUID } from 'node:crypto'
import type { Socket } from 'node:net'
import { problems, type ProblemKind } from '../../../contract/platform/problem.ts'
import { ApiError, toProblem } from './errors.ts'
import { securityHeadersForAny } from './security-headers.ts'

const failures: Record<string, [kind: ProblemKind, detail: string]> = {
  HPE_HEADER_OVERFLOW: [
    'headers-too-large',
    'The request line and headers are larger than 16 kB together. Send less; a long $filter can be shortened.',
  ],
  TOO_MANY_CONNECTIONS: [
    'too-many-requests',
    'Your address has too many connections open. Close some, or wait a moment. Behind a proxy, FORDRA_TRUST_PROXY must be set.',
  ],
  ERR_HTTP_REQUEST_TIMEOUT: ['invalid', 'The HTTP/1.1 request was not complete in time. Send it faster.'],
}
const malformed: [kind: ProblemKind, detail: string] = [
  'invalid',
  'This is not a well-formed HTTP/1.1 request.',
]

/** Answers a request that the parser could not read, which has neither route nor hooks. */
export function answerBrokenRequest(error: NodeJS.ErrnoException, socket: Socket): void {
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy()
    return
  }
  const [kind, detail] = failures[error.code ?? ''] ?? malformed
  const id = randomUUID()
  const [status, title] = problems[kind]
  const body = JSON.stringify(toProblem(new ApiError(kind, detail), { path: '', id }))
  const headers = {
    ...securityHeadersForAny,
    'content-type': 'application/problem+json; charset=utf-8',
    'content-length': Buffer.byteLength(body),
    'x-request-id': id,
    connection: 'close',
    ...(kind === 'too-many-requests' && { 'retry-after': '5' }),
  }
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`)
  socket.end(`HTTP/1.1 ${status} ${title}\r\n${lines.join('')}\r\n${body}`)
}
