import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import type { ListName } from '../../../client/operations.ts'
import { readingByName } from '../api/queries.ts'
import { pageSizes, type ListSearch } from './list-search.ts'

/** Loads the page of the list that the address names. The former page stays visible until it arrives. */
export function useList(operation: ListName, standard: { sort?: string; filter?: string; input?: object }) {
  const search: ListSearch = useSearch({ strict: false })
  const navigate = useNavigate()
  const size = search.size ?? pageSizes[0]
  const page = search.page ?? 1
  const filter = [standard.filter, search.filter && standard.filter ? `(${search.filter})` : search.filter]
    .filter(Boolean)
    .join(' and ')
  const sort = search.sort ?? standard.sort
  const input = {
    ...standard.input,
    ...(filter !== '' && { $filter: filter }),
    ...(sort !== undefined && { $orderby: sort }),
    $skip: (page - 1) * size,
    $top: size,
  }
  const query = useQuery({ ...readingByName(operation, input), placeholderData: keepPreviousData })
  /** Changes the filter or order and returns to the first page. */
  const change = (more: ListSearch, replace = false) =>
    void navigate({
      to: '.',
      search: (former: ListSearch) => ({
        ...former,
        ...('page' in more ? {} : { page: undefined }),
        ...more,
      }),
      replace,
    })
  return { search, page, size, filter, sort, query, change }
}
