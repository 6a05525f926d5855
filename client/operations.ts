/**
 * What the contract says of each operation, as the client's types: no code generation, and no difference from the service.
 * The package has a plain file in its place (`typescript/write-operations.ts`), without the contract behind it.
 */
import type { DeclaredOperation } from '../contract/api.ts'
import type { DeclaredFormOperation } from '../contract/metadata/form-operations.ts'
import type { Call, Operation, Reply } from '../contract/platform/operation.ts'
import type { CallOptions } from './call-options.ts'

export type { Tokens } from '../contract/access/sessions.ts'
export type { DryRun } from '../contract/platform/dry-run.ts'
export type { Problem, ProblemKind } from '../contract/platform/problem.ts'

/** Operations that a browser opens: signing in through an outside provider. */
type Redirect = Extract<DeclaredOperation, { status: 302 }>
type Callable = Exclude<DeclaredOperation, Redirect> | DeclaredFormOperation
export type Named = { [O in Callable as O['name']]: O }

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

/** Every operation of the service by its name. */
export type Methods = { [N in keyof Named]: (...given: Arguments<Named[N]>) => Promise<Reply<Named[N]>> }

/** Lists, which are read page by page. */
export type ListName = {
  [N in keyof Named]: Reply<Named[N]> extends { total: number; value: readonly unknown[] } ? N : never
}[keyof Named]

/** Operations that change something. Those without a dry run (files, jobs, sign-in, secrets) refuse it with 400. */
export type WriteName = { [N in keyof Named]: Named[N]['method'] extends 'GET' ? never : N }[keyof Named]

/** What the operations take that a browser opens. */
export type RedirectInputs = { [O in Redirect as O['name']]: Input<O> }
