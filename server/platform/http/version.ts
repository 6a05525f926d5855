import type { FastifyRequest } from 'fastify'
import { ApiError } from './errors.ts'

/** The entity tag of a resource's version. */
export const formatETag = (version: number): string => `"${version}"`

/** The tags of `If-Match`; `*` for any version; undefined without a condition. */
export type IfMatch = readonly string[] | '*' | undefined

export function parseIfMatch(request: FastifyRequest): IfMatch {
  const header = request.headers['if-match']
  if (header === undefined) return undefined
  return header.trim() === '*' ? '*' : header.split(',').map((tag) => tag.trim())
}

/** Throws a 412 when the caller's condition does not match the current version. */
export function requireMatch(ifMatch: IfMatch, version: number): void {
  if (ifMatch === undefined || ifMatch === '*' || ifMatch.includes(formatETag(version))) return
  throw new ApiError(
    'precondition-failed',
    `The resource has changed: its ETag is now ${formatETag(version)}. Read it again, apply your change and send that ETag in If-Match.`,
    { headers: { etag: formatETag(version) } },
  )
}
