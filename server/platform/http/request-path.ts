import type { FastifyRequest } from 'fastify'

/** The path without the query, which may hold personal data. */
export function requestPath(request: FastifyRequest): string {
  const end = request.url.indexOf('?')
  return end < 0 ? request.url : request.url.slice(0, end)
}
