/** An operation that the server calls internally by its name. */
import type { Operation } from '../../../contract/platform/operation.ts'
import type { Db } from '../../platform/database/transaction.ts'
import type { Caller, Origin } from '../../platform/http/caller.ts'

export interface InternalRequest {
  db: Db
  caller: Caller
  origin: Origin
  params?: Record<string, unknown>
  query?: Record<string, unknown>
  body?: unknown
  /** The required entity tag of the resource. */
  ifMatch?: string
}

export interface InternalAnswer {
  status: number
  body: unknown
}

export interface InternalCall {
  operation: Operation
  call(request: InternalRequest): Promise<InternalAnswer>
}
