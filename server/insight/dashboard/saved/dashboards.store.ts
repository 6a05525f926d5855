import type { Dashboard } from '../../../../contract/insight/dashboards.ts'
import { findRow } from '../../../platform/database/find-row.ts'
import { makeId } from '../../../platform/database/make-id.ts'
import { rowHelper, runStatement } from '../../../platform/database/statement.ts'
import type { Db } from '../../../platform/database/transaction.ts'
import type { Caller } from '../../../platform/http/caller.ts'
import type { ReadDashboard } from './dashboards.rules.ts'
import { mayShareDashboards, visibleDashboards } from './dashboards.scope.ts'

const select = `d.id as "dashboardGuid", d.name, d.tiles, d.months, d.client_id as "clientGuid",
  p.name as "clientName", d.user_id is null as shared, d.version,
  array(select s.user_role from dashboard_role s where s.dashboard_id = d.id order by 1) as roles,
  array(select s.access_group_id from dashboard_group s where s.dashboard_id = d.id order by 1) as "groupGuids",
  array(select s.user_role from dashboard_role s where s.dashboard_id = d.id and s.is_default order by 1) as "defaultRoles"`
const from = 'dashboard d left join party p on p.id = d.client_id'
const source = { entity: 'dashboard', from, key: 'd.id', select } as const

type DashboardRow = Omit<Dashboard, 'isDefault' | 'mayChange'> & { version: number }
export interface FoundDashboard {
  item: Dashboard
  version: number
  /** Whom it is shared with, also where the caller is not told. */
  sharing: Pick<ReadDashboard, 'roles' | 'groupGuids' | 'defaultRoles'>
}

function toFound({ version, ...row }: DashboardRow, caller: Caller): FoundDashboard {
  const mayShare = mayShareDashboards(caller)
  const { roles, groupGuids, defaultRoles } = row
  const sharing = { roles, groupGuids, defaultRoles }
  const item = {
    ...row,
    ...(!mayShare && { roles: [], groupGuids: [], defaultRoles: [] }),
    isDefault: defaultRoles.includes(caller.role),
    mayChange: !row.shared || mayShare,
  }
  return { item, version, sharing }
}

/** By name. They are few. */
export async function listDashboards(db: Db, caller: Caller): Promise<Dashboard[]> {
  const scope = visibleDashboards(caller).at(1)
  const rows = await runStatement<DashboardRow>(
    db,
    `select ${select} from ${from} where ${scope.text} order by lower(d.name), d.id`,
    scope.parameters,
  )
  return rows.map((row) => toFound(row, caller).item)
}

export async function findDashboard(
  db: Db,
  caller: Caller,
  dashboardGuid: string,
): Promise<FoundDashboard | undefined> {
  const row = await findRow<DashboardRow, 'dashboard'>(db, source, dashboardGuid, visibleDashboards(caller))
  return row && toFound(row, caller)
}

/** Locks a dashboard. Its sharing changes only under this lock. */
export async function lockDashboard(
  tx: Db,
  dashboardGuid: string,
): Promise<{ version: number; eventSequence: number } | undefined> {
  const [row] = await tx<{ version: number; eventSequence: number }[]>`
    select version, event_sequence as "eventSequence" from dashboard where id = ${dashboardGuid} for update`
  return row
}

/** `userGuid` is null for a dashboard of the agency. */
const columns = ({ name, tiles, months, clientGuid }: ReadDashboard, userGuid: string | null) => ({
  name,
  tiles,
  months,
  client_id: clientGuid,
  user_id: userGuid,
})

export async function insertDashboard(
  tx: Db,
  dashboard: ReadDashboard,
  userGuid: string | null,
): Promise<string> {
  const id = makeId()
  await tx`insert into dashboard ${rowHelper(tx, { id, ...columns(dashboard, userGuid) })}`
  await insertSharing(tx, id, dashboard)
  return id
}

export async function updateDashboard(
  tx: Db,
  dashboardGuid: string,
  dashboard: ReadDashboard,
  userGuid: string | null,
): Promise<void> {
  await tx`
    update dashboard set ${rowHelper(tx, columns(dashboard, userGuid))}, version = version + 1,
      event_sequence = event_sequence + 1 where id = ${dashboardGuid}`
  await tx`delete from dashboard_role where dashboard_id = ${dashboardGuid}`
  await tx`delete from dashboard_group where dashboard_id = ${dashboardGuid}`
  await insertSharing(tx, dashboardGuid, dashboard)
}

async function insertSharing(
  tx: Db,
  dashboardGuid: string,
  { roles, groupGuids, defaultRoles }: ReadDashboard,
): Promise<void> {
  await tx`
    insert into dashboard_role (dashboard_id, user_role, is_default)
    select ${dashboardGuid}::uuid, role, role = any(${defaultRoles}::int[]) from unnest(${roles}::int[]) as role`
  await tx`
    insert into dashboard_group (dashboard_id, access_group_id)
    select ${dashboardGuid}::uuid, id from access_group where id = any(${groupGuids}::uuid[])`
}

export async function deleteDashboard(tx: Db, dashboardGuid: string): Promise<void> {
  await tx`delete from dashboard where id = ${dashboardGuid}`
}

const ownersLock = 7_240_087

/** Two dashboards that one owner saves at once are counted one after the other. */
export async function lockOwner(tx: Db, owner: string | null): Promise<void> {
  await tx`select pg_advisory_xact_lock(${ownersLock}, hashtext(${owner ?? 'agency'}))`
}

/** The dashboards of a user, or of the agency (null), without one of them. */
export async function countDashboards(
  db: Db,
  { owner, except }: { owner: string | null; except: string | null },
): Promise<number> {
  const [row] = await db<{ count: number }[]>`
    select count(*)::int as count from dashboard
    where user_id is not distinct from ${owner}::uuid and id is distinct from ${except}::uuid`
  return row!.count
}

export async function countGroups(db: Db, groupGuids: readonly string[]): Promise<number> {
  const [row] = await db<{ count: number }[]>`
    select count(*)::int as count from access_group where id = any(${[...groupGuids]}::uuid[])`
  return row!.count
}

export interface DefaultDashboard {
  userRole: number
  name: string
}

/** The dashboards that are the default of one of the roles already, but for the given one. */
export const findDefaults = (
  db: Db,
  roles: readonly number[],
  except: string | null,
): Promise<DefaultDashboard[]> => db<DefaultDashboard[]>`
  select s.user_role as "userRole", d.name from dashboard_role s join dashboard d on d.id = s.dashboard_id
  where s.is_default and s.user_role = any(${[...roles]}::int[]) and d.id is distinct from ${except}::uuid
  order by s.user_role`
