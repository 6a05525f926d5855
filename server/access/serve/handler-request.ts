/** A handler's request and answer. */
import type { Readable } from 'node:stream'
import type { FastifyRequest } from 'fastify'
import type { Call, Operation } from '../../../contract/platform/operation.ts'
import type { Db } from '../../platform/database/transaction.ts'
import type { Caller, Origin } from '../../platform/http/caller.ts'
import type { IfMatch } from '../../platform/http/version.ts'

/** The checked input. A file is bytes if the operation limits its size, otherwise a stream. */
export interface CheckedRequest<O extends Operation> {
  params: Call<O>['params']
  query: Call<O>['query']
  body: O extends { bodyType: 'application/octet-stream' }
    ? O extends { bodyBytesMax: number }
      ? Buffer
      : Readable
    : Call<O>['body']
}

/** A request's parts as received. */
export interface RawRequest {
  params: unknown
  query: unknown
  body: unknown
}

/** A checked request, as a handler gets it. */
export type HandlerRequest<O extends Operation> = CheckedRequest<O> & {
  /** The pool, or the transaction of an idempotent request. */
  db: Db
  caller: Caller
  origin: Origin
  ifMatch: IfMatch
  /** The request's path, for problem details. */
  path: string
  headers: FastifyRequest['headers']
  /** The caller's network address. */
  address: string
  /** Called when the answer is sent or the client has disconnected; never for internal calls. */
  onClose: (then: () => void) => void
  /** `https` when the request came by HTTPS, directly or to a trusted proxy. */
  protocol: string
}

export interface Answer<T> {
  body: T
  /** Members of the body that are shown once. They are emptied in the answer stored for `Idempotency-Key`. */
  secrets?: readonly string[]
  /** The version of the resource: its entity tag. */
  version?: number
  /** The path of a new resource, below the base path. */
  location?: string
  /** Complete `Set-Cookie` headers. An answer with cookies is never stored for `Idempotency-Key`. */
  cookies?: readonly string[]
  /** Answers 202: the work is done later. */
  accepted?: true
  /** Sent as `text/event-stream` instead of the body. */
  stream?: AsyncIterable<string>
  /** A download sent instead of the body. Its type is one of the operation's `formats`. */
  file?: { type: string; bytes: Buffer; name: string }
  /** The target of a 302: one of our paths, or an address that the caller cannot choose. */
  redirect?: string
}
