/** Reads and checks a saved dashboard. Pure. */
import { creditorRoles, type UserRole } from '../../../../contract/access/access.ts'
import {
  agencyTiles,
  dashboardTiles,
  type DashboardInput,
  type DashboardTile,
} from '../../../../contract/insight/dashboards.ts'
import { isGuid } from '../../../../core/text/guid.ts'
import { ApiError, type FieldErrors } from '../../../platform/http/errors.ts'

/** A dashboard that is checked. It is shared when it has a role or a group. */
export interface ReadDashboard {
  name: string
  tiles: DashboardTile[]
  months: number
  clientGuid: string | null
  roles: UserRole[]
  groupGuids: string[]
  defaultRoles: UserRole[]
}

const usualMonths = 12

/** Adds errors to `checks`; the result is of use only when there are none. */
export function readDashboard(input: DashboardInput, checks: FieldErrors): ReadDashboard {
  const name = input.name?.trim() ?? ''
  if (name === '') checks.add('name', 'is required.')
  const tiles = input.tiles ?? []
  if (tiles.length === 0) checks.add('tiles', `must have at least one of ${dashboardTiles.join(', ')}.`)
  const clientGuid = input.clientGuid?.trim().toLowerCase() || null
  if (clientGuid !== null && !isGuid(clientGuid)) checks.add('clientGuid', 'must be a GUID.')
  return {
    name,
    tiles,
    months: input.months ?? usualMonths,
    clientGuid,
    roles: sortRoles(input.roles),
    groupGuids: [...new Set((input.groupGuids ?? []).map((guid) => guid.toLowerCase()))].toSorted(),
    defaultRoles: sortRoles(input.defaultRoles),
  }
}

const sortRoles = (roles: readonly UserRole[] | undefined) => [...new Set(roles)].toSorted((a, b) => a - b)

export const isShared = ({ roles, groupGuids }: ReadDashboard): boolean =>
  roles.length > 0 || groupGuids.length > 0

/** Throws a 422 for a default of nobody, and for tiles that those who get it do not see. */
export function requireSensible({ tiles, roles, defaultRoles }: ReadDashboard): void {
  const missing = defaultRoles.filter((role) => !roles.includes(role))
  if (missing.length > 0)
    throw new ApiError(
      'unprocessable',
      `The dashboard is not shared with role ${missing.join(', ')}. Share it with a role before it becomes its default.`,
      { errors: { defaultRoles: ['must be among the roles that the dashboard is shared with.'] } },
    )
  const hidden = tiles.filter((tile) => agencyTiles.includes(tile))
  if (hidden.length > 0 && roles.some((role) => creditorRoles.includes(role)))
    throw new ApiError(
      'unprocessable',
      `Users of clients do not see the agency’s costs. Leave out ${hidden.join(', ')}, or the roles of clients.`,
      { errors: { tiles: ['must not have the agency’s costs on a dashboard for users of clients.'] } },
    )
}
