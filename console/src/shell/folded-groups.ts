/** The groups of the navigation that the user has folded, stored by the service (U3). */
import { useQuery } from '@tanstack/react-query'
import { api } from '../api/client.ts'
import { queryClient, reading } from '../api/queries.ts'
import { noticeProblem } from '../widgets/notices.ts'

const place = { context: 'console', group: 'navigation' } as const

export function useFoldedGroups(): { folded: readonly string[]; toggle: (group: string) => void } {
  const query = reading('getUserSettings', place)
  const { data } = useQuery({ ...query, staleTime: 600_000 })
  const folded = ((data?.body ?? {}) as { folded?: string[] }).folded ?? []
  const toggle = (group: string) => {
    const next = folded.includes(group) ? folded.filter((one) => one !== group) : [...folded, group]
    // Folded at once, and unfolded again if the service refuses.
    queryClient.setQueryData(
      query.queryKey,
      (former) => former && { ...former, body: { ...former.body, folded: next } },
    )
    api.updateUserSettings({ ...place, body: { folded: next } }).catch((error: unknown) => {
      noticeProblem(error)
      void queryClient.invalidateQueries({ queryKey: query.queryKey })
    })
  }
  return { folded, toggle }
}
