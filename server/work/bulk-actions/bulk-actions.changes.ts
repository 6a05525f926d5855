/** Starts, stops and undoes bulk actions. */
import { bulkRowsMax, type BulkActionInput } from '../../../contract/work/bulk-actions.ts'
import { makeId } from '../../platform/database/make-id.ts'
import { inTransaction, type Db } from '../../platform/database/transaction.ts'
import { insertAuditEntry } from '../../platform/events/audit-entry.ts'
import type { Caller, Origin } from '../../platform/http/caller.ts'
import { ApiError, notFound } from '../../platform/http/errors.ts'
import { cancelJob, insertJob } from '../../platform/jobs/jobs.store.ts'
import type { Properties } from '../../platform/odata/properties.ts'
import { requireBulkInput } from './bulk-inputs.rules.ts'
import { matchBulkRows } from './bulk-lists.ts'
import * as store from './bulk-actions.store.ts'

export const bulkJob = 'bulk'
/** Letters wait so long after the run has ended. */
export const minutesToWithdraw = 10
/** While an undo withdraws letters, the others do not leave. */
const minutesToUndo = 24 * 60

export interface BulkContext {
  caller: Caller
  origin: Origin
  /** The custom fields of cases. */
  customFields: Properties
}

const insertRun = (tx: Db, id: string, { caller, origin }: BulkContext, name: string) =>
  insertJob(tx, {
    kind: bulkJob,
    name,
    payload: { bulkActionGuid: id },
    askedBy: caller.userId,
    requestId: origin.requestId,
    uniqueKey: `bulk:${id}`,
  })

/** Returns the action's GUID. Throws a 400, 403, 409 or 422, and then stores nothing. */
export async function startBulkAction(db: Db, context: BulkContext, asked: BulkActionInput): Promise<string> {
  const { caller, origin, customFields } = context
  const input = requireBulkInput(caller, asked)
  const { list, action, expected } = asked
  const filter = asked.filter?.trim() || null
  const id = makeId()
  await inTransaction(db, async (tx) => {
    const jobId = await insertRun(tx, id, context, action)
    await store.insertBulkAction(tx, {
      id,
      list,
      action,
      filter,
      input,
      expected,
      askedBy: caller.userId,
      scope: caller.narrowed === true ? [...caller.accessCodes] : null,
      jobId: jobId!,
    })
    const matching = matchBulkRows(
      caller,
      { list, filter },
      {
        today: origin.businessDate,
        customFields,
        firstParameter: 3,
      },
    )
    const found = await store.insertBulkRows(tx, { id, list, most: bulkRowsMax }, matching)
    requireConfirmed(found, expected)
    await audit(tx, origin, jobId!, { bulkAction: [null, { list, action, rows: found }] })
  })
  return id
}

function requireConfirmed(found: number, expected: number): void {
  if (found > bulkRowsMax)
    throw new ApiError(
      'unprocessable',
      `More than ${bulkRowsMax} rows match. Narrow the filter, and do them in parts.`,
    )
  if (found === 0)
    throw new ApiError('conflict', 'No row matches any more. Read the list again.', {
      members: { found, expected },
    })
  if (found > expected)
    throw new ApiError(
      'conflict',
      `${found} rows match now, and ${expected} were confirmed. Nothing was done: confirm the new number.`,
      { members: { found, expected } },
    )
}

const audit = (
  tx: Db,
  origin: Origin,
  jobId: string,
  changes: Record<string, [unknown, unknown]>,
): Promise<void> =>
  insertAuditEntry(tx, origin, { entity: 'job', action: 'created', entityId: jobId, subject: jobId, changes })

async function requireOwn(tx: Db, { caller }: BulkContext, id: string) {
  const locked = await store.lockBulkAction(tx, id)
  const found = locked && (await store.findBulkAction(tx, caller, id))
  if (!found) throw notFound('bulk action')
  return { stored: locked, shown: found }
}

/** Throws a 404 or 409. */
export async function stopBulkAction(db: Db, context: BulkContext, id: string): Promise<void> {
  await inTransaction(db, async (tx) => {
    const { stored } = await requireOwn(tx, context, id)
    const outcome = await cancelJob(tx, stored.jobId, context.origin)
    if (outcome === undefined) throw new ApiError('conflict', 'The bulk action has ended already.')
    // A waiting job never runs again; a running one lets its letters go when it ends.
    if (outcome === 'cancelled') await store.releaseLetters(tx, id, minutesToWithdraw)
  })
}

/** Throws a 404 or 409. */
export async function undoBulkAction(db: Db, context: BulkContext, id: string): Promise<void> {
  await inTransaction(db, async (tx) => {
    const { shown } = await requireOwn(tx, context, id)
    if (shown.endedAt === null)
      throw new ApiError('conflict', 'The bulk action is still running. Stop it first, or wait.')
    await store.releaseLetters(tx, id, minutesToUndo)
    const left = await store.countLeftLetters(tx, id)
    if (left > 0)
      throw new ApiError(
        'conflict',
        `The bulk action cannot be undone: ${left} of its letters may have left already.`,
        { members: { left } },
      )
    if ((await store.countRowsToDo(tx, id, true)) === 0)
      throw new ApiError('conflict', 'The bulk action has no row that can be undone.')
    const jobId = await insertRun(tx, id, context, `undo-${shown.action}`)
    await store.beginUndo(tx, id, jobId!)
    const { list, action } = shown
    await audit(tx, context.origin, jobId!, { bulkAction: [{ list, action }, null] })
  })
}
