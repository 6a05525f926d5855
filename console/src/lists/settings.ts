/** A user's settings of a list: columns and saved views, stored by the service (U3). */
import { useQuery } from '@tanstack/react-query'
import { api } from '../api/client.ts'
import { queryClient, reading } from '../api/queries.ts'
import { noticeProblem } from '../widgets/notices.ts'
import type { ListSearch } from './list-search.ts'

export interface SavedView extends ListSearch {
  name: string
}
export interface ListSettings {
  columns?: string[]
  views?: SavedView[]
  /** Rows with less space. */
  dense?: boolean
}

/** The saved view that the list shows. */
export const findView = ({ views = [] }: ListSettings, { filter, sort }: ListSearch): SavedView | undefined =>
  views.find((view) => view.filter === filter && view.sort === sort)

const place = (list: string) => ({ context: 'console', group: `list.${list}` })

export function useListSettings(list: string): [ListSettings, (change: ListSettings) => void] {
  const query = reading('getUserSettings', place(list))
  const { data } = useQuery({ ...query, staleTime: 600_000 })
  const settings = (data?.body ?? {}) as ListSettings
  const change = (more: ListSettings) => {
    // Optimistic update: if storing fails, the stored settings are shown again.
    queryClient.setQueryData(
      query.queryKey,
      (former) => former && { ...former, body: { ...former.body, ...more } },
    )
    api.updateUserSettings({ ...place(list), body: { ...more } }).catch((error: unknown) => {
      noticeProblem(error)
      void queryClient.invalidateQueries({ queryKey: query.queryKey })
    })
  }
  return [settings, change]
}
