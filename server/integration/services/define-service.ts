/**
 * The module that custom services import: `import { defineService } from 'fordra/service'`. A service is a module in
 * the services folder whose default export is the result of `defineService`. It runs in its own thread with a time and
 * memory limit. It reaches the installation only through its context, with the rights of its caller.
 */
import type { AccessCode, UserRole } from '../../../contract/access/access.ts'
import type { DeclaredOperation } from '../../../contract/api.ts'
import type { Call, Operation, Reply } from '../../../contract/platform/operation.ts'
import type { ServiceScope } from '../../../contract/integration/services.ts'

/** Operations for signing in need no access code, and services cannot invoke services: both are closed to services. */
type Closed = { access: string } | { accepts: true }
type Open = Exclude<DeclaredOperation, Closed>
/** The API operations that a service can call, by their name in the reference. */
export type Operations = { [O in Open as O['name']]: O }
/** Parameters, query and body of an operation, as over HTTP; `ifMatch` is an ETag. */
export type CallOf<O extends Operation> = {
  [K in keyof Call<O> as Call<O>[K] extends undefined ? never : K]?: Call<O>[K]
} & {
  ifMatch?: string
}

export interface ServiceApi {
  /**
   * Calls an operation as the caller and returns the body. Throws ServiceApiError with the problem details on failure;
   * nothing of a failed call is stored.
   */
  call<N extends keyof Operations>(name: N, request?: CallOf<Operations[N]>): Promise<Reply<Operations[N]>>
}

export interface ServiceContext {
  /** The same in every attempt of one invocation: use it as an idempotency key for external effects. */
  id: string
  attempt: number
  /** The subject of the invocation; null for a global service. */
  item: { type: 'user' | 'debtor'; guid: string } | null
  caller: { userGuid: string; role: UserRole; accessCodes: readonly AccessCode[] }
  /** YYYY-MM-DD */
  businessDate: string
  /** All writes are one transaction, committed when the handler returns, together with the record of the run. */
  api: ServiceApi
  /** Runs a part of that transaction, which is rolled back alone when `work` throws. */
  transaction<T>(work: (api: ServiceApi) => Promise<T>): Promise<T>
  /** Queues an e-mail to the item (its user or debtor), in the transaction. Needs user.write or debtor.write. */
  sendMail(message: { subject: string; text: string }): Promise<void>
  /** A line in the service's log. Write no personal data. */
  log(text: string): void
}

export interface ServiceDefinition<Input = Record<string, unknown>> {
  /** Letters, digits and hyphens. Used in addresses and in the lookup `servicedefinition`. */
  code: string
  scope: ServiceScope
  description: string
  /** JSON Schema of the body. */
  input: object
  /** The access code that the caller needs in addition to `service.write`. */
  access: AccessCode
  /** Default 10 s, maximum five minutes. */
  timeoutMs?: number
  /** Memory of its thread: default 64 MB, maximum 512 MB. */
  memoryMb?: number
  /**
   * Its result, a JSON object of at most `resultLengthMax` characters, is stored in the job's history. The caller sees
   * the text of a ServiceFailure.
   */
  handler(input: Input, context: ServiceContext): Promise<object | void>
}

/** Keeps the types of a definition. The server checks it at startup. */
export const defineService = <Input = Record<string, unknown>>(
  definition: ServiceDefinition<Input>,
): ServiceDefinition<Input> => definition

/** The most that a handler may return, in characters of its JSON. */
export const resultLengthMax = 1_048_576

/**
 * All rows of a list operation, which returns 100 at most: `readAll((page) => api.call('listAddresses', { params,
 * query: page }))`.
 */
export async function readAll<T>(
  read: (page: { $top: number; $skip: number }) => Promise<{ total: number; value: T[] }>,
): Promise<T[]> {
  const all: T[] = []
  for (;;) {
    const { total, value } = await read({ $top: 100, $skip: all.length })
    all.push(...value)
    if (value.length === 0 || all.length >= total) return all
  }
}

/** A failure whose text the caller may read. */
export class ServiceFailure extends Error {
  override readonly name = 'ServiceFailure'
}

/** The problem details of a failed operation. */
export class ServiceApiError extends Error {
  override readonly name = 'ServiceApiError'
  readonly status: number
  readonly code: string
  readonly errors: Record<string, string[]> | undefined

  constructor(problem: { status: number; code: string; detail: string; errors?: Record<string, string[]> }) {
    super(problem.detail)
    this.status = problem.status
    this.code = problem.code
    this.errors = problem.errors
  }
}
