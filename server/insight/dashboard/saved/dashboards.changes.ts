/** Saves, changes and deletes dashboards: a user's own, and those that an administrator shares. */
import { creditorRoles } from '../../../../contract/access/access.ts'
import type { DashboardInput } from '../../../../contract/insight/dashboards.ts'
import { inTransaction, violatedUniqueness, type Db } from '../../../platform/database/transaction.ts'
import {
  changesBetween,
  initialChanges,
  insertRecords,
  toRecords,
  type Change,
} from '../../../platform/events/record.ts'
import type { Caller, Origin } from '../../../platform/http/caller.ts'
import { ApiError, FieldErrors, notFound } from '../../../platform/http/errors.ts'
import { requireMatch, type IfMatch } from '../../../platform/http/version.ts'
import { findFilteredCaller } from '../client-filter.ts'
import { isShared, readDashboard, requireSensible, type ReadDashboard } from './dashboards.rules.ts'
import { mayShareDashboards } from './dashboards.scope.ts'
import * as store from './dashboards.store.ts'

/** The most dashboards of a user, and of the agency. */
const ownMax = 50
const sharedMax = 200

/** Returns the guid. Throws a 400, 403, 404 for the client, 409 or 422. */
export async function createDashboard(
  db: Db,
  caller: Caller,
  { input, origin }: { input: DashboardInput; origin: Origin },
): Promise<string> {
  if (creditorRoles.includes(caller.role))
    throw new ApiError('forbidden', 'Dashboards are saved by the agency’s users, who share some with you.')
  return inTransaction(db, async (tx) => {
    const dashboard = await readInput(tx, caller, input, null)
    const owner = isShared(dashboard) ? null : caller.userId
    await requireRoom(tx, owner, null)
    const id = await withNameCheck(dashboard, () => store.insertDashboard(tx, dashboard, owner))
    await record(tx, origin, { id, sequence: 1 }, 'created', initialChanges({ ...dashboard }))
    return id
  })
}

/** Returns the version. Throws a 400, 403, 404, 409, 412 or 422. */
export async function changeDashboard(
  db: Db,
  caller: Caller,
  dashboardGuid: string,
  { input, origin, ifMatch }: { input: DashboardInput; origin: Origin; ifMatch: IfMatch },
): Promise<number> {
  return inTransaction(db, async (tx) => {
    const { held, before } = await lockChangeable(tx, caller, dashboardGuid, ifMatch)
    const given = Object.entries(input).filter(([, value]) => value !== null && value !== undefined)
    const after = await readInput(tx, caller, { ...before, ...Object.fromEntries(given) }, dashboardGuid)
    const changes = changesBetween({ ...before }, { ...after })
    if (Object.keys(changes).length === 0) return held.version
    const owner = isShared(after) ? null : caller.userId
    await requireRoom(tx, owner, dashboardGuid)
    await withNameCheck(after, () => store.updateDashboard(tx, dashboardGuid, after, owner))
    await record(tx, origin, { id: dashboardGuid, sequence: held.eventSequence + 1 }, 'updated', changes)
    return held.version + 1
  })
}

export async function removeDashboard(
  db: Db,
  caller: Caller,
  dashboardGuid: string,
  { origin, ifMatch }: { origin: Origin; ifMatch: IfMatch },
): Promise<void> {
  await inTransaction(db, async (tx) => {
    const { held } = await lockChangeable(tx, caller, dashboardGuid, ifMatch)
    await store.deleteDashboard(tx, dashboardGuid)
    await record(tx, origin, { id: dashboardGuid, sequence: held.eventSequence + 1 }, 'deleted', {})
  })
}

async function lockChangeable(tx: Db, caller: Caller, dashboardGuid: string, ifMatch: IfMatch) {
  const held = await store.lockDashboard(tx, dashboardGuid)
  const found = held && (await store.findDashboard(tx, caller, dashboardGuid))
  if (!held || !found) throw notFound('dashboard')
  if (!found.item.mayChange) throw mayNotShare()
  requireMatch(ifMatch, held.version)
  const { name, tiles, months, clientGuid } = found.item
  const before: ReadDashboard = { name, tiles, months, clientGuid, ...found.sharing }
  return { held, before }
}

const mayNotShare = () =>
  new ApiError(
    'forbidden',
    'Shared dashboards need the access code report.admin and no restriction to clients. Save one of your own.',
  )

async function readInput(
  tx: Db,
  caller: Caller,
  input: DashboardInput,
  dashboardGuid: string | null,
): Promise<ReadDashboard> {
  const checks = new FieldErrors(caller.language)
  const dashboard = readDashboard(input, checks)
  checks.throwIfAny()
  if (isShared(dashboard) && !mayShareDashboards(caller)) throw mayNotShare()
  requireSensible(dashboard)
  const { groupGuids, defaultRoles, clientGuid } = dashboard
  if (clientGuid !== null) await findFilteredCaller(tx, caller, clientGuid)
  if ((await store.countGroups(tx, groupGuids)) < groupGuids.length)
    throw new ApiError('unprocessable', 'One of the access groups does not exist any more.', {
      errors: { groupGuids: ['has an unknown access group.'] },
    })
  const [taken] = await store.findDefaults(tx, defaultRoles, dashboardGuid)
  if (taken) throw defaultTaken(`Role ${taken.userRole} has the default “${taken.name}”.`)
  return dashboard
}

/** Throws a 422 for one dashboard too many of the owner: a user, or null for the agency. */
async function requireRoom(tx: Db, owner: string | null, dashboardGuid: string | null): Promise<void> {
  await store.lockOwner(tx, owner)
  const others = await store.countDashboards(tx, { owner, except: dashboardGuid })
  if (others < (owner === null ? sharedMax : ownMax)) return
  const whose =
    owner === null ? `The agency has ${sharedMax} shared dashboards` : `You have ${ownMax} dashboards`
  throw new ApiError('unprocessable', `${whose}. Delete one before you save another.`)
}

const defaultTaken = (what: string) =>
  new ApiError('conflict', `${what} A role has one default: take it from there first.`)

/** Another dashboard may have got the name or the role since they were read. */
async function withNameCheck<T>({ name }: ReadDashboard, write: () => Promise<T>): Promise<T> {
  try {
    return await write()
  } catch (error) {
    const violated = violatedUniqueness(error)
    if (violated === 'dashboard_name')
      throw new ApiError('conflict', `There is a dashboard “${name}” already. Choose another name.`)
    if (violated === 'dashboard_role_default') throw defaultTaken('One of the roles got another default.')
    throw error
  }
}

async function record(
  tx: Db,
  origin: Origin,
  { id, sequence }: { id: string; sequence: number },
  action: 'created' | 'updated' | 'deleted',
  changes: Change['changes'],
): Promise<void> {
  const type = `dashboard.${action}` as const
  const changed = action === 'updated' ? { changed: Object.keys(changes) } : {}
  const change = {
    type,
    entityId: id,
    subject: id,
    sequence,
    data: { dashboardGuid: id, ...changed },
    changes,
  }
  await insertRecords(tx, toRecords(origin, [change]))
}
