import { infiniteQueryOptions, queryOptions, QueryClient } from '@tanstack/react-query'
import type { Name } from '../../../client/methods.ts'
import type { Input, Named } from '../../../client/operations.ts'
import { ApiProblem } from '../../../client/client.ts'
import { api } from './client.ts'

/** The client retries by itself, so the cache does not. */
export const queryClient = new QueryClient({
  defaultOptions: {
    queries: { retry: false, staleTime: 15_000, refetchOnWindowFocus: true, networkMode: 'always' },
    mutations: { retry: false, networkMode: 'always' },
  },
})

/** A reading operation as a query. Its data is the answer: `body` and `etag`. */
export const reading = <N extends Name>(name: N, input?: Input<Named[N]>) => readingByName(name, input)

/** The same for a name that is only known at run time. */
export const readingByName = <N extends Name>(name: N, input: object = {}) =>
  queryOptions({
    queryKey: [name, input] as const,
    queryFn: ({ signal }) => api.call(name, input, { signal }),
  })

/** Lists that load further pages on request. */
type GrowingList = 'listTimeline' | 'listAuditEntries' | 'listCaseNotes' | 'listDebtorNotes'

/** Such a list as a query of pages, with so many rows each. */
export const readingMore = <N extends GrowingList>(name: N, input: Input<Named[N]>, rows: number) =>
  infiniteQueryOptions({
    queryKey: [name, input, rows] as const,
    queryFn: ({ signal, pageParam }) =>
      api.call(name, { ...input, $top: rows, $skip: pageParam } as Input<Named[N]>, { signal }),
    initialPageParam: 0,
    getNextPageParam: (last, pages) => {
      const read = pages.reduce((sum, { body }) => sum + body.value.length, 0)
      return read < last.body.total && last.body.value.length > 0 ? read : undefined
    },
  })

/** Reloads the answers of these operations where they are shown. */
export const refresh = (...names: Name[]): Promise<unknown> =>
  Promise.all(names.map((name) => queryClient.invalidateQueries({ queryKey: [name] })))

export const isProblem = (error: unknown, kind?: string): error is ApiProblem =>
  error instanceof ApiProblem && (kind === undefined || error.kind === kind)
