/** Saves the demo's dashboards: for case handlers, for managers and for users of clients. Prices its contacts. */
import { creditorRoles, type UserRole } from '../../contract/access/access.ts'
import { dashboardTiles, type DashboardInput } from '../../contract/insight/dashboards.ts'
import { createDashboard } from '../../server/insight/dashboard/saved/dashboards.changes.ts'
import {
  changeSystemSettings,
  type Environment,
} from '../../server/metadata/system/system-settings.changes.ts'
import type { Db } from '../../server/platform/database/transaction.ts'
import type { Origin } from '../../server/platform/http/caller.ts'
import { demoCaller } from './insert-cases.ts'

const shareWith = (roles: readonly UserRole[]) => ({ roles: [...roles], defaultRoles: [...roles] })

const dashboards: DashboardInput[] = [
  {
    name: 'Case handlers',
    tiles: ['promised', 'kept', 'collected', 'inTime', 'expectedPayments', 'openCases'],
    months: 6,
    ...shareWith([3]),
  },
  {
    name: 'Managers',
    tiles: [...dashboardTiles],
    months: 12,
    ...shareWith([2]),
  },
  {
    name: 'Your cases',
    tiles: ['collected', 'recovery', 'inTime', 'openCases', 'collectedByMonth', 'expectedPayments'],
    months: 12,
    ...shareWith(creditorRoles),
  },
]

/** In the currency of the settings. */
const prices = { letterPrice: 14, emailPrice: 0.1, smsPrice: 0.5, callPrice: 30 }

export async function insertDemoDashboards(
  db: Db,
  { environment, origin }: { environment: Environment; origin: Origin },
): Promise<void> {
  await changeSystemSettings(db, { input: prices, ifMatch: undefined }, { environment, origin })
  for (const input of dashboards) await createDashboard(db, demoCaller, { input, origin })
}
