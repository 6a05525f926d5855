import * as contract from '../../../../contract/insight/dashboards.ts'
import { serve } from '../../../access/serve/route.ts'
import type { ServerContext } from '../../../access/serve/server-context.ts'
import type { Db } from '../../../platform/database/transaction.ts'
import type { Caller } from '../../../platform/http/caller.ts'
import { done, notFound } from '../../../platform/http/errors.ts'
import { changeDashboard, createDashboard, removeDashboard } from './dashboards.changes.ts'
import { findDashboard, listDashboards, type FoundDashboard } from './dashboards.store.ts'

async function requireDashboard(db: Db, caller: Caller, dashboardGuid: string): Promise<FoundDashboard> {
  const found = await findDashboard(db, caller, dashboardGuid)
  if (!found) throw notFound('dashboard')
  return found
}

export function serveSavedDashboards(service: ServerContext): void {
  serve(service, contract.listDashboards, async ({ db, caller }) => ({
    body: { value: await listDashboards(db, caller) },
  }))

  serve(service, contract.getDashboard, async ({ db, caller, params }) => {
    const { item, version } = await requireDashboard(db, caller, params.dashboardGuid)
    return { body: item, version }
  })

  serve(service, contract.createDashboard, async ({ db, caller, body, origin }) => {
    const dashboardGuid = await createDashboard(db, caller, { input: body, origin })
    const { item } = await requireDashboard(db, caller, dashboardGuid)
    return { body: item, location: `/dashboards/${dashboardGuid}` }
  })

  serve(service, contract.updateDashboard, async ({ db, caller, params, body, origin, ifMatch }) => {
    const version = await changeDashboard(db, caller, params.dashboardGuid, { input: body, origin, ifMatch })
    return { body: (await requireDashboard(db, caller, params.dashboardGuid)).item, version }
  })

  serve(service, contract.deleteDashboard, async ({ db, caller, params, origin, ifMatch, path }) => {
    await removeDashboard(db, caller, params.dashboardGuid, { origin, ifMatch })
    return { body: done('The dashboard is deleted.', path) }
  })
}
