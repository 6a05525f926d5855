import type { Static, TSchema } from 'typebox'
import type { AccessCode, UserRole } from '../access/access.ts'
import type { ProblemKind } from './problem.ts'

export interface Operation {
  /** The specification's number (D1), or our own name for an operation outside of it. */
  id: string
  /** The OpenAPI operationId and the client's method name. */
  name: string
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  /** Below `/api/v1`, with parameters as `:name`. */
  path: string
  area: 'Authentication' | 'System' | 'Users' | 'Debtors' | 'Events'
  summary: string
  description?: string
  /** The caller needs one of these access codes; `session` admits every signed-in caller, `public` everyone. */
  access: readonly AccessCode[] | 'session' | 'public'
  /** Roles admitted even without one of the access codes. */
  roles?: readonly UserRole[]
  /** Concerns the whole installation: refused to callers who are restricted to clients. */
  unrestricted?: true
  /** Also allowed while the user must still enrol a second factor; every other operation is then refused. */
  mfaPending?: true
  /** A public operation that takes the id and secret of an API user by HTTP Basic, or in its body. */
  basic?: true
  params?: TSchema
  query?: TSchema
  body?: TSchema
  /** A missing body means `{}`. */
  bodyOptional?: true
  /** The maximum size of the body, if more than 1 MiB. */
  bodyBytesMax?: number
  /** The media type of the body, if not JSON. */
  bodyType?: 'application/x-www-form-urlencoded' | 'application/octet-stream'
  /** Request headers of this operation alone: name and description. */
  headers?: Record<string, string>
  /** 202: the work is done later. 302 redirects a browser and has no body: its `response` is null. */
  status: 200 | 201 | 202 | 302
  response: TSchema
  /** The media type of the answer, if not JSON. */
  responseType?:
    'application/pdf' | 'application/xml' | 'application/octet-stream' | 'text/csv; charset=utf-8'
  /** Media types of files that the query can request by `format`. */
  formats?: readonly (
    'text/csv' | 'application/pdf' | 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet'
  )[]
  /** Can also answer 202 with the same body: the work is done later. */
  accepts?: true
  /** Can also answer `text/event-stream` if the request accepts it. */
  eventStream?: true
  /** An event of that stream, if it is not one of the event feed. */
  eventExample?: string
  /** The maximum age in seconds of an answer from a replica, if the request has no `Cache-Control`. */
  staleSeconds?: number
  /** Problems beyond those that every operation of its kind can answer. */
  problems?: readonly ProblemKind[]
  /** The answer is one resource with an `ETag`, or a change of one that honours `If-Match`. */
  versioned?: boolean
  /** The body of a file is its text. */
  example?: { params?: object; query?: object; body?: object | string; response?: object }
}

/** The maximum body size for a photo of 1 MiB in Base64. */
export const photoBodyBytesMax = 2_097_152

/** Declares an operation with its exact types, for the routes and for the client. */
export const operation = <const O extends Operation>(o: O) => o

type Resolve<O, K extends string> = O extends { [P in K]: infer S extends TSchema } ? Static<S> : undefined
export interface Call<O extends Operation> {
  params: Resolve<O, 'params'>
  query: Resolve<O, 'query'>
  body: Resolve<O, 'body'>
}
export type Reply<O extends Operation> = Static<O['response']>
