/** Builds the request of an operation: pure, so that it can be tested without a network. */
import { operationTable } from './operation-table.ts'

export interface Shape {
  method: string
  path: string
  isForm: boolean
  /** The body is the bytes of a file. */
  isFile: boolean
  /** Accepts an `Idempotency-Key`. */
  isKeyed: boolean
  /** Needs no session. */
  isPublic: boolean
}

/** Parses a line of the table: method, path, and `form`, `file`, `keyed` or `public`. */
export function readShape(name: string): Shape {
  const [method = '', path = '', ...marks] = (operationTable as Record<string, string>)[name]!.split(' ')
  return {
    method,
    path,
    isForm: marks.includes('form'),
    isFile: marks.includes('file'),
    isKeyed: marks.includes('keyed'),
    isPublic: marks.includes('public'),
  }
}

export const basePath = '/api/v1'

/** The URL of an operation: path parameters go into the path, `body` is excluded, and the rest is the query. */
export function buildUrl(baseUrl: string, { path }: Shape, input: Record<string, unknown> = {}): string {
  const { body: _body, ...rest } = input
  const filled = path.replace(/:(\w+)/g, (_, name: string) => {
    const value = rest[name]
    delete rest[name]
    if (value === undefined || value === null || value === '')
      throw new TypeError(`${name} is missing: it is a part of the address ${path}.`)
    // They would shorten the path and so call another operation.
    if (value === '.' || value === '..')
      throw new TypeError(`${name} must not be '${value}': it is a part of the address ${path}.`)
    return encodeURIComponent(String(value))
  })
  const query = new URLSearchParams()
  for (const [name, value] of Object.entries(rest)) {
    if (value !== undefined && value !== null) query.set(name, String(value))
  }
  const text = query.size > 0 ? `?${query.toString()}` : ''
  return baseUrl.replace(/\/$/, '') + basePath + filled + text
}

export function buildBody(
  { isForm, isFile }: Shape,
  body: unknown,
): { type: string; content: string | Blob } | undefined {
  if (body === undefined) return undefined
  if (isFile) return { type: 'application/octet-stream', content: toBlob(body as Blob | Uint8Array) }
  if (!isForm) return { type: 'application/json', content: JSON.stringify(body) }
  const given = Object.entries(body as Record<string, unknown>).filter(([, value]) => value !== undefined)
  const content = new URLSearchParams(
    given.map(([name, value]): [string, string] => [name, String(value)]),
  ).toString()
  return { type: 'application/x-www-form-urlencoded', content }
}

const toBlob = (body: Blob | Uint8Array) =>
  body instanceof Blob ? body : new Blob([body as Uint8Array<ArrayBuffer>])

/** A UUID of version 4. `crypto.randomUUID` is missing in pages served by plain HTTP from another host. */
export function makeKey(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16))
  bytes[6] = (bytes[6]! & 0x0f) | 0x40
  bytes[8] = (bytes[8]! & 0x3f) | 0x80
  const hex = [...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join('')
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')
}
