/** The query of lists (RFC 7644 section 3.4.2), in the address or in the body of a `.search`. */
import type { FastifyRequest } from 'fastify'
import { parseFilter } from './filter-syntax.ts'
import { pageMax, type Projection, type Resource } from './resources.ts'
import { badRequest } from './scim-failure.ts'
import type { ScimQuery } from './scim-users.store.ts'

const searchSchema = 'urn:ietf:params:scim:api:messages:2.0:SearchRequest'
const defaultCount = 100

export function readScimQuery(request: FastifyRequest): ScimQuery & Projection {
  const given = (request.method === 'POST' ? readSearch(request.body) : request.query) as Record<
    string,
    unknown
  >
  const { filter } = given
  if (filter !== undefined && typeof filter !== 'string')
    throw badRequest('invalidFilter', 'filter must be given once, as a text.')
  return {
    filter: filter === undefined || filter.trim() === '' ? null : parseFilter(filter),
    // A value out of range becomes the nearest allowed one.
    startIndex: Math.max(1, readNumber(given['startIndex'], 'startIndex') ?? 1),
    count: Math.min(pageMax, Math.max(0, readNumber(given['count'], 'count') ?? defaultCount)),
    ...readProjection(given),
  }
}

function readSearch(body: unknown): object {
  const { schemas } = (body ?? {}) as { schemas?: unknown }
  if (Array.isArray(schemas) && schemas.includes(searchSchema)) return body as object
  throw badRequest('invalidSyntax', `schemas must have ${searchSchema}.`)
}

function readNumber(value: unknown, name: string): number | undefined {
  if (value === undefined) return undefined
  const number = Number(value)
  if (Number.isSafeInteger(number) && String(value).trim() !== '' && Math.abs(number) <= 1_000_000_000)
    return number
  throw badRequest('invalidValue', `${name} must be a whole number.`)
}

export const readProjection = (given: Record<string, unknown>): Projection => ({
  attributes: readNames(given['attributes']),
  excludedAttributes: readNames(given['excludedAttributes']),
})

const readNames = (value: unknown): string[] =>
  (Array.isArray(value) ? value : [value])
    .flatMap((one) => (typeof one === 'string' ? one.split(',') : []))
    .map((one) => one.trim())
    .filter(Boolean)
    .slice(0, 100)

/** Whether an attribute as a whole is left out. */
export const isLeftOut = ({ attributes, excludedAttributes }: Projection, name: string): boolean =>
  excludedAttributes.some((one) => one.toLowerCase() === name) ||
  (attributes.length > 0 && !attributes.some((one) => one.toLowerCase().split(/[.:]/).includes(name)))

/** The tags of `If-Match`, as the rules for users compare them: strong. */
export function readIfMatch(request: FastifyRequest): readonly string[] | '*' | undefined {
  const header = request.headers['if-match']
  if (header === undefined) return undefined
  return header.trim() === '*' ? '*' : header.split(',').map(plain)
}

const plain = (tag: string) => tag.trim().replace(/^W\//, '')

/** True if the caller has this version already (`If-None-Match`). */
export function isUnchanged(request: FastifyRequest, resource: Resource): boolean {
  const header = request.headers['if-none-match']
  return header !== undefined && header.split(',').map(plain).includes(plain(resource.meta.version))
}
