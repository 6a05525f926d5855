/** The client's types, derived from the contract: no code generation, and no difference from the service. */
import type { DeclaredOperation } from '../contract/api.ts'
import type { DeclaredFormOperation } from '../contract/metadata/form-operations.ts'
import type { DryRun } from '../contract/platform/dry-run.ts'
import type { Call, Operation, Reply } from '../contract/platform/operation.ts'
import type { CallOptions } from './options.ts'

/** Operations that a browser opens: signing in through an outside provider. */
export type Redirect = Extract<DeclaredOperation, { status: 302 }>
type Callable = Exclude<DeclaredOperation, Redirect> | DeclaredFormOperation
export type Named = { [O in Callable as O['name']]: O }
export type Name = keyof Named

type OrNothing<T> = [T] extends [undefined] ? unknown : T
type BodyOf<T> = [T] extends [undefined] ? unknown : { body: T }
/** The parameters of path and query together, and the body as `body`. */
export type Input<O extends Operation> = object &
  OrNothing<Call<O>['params']> &
  OrNothing<Call<O>['query']> &
  BodyOf<Call<O>['body']>
type Arguments<O extends Operation> =
  Record<never, never> extends Input<O>
    ? [input?: Input<O>, options?: CallOptions]
    : [input: Input<O>, options?: CallOptions]

/** An answer with values of its headers. */
export interface Answer<T> {
  body: T
  status: number
  /** The resource's entity tag, for `ifMatch`. */
  etag: string | undefined
  /** The path of a new resource. */
  location: string | undefined
  requestId: string
  /** True for a repeated answer to the same idempotency key. */
  replayed: boolean
}

export type AnswerOf<N extends Name> = Answer<Reply<Named[N]>>

type RowOf<R> = R extends { total: number; value: readonly (infer Row)[] } ? Row : never
export type ListName = { [N in Name]: [RowOf<Reply<Named[N]>>] extends [never] ? never : N }[Name]

export type Methods = { [N in Name]: (...given: Arguments<Named[N]>) => Promise<Reply<Named[N]>> }
export type AnswerMethods = {
  [N in Name]: (...given: Arguments<Named[N]>) => Promise<AnswerOf<N>>
}
export type PageMethods = {
  [N in ListName]: (...given: Arguments<Named[N]>) => AsyncGenerator<Reply<Named[N]>>
}
export type RowMethods = {
  [N in ListName]: (...given: Arguments<Named[N]>) => AsyncGenerator<RowOf<Reply<Named[N]>>>
}

/** Operations that change something. Those without a dry run (files, jobs, sign-in, secrets) refuse it with 400. */
export type WriteName = { [N in Name]: Named[N]['method'] extends 'GET' ? never : N }[Name]
/** What a write would answer, write, book and send. */
export type DryRunOf<N extends WriteName> = Omit<DryRun, 'answer'> & {
  /** The answer that the write would give, without secrets. */
  answer: Reply<Named[N]>
}
export type DryRunMethods = {
  [N in WriteName]: (...given: Arguments<Named[N]>) => Promise<DryRunOf<N>>
}
