/** A request as a handler gets it, and the answer that it gives. */
import type { Readable } from 'node:stream'
import type { FastifyRequest } from 'fastify'
import type { Call, Operation } from '../../../contract/platform/operation.ts'
import type { Db } from '../../platform/database/transaction.ts'
import type { Caller, Origin } from '../../platform/http/caller.ts'
import type { IfMatch } from '../../platform/http/version.ts'

/** What a caller sent, checked. A file is its bytes where the operation says how large it may be, else a stream. */
export interface Checked<O extends Operation> {
  params: Call<O>['params']
  query: Call<O>['query']
  body: O extends { bodyType: 'application/octet-stream' }
    ? O extends { bodyBytesMax: number }
      ? Buffer
      : Readable
    : Call<O>['body']
}

/** A request's parts as they came. */
export interface Unchecked {
  params: unknown
  query: unknown
  body: unknown
}

/** A checked request, as a handler gets it. */
export type Served<O extends Operation> = Checked<O> & {
  /** The pool, or the transaction in which the request is answered once. */
  db: Db
  caller: Caller
  origin: Origin
  ifMatch: IfMatch
  /** The request's path, for problem details. */
  path: string
  headers: FastifyRequest['headers']
  /** The caller's network address. */
  address: string
  /** Calls back when the answer has gone out or the client has gone away; from inside never. */
  onClose: (then: () => void) => void
  /** `https` when the request came so, or came so to a trusted proxy in front. */
  protocol: string
}

export interface Answer<T> {
  body: T
  /** Members of the body that are shown once. They are empty in the answer that is stored for `Idempotency-Key`. */
  secrets?: readonly string[]
  /** Of the resource: its entity tag. */
  version?: number
  /** Of a new resource, below the base path. */
  location?: string
  /** Whole `Set-Cookie` headers. An answer with one is never stored for `Idempotency-Key`. */
  cookies?: readonly string[]
  /** 202: it is done later. */
  accepted?: true
  /** Sent as `text/event-stream` in place of the body, which is then not read. */
  stream?: AsyncIterable<string>
  /** Sent in place of the body, to be saved under its name; its type is one of the operation's `formats`. */
  file?: { type: string; bytes: Buffer; name: string }
  /** Where a 302 leads: a path of ours, or an address that is not the caller's to choose. */
  redirect?: string
}
