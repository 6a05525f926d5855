/** Saved dashboards: chosen tiles in an order. Operations that the specification does not have. */
import { Type, type Static } from 'typebox'
import { type UserRole, allUserRoles } from '../access/access.ts'
import {
  guid,
  inputSchema,
  integer,
  key,
  nullable,
  reference,
  text,
  type Demands,
} from '../metadata/fields.ts'
import { operation } from '../platform/operation.ts'
import { Problem } from '../platform/problem.ts'

/** Figures of the last whole month, then charts and tables. */
export const dashboardTiles = [
  'collected',
  'promised',
  'kept',
  'inTime',
  'recovery',
  'costPerCase',
  'openCases',
  'collectedByMonth',
  'expectedPayments',
  'planPerformance',
  'recoveryByAge',
  'recoveryByClient',
  'costs',
] as const
export type DashboardTile = (typeof dashboardTiles)[number]

/** Tiles about the agency's own money, which users who are restricted to clients do not see. */
export const agencyTiles: readonly DashboardTile[] = ['costPerCase', 'costs']

/** The months that a dashboard can show, besides that of the business date. */
export const dashboardMonths = { minimum: 3, maximum: 35 }

const tiles = (more: object = {}) =>
  Type.Array(Type.Enum([...dashboardTiles]), {
    maxItems: dashboardTiles.length,
    description: 'In the order of the screen.',
    ...more,
  })
const roles = (description: string) =>
  Type.Array(Type.Unsafe<UserRole>({ type: 'integer', enum: allUserRoles }), {
    maxItems: allUserRoles.length,
    description,
  })
const groups = Type.Array(Type.String({ format: 'uuid' }), {
  maxItems: 100,
  description: 'The access groups that it is shared with.',
})
const shownTo = 'Empty for callers who may not share dashboards.'

export const Dashboard = Type.Object(
  {
    dashboardGuid: guid('Dashboard'),
    name: key(100, 'Name'),
    tiles: tiles(),
    months: Type.Integer({
      ...dashboardMonths,
      description: 'Whole months before that of the business date.',
    }),
    clientGuid: nullable<string>({
      type: ['string', 'null'],
      format: 'uuid',
      description: 'Figures of this client alone. Null for all clients that the caller may see.',
    }),
    clientName: text(200, 'Client'),
    shared: Type.Boolean({ description: 'It belongs to the agency. Otherwise it is the caller’s own.' }),
    isDefault: Type.Boolean({ description: 'True for the default of the caller’s role.' }),
    mayChange: Type.Boolean({ description: 'True if the caller may change and delete it.' }),
    roles: roles(`The roles that it is shared with. ${shownTo}`),
    groupGuids: Type.Array(Type.String({ format: 'uuid' }), {
      description: `The access groups that it is shared with. ${shownTo}`,
    }),
    defaultRoles: roles(`The roles that see it first. ${shownTo}`),
  },
  { $id: 'Dashboard' },
)
export type Dashboard = Static<typeof Dashboard>

export const DashboardList = Type.Object({ value: Type.Array(Dashboard) }, { $id: 'DashboardList' })

const fields = {
  name: text(100, 'Name'),
  clientGuid: reference('Client', 'client'),
  months: integer('Whole months shown', dashboardMonths),
}
const members = {
  ...inputSchema(fields, ['name', 'clientGuid', 'months']).properties,
  tiles: Type.Optional(tiles({ uniqueItems: true })),
  roles: Type.Optional(roles('The roles to share it with. Needs `report.admin`.')),
  groupGuids: Type.Optional(groups),
  defaultRoles: Type.Optional(roles('Of `roles`, those that see it first. A role has one such dashboard.')),
}
export const NewDashboard = Type.Object(members, {
  $id: 'NewDashboard',
  additionalProperties: false,
  'x-demands': {
    required: ['name', 'tiles'],
    members: { name: { minLength: 1 }, tiles: { minItems: 1 } },
  } satisfies Demands,
})
export const DashboardChange = Type.Object(members, { $id: 'DashboardChange', additionalProperties: false })
export type DashboardInput = Static<typeof DashboardChange>

const ofDashboard = Type.Object({ dashboardGuid: guid('Dashboard') })
const read = { area: 'System', access: ['report.read'] } as const
/** As favorites: a choice of the user, which gives no figures. Who may change a dashboard depends on the dashboard. */
const write = { area: 'System', access: 'session' } as const

export const listDashboards = operation({
  id: 'listDashboards',
  name: 'listDashboards',
  method: 'GET',
  path: '/dashboards',
  ...read,
  summary: 'List saved dashboards',
  description:
    'The caller’s own and those shared with the caller’s role or access groups, by name; for callers who may share, all shared ones. One with a client that the caller may not see is left out.',
  status: 200,
  response: DashboardList,
})
export const getDashboard = operation({
  id: 'getDashboard',
  name: 'getDashboard',
  method: 'GET',
  path: '/dashboards/:dashboardGuid',
  ...read,
  summary: 'Get a saved dashboard',
  params: ofDashboard,
  status: 200,
  response: Dashboard,
  versioned: true,
})
export const createDashboard = operation({
  id: 'createDashboard',
  name: 'createDashboard',
  method: 'POST',
  path: '/dashboards',
  ...write,
  summary: 'Save a dashboard',
  description:
    'For the caller, or shared with `roles` and `groupGuids` by an unrestricted caller with `report.admin`. Refused to users of clients. A user has at most 50, the agency 200 that are shared.',
  body: NewDashboard,
  status: 201,
  response: Dashboard,
  problems: ['conflict', 'unprocessable'],
  example: {
    body: { name: 'Collection today', tiles: ['collected', 'promised', 'kept', 'openCases'], months: 12 },
  },
})
export const updateDashboard = operation({
  id: 'updateDashboard',
  name: 'updateDashboard',
  method: 'PATCH',
  path: '/dashboards/:dashboardGuid',
  ...write,
  summary: 'Change a saved dashboard',
  description:
    'Omitted and null members stay; an empty `clientGuid` means all clients. A shared dashboard needs `report.admin`. With roles or groups an own dashboard becomes the agency’s; without any a shared one becomes the caller’s own.',
  params: ofDashboard,
  body: DashboardChange,
  status: 200,
  response: Dashboard,
  problems: ['conflict', 'precondition-failed', 'unprocessable'],
  versioned: true,
  example: { body: { tiles: ['kept', 'collected'] } },
})
export const deleteDashboard = operation({
  id: 'deleteDashboard',
  name: 'deleteDashboard',
  method: 'DELETE',
  path: '/dashboards/:dashboardGuid',
  ...write,
  summary: 'Delete a saved dashboard',
  description: 'A shared dashboard needs `report.admin`.',
  params: ofDashboard,
  status: 200,
  response: Problem,
  problems: ['precondition-failed'],
  versioned: true,
})
