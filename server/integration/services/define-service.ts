/**
 * What a custom service imports: `import { defineService } from 'fordra/service'`. A service is a module in the services
 * folder whose default export is what `defineService` returns. It runs in a thread of its own, with a limit of time and
 * memory, and reaches the installation through its context alone, with the rights of who invoked it.
 */
import type { AccessCode, UserRole } from '../../../contract/access/access.ts'
import type { DeclaredOperation } from '../../../contract/api.ts'
import type { Call, Operation, Reply } from '../../../contract/platform/operation.ts'
import type { ServiceScope } from '../../../contract/integration/services.ts'

/** Signing in needs no access code, and a service invokes no service: neither is open to one. */
type Closed = { access: string } | { accepts: true }
type Open = Exclude<DeclaredOperation, Closed>
/** The operations of the API that a service can call, by their name in the reference. */
export type Operations = { [O in Open as O['name']]: O }
/** Parameters, query and body of an operation, as over HTTP; `ifMatch` is an ETag. */
export type CallOf<O extends Operation> = {
  [K in keyof Call<O> as Call<O>[K] extends undefined ? never : K]?: Call<O>[K]
} & {
  ifMatch?: string
}

export interface ServiceApi {
  /**
   * Calls an operation as the caller. Returns the answer's body; throws ServiceApiError with the problem details for
   * anything but success, of which nothing is kept.
   */
  call<N extends keyof Operations>(name: N, request?: CallOf<Operations[N]>): Promise<Reply<Operations[N]>>
}

export interface ServiceContext {
  /** The same in every attempt of one invocation: what an effect outside is made once by. */
  id: string
  attempt: number
  /** Whom or what the service is invoked for; null for a global one. */
  item: { type: 'user' | 'debtor'; guid: string } | null
  caller: { userGuid: string; role: UserRole; accessCodes: readonly AccessCode[] }
  /** YYYY-MM-DD */
  businessDate: string
  /** All that it writes is one transaction: stored when the handler ends well, together with the note that it did. */
  api: ServiceApi
  /** A part of that transaction which is undone by itself when `work` throws. */
  transaction<T>(work: (api: ServiceApi) => Promise<T>): Promise<T>
  /** Puts an e-mail to the item (its user or debtor) into the outbox, in the transaction. Needs user.write or debtor.write. */
  sendMail(message: { subject: string; text: string }): Promise<void>
  /** A line in the service's log. Write no personal data. */
  log(text: string): void
}

export interface ServiceDefinition<Input = Record<string, unknown>> {
  /** Letters, digits and hyphens: its name in addresses and in the lookup `servicedefinition`. */
  code: string
  scope: ServiceScope
  description: string
  /** JSON Schema of the body. */
  input: object
  /** The access code that the caller needs besides `service.write`. */
  access: AccessCode
  /** 10 s unless given, five minutes at most. */
  timeoutMs?: number
  /** Memory of its thread: 64 MB unless given, 512 at most. */
  memoryMb?: number
  /** What it returns, a JSON object of at most `resultLengthMax`, stands in its job's history. A ServiceFailure's text is told to the caller. */
  handler(input: Input, context: ServiceContext): Promise<object | void>
}

/** Keeps the types of a definition; the server checks it at its start. */
export const defineService = <Input = Record<string, unknown>>(
  definition: ServiceDefinition<Input>,
): ServiceDefinition<Input> => definition

/** The most that a handler may return, in characters of its JSON. */
export const resultLengthMax = 1_048_576

/** All rows of a list operation, which answers 100 at most: `readAll((page) => api.call('listAddresses', { params, query: page }))`. */
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

/** A failure whose text the caller reads. */
export class ServiceFailure extends Error {
  override readonly name = 'ServiceFailure'
}

/** What an operation answered instead of success: its problem details. */
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
