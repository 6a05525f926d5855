/** The saved dashboards that a user may see, and the one that is shown. */
import { useQuery } from '@tanstack/react-query'
import { creditorRoles, type UserRole } from '../../../../contract/access/access.ts'
import {
  agencyTiles,
  dashboardTiles,
  type Dashboard,
  type DashboardTile,
} from '../../../../contract/insight/dashboards.ts'
import { api } from '../../api/client.ts'
import { queryClient, reading } from '../../api/queries.ts'
import { useMay, useUser } from '../../session/session.ts'
import { noticeProblem } from '../../widgets/notices.ts'

/** The choice of the dashboard with every tile, which nobody saved. */
export const standardChoice = 'standard'

export type ShownDashboard = Pick<Dashboard, 'tiles' | 'months' | 'clientGuid' | 'clientName'>

const place = { context: 'console', group: 'dashboard' }

/** What the user may do with dashboards, and see on them. */
export function useDashboardRights(): { mayCreate: boolean; mayShare: boolean; seesCosts: boolean } {
  const { userRole, clientRestriction } = useUser()
  const isCreditor = creditorRoles.includes(userRole as UserRole)
  const isRestricted = isCreditor || clientRestriction.length > 0
  const mayShare = useMay('report.admin') && !isRestricted
  return { mayCreate: !isCreditor, mayShare, seesCosts: !isRestricted }
}

/** The user's choice is kept by the service. Without one the default of the role is shown. */
export function useDashboards() {
  const list = useQuery(reading('listDashboards'))
  const settings = reading('getUserSettings', place)
  const remembered = useQuery({ ...settings, staleTime: 600_000 })
  const dashboards = list.data?.body.value ?? []
  const wanted = (remembered.data?.body as { dashboardGuid?: string } | undefined)?.dashboardGuid
  const saved =
    wanted === standardChoice
      ? undefined
      : (dashboards.find(({ dashboardGuid }) => dashboardGuid === wanted) ??
        dashboards.find(({ isDefault }) => isDefault))
  const choose = (dashboardGuid: string) => {
    const chosen = { dashboardGuid }
    queryClient.setQueryData(
      settings.queryKey,
      (former) => former && { ...former, body: { ...former.body, ...chosen } },
    )
    api.updateUserSettings({ ...place, body: chosen }).catch(noticeProblem)
  }
  return {
    dashboards,
    saved,
    choose,
    error: list.error,
    // What is shown is known once both have answered, also with a refusal.
    loading: list.isPending || remembered.isPending,
  }
}

const everything: ShownDashboard = {
  tiles: [...dashboardTiles],
  months: 12,
  clientGuid: null,
  clientName: null,
}

/** The tiles that the user sees. */
export const visibleTiles = (tiles: readonly DashboardTile[], seesCosts: boolean): DashboardTile[] =>
  tiles.filter((tile) => seesCosts || !agencyTiles.includes(tile))

export const toShown = (saved: Dashboard | undefined): ShownDashboard => saved ?? everything
