import { queryOptions, QueryClient } from '@tanstack/react-query'
import type { AnswerMethods, Name } from '../../../client/methods.ts'
import type { CallOptions } from '../../../client/options.ts'
import { ApiProblem } from '../../../client/client.ts'
import { api } from './client.ts'

/** The client tries again by itself, so the cache does not. */
export const queryClient = new QueryClient({
  defaultOptions: {
    queries: { retry: false, staleTime: 15_000, refetchOnWindowFocus: true, networkMode: 'always' },
    mutations: { retry: false, networkMode: 'always' },
  },
})

type InputOf<N extends Name> = Parameters<AnswerMethods[N]>[0]
type AnswerOf<N extends Name> = Awaited<ReturnType<AnswerMethods[N]>>

/** A reading operation as a query. Its data is the answer: `body` and `etag`. */
export function reading<N extends Name>(name: N, input?: InputOf<N>) {
  const call = api.withAnswer[name] as unknown as (
    input: unknown,
    options: CallOptions,
  ) => Promise<AnswerOf<N>>
  return queryOptions({
    queryKey: [name, input ?? {}] as const,
    queryFn: ({ signal }) => call(input ?? {}, { signal }),
  })
}

/** Has what these operations answered read again where it is shown. */
export const refresh = (...names: Name[]): Promise<unknown> =>
  Promise.all(names.map((name) => queryClient.invalidateQueries({ queryKey: [name] })))

export const isProblem = (error: unknown, kind?: string): error is ApiProblem =>
  error instanceof ApiProblem && (kind === undefined || error.kind === kind)
