/** The client's own types of calls, derived from those of its operations. */
import type { DryRun, ListName, Methods, WriteName } from './operations.ts'

export type Name = keyof Methods

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

type Given<N extends Name> = Parameters<Methods[N]>
/** What an operation answers. */
export type Reply<N extends Name> = Awaited<ReturnType<Methods[N]>>
export type AnswerOf<N extends Name> = Answer<Reply<N>>

type RowOf<R> = R extends { total: number; value: readonly (infer Row)[] } ? Row : never

export type AnswerMethods = { [N in Name]: (...given: Given<N>) => Promise<AnswerOf<N>> }
export type PageMethods = { [N in ListName]: (...given: Given<N>) => AsyncGenerator<Reply<N>> }
export type RowMethods = { [N in ListName]: (...given: Given<N>) => AsyncGenerator<RowOf<Reply<N>>> }

/** What a write would answer, write, book and send. */
export type DryRunOf<N extends WriteName> = Omit<DryRun, 'answer'> & {
  /** The answer that the write would give, without secrets. */
  answer: Reply<N>
}
export type DryRunMethods = { [N in WriteName]: (...given: Given<N>) => Promise<DryRunOf<N>> }
