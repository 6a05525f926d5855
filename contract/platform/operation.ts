import type { Static, TSchema } from 'typebox'
import type { AccessCode, UserRole } from '../access/access.ts'
import type { ProblemKind } from './problem.ts'

export interface Operation {
  /** The specification's number (D1), or a name of ours for what lies outside it. */
  id: string
  /** The OpenAPI operationId and the client's method name. */
  name: string
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  /** Below `/api/v1`, with parameters as `:name`. */
  path: string
  area: 'Authentication' | 'System' | 'Users' | 'Debtors' | 'Events'
  summary: string
  description?: string
  /** The access codes of which the caller needs one; `session` for any signed-in caller; `public` for everyone. */
  access: readonly AccessCode[] | 'session' | 'public'
  /** Roles admitted even without one of the access codes. */
  roles?: readonly UserRole[]
  /** Also for a session whose user has yet to enrol a second factor; every other operation is refused to it. */
  mfaPending?: true
  params?: TSchema
  query?: TSchema
  body?: TSchema
  /** No body at all stands for `{}`. */
  bodyOptional?: true
  /** The most that the body may have, where it is more than 1 MiB. */
  bodyBytesMax?: number
  /** Of the body, when it is not JSON. */
  bodyType?: 'application/x-www-form-urlencoded' | 'application/octet-stream'
  /** Request headers that only this operation takes: name and description. */
  headers?: Record<string, string>
  /** 302 redirects a browser and has no body: its `response` is null. */
  status: 200 | 201 | 302
  response: TSchema
  /** Of the answer, when it is not JSON: the bytes as they are. */
  responseType?: 'application/pdf' | 'application/xml' | 'text/csv; charset=utf-8'
  /** Media types of a file that it also answers with, where the query asks for one by `format`. */
  formats?: readonly ('text/csv' | 'application/pdf')[]
  /** Also answers 202 with the same body: what was asked for is done later. */
  accepts?: true
  /** Also answers `text/event-stream` to those who accept it. */
  eventStream?: true
  /** How many seconds old its answer may be, from a replica, where the request has no `Cache-Control`. */
  staleSeconds?: number
  /** Failures beyond those that every operation of its kind can give. */
  problems?: readonly ProblemKind[]
  /** The answer is one resource with an `ETag`, or a change of one that honours `If-Match`. */
  versioned?: boolean
  /** Of a file the body is its text. */
  example?: { query?: object; body?: object | string; response?: object }
}

/** The most of a body in which a photo of 1 MiB travels. */
export const photoBodyBytesMax = 2_097_152

/** Declares an operation and keeps its exact types, for the routes and for the client. */
export const operation = <const O extends Operation>(o: O) => o

type Of<O, K extends string> = O extends { [P in K]: infer S extends TSchema } ? Static<S> : undefined
export interface Call<O extends Operation> {
  params: Of<O, 'params'>
  query: Of<O, 'query'>
  body: Of<O, 'body'>
}
export type Reply<O extends Operation> = Static<O['response']>
