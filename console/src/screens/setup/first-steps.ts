/** The first steps of a new agency, and whether they are the user's start screen. */
import { useQuery } from '@tanstack/react-query'
import { api } from '../../api/client.ts'
import { queryClient, reading } from '../../api/queries.ts'
import { useUser } from '../../session/session.ts'
import { noticeProblem } from '../../widgets/notices.ts'

const place = { context: 'console', group: 'setup' } as const

/** Whether the user has put the steps away. Stored by the service (U3). */
export function usePutAway(enabled = true): {
  isAway: boolean | undefined
  putAway: (isAway: boolean) => void
} {
  const query = reading('getUserSettings', place)
  const { data, isError } = useQuery({ ...query, staleTime: 600_000, enabled })
  const stored = (data?.body ?? {}) as { away?: boolean }
  const putAway = (away: boolean) => {
    queryClient.setQueryData(query.queryKey, (former) => former && { ...former, body: { away } })
    api.updateUserSettings({ ...place, body: { away } }).catch((error: unknown) => {
      noticeProblem(error)
      void queryClient.invalidateQueries({ queryKey: query.queryKey })
    })
  }
  return { isAway: isError || (data && stored.away === true), putAway }
}

/** The steps are the start screen of an administrator while the agency has no case. Undefined until that is known. */
export function useFirstStepsAtStart(): boolean | undefined {
  const { accessCodes, clientRestriction } = useUser()
  const enabled = accessCodes.includes('system.admin') && clientRestriction.length === 0
  const { data, isError } = useQuery({
    ...reading('listSetupSteps'),
    enabled,
    // An agency with cases needs no first steps, so the answer stays.
    staleTime: ({ state }) => (state.data?.body.isEmpty === false ? Infinity : 0),
  })
  const isEmpty = data?.body.isEmpty
  const { isAway } = usePutAway(enabled && isEmpty === true)
  if (!enabled || isError || isEmpty === false) return false
  return isEmpty === undefined || isAway === undefined ? undefined : !isAway
}
