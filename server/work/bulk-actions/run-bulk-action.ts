/** The job of a bulk action: a few rows at a time, each in a transaction of its own. */
import { bulkRowsMax } from '../../../contract/work/bulk-actions.ts'
import type { ServerContext } from '../../access/serve/server-context.ts'
import { requireJobAsker } from '../../access/serve/job-asker.ts'
import { customProperties } from '../../platform/dictionary/custom-properties.ts'
import { inTransaction, isPassing, type Db } from '../../platform/database/transaction.ts'
import { toApiError } from '../../platform/http/app.ts'
import type { Caller } from '../../platform/http/caller.ts'
import { ApiError } from '../../platform/http/errors.ts'
import { JobFailure, type JobKind, type RunningJob } from '../../platform/jobs/job.ts'
import { bulkJob, minutesToWithdraw } from './bulk-actions.changes.ts'
import { matchBulkRows } from './bulk-lists.ts'
import { requireUnchanged, type Undo } from './bulk-undo.ts'
import { describeReason } from './describe-reason.ts'
import { rowActions, type CallOperation } from './row-actions.ts'
import * as store from './bulk-actions.store.ts'

interface Payload {
  bulkActionGuid: string
}

interface Run {
  service: ServerContext
  job: RunningJob<Payload>
  stored: store.StoredBulkAction
}

/** Rows that are read and checked together. */
const chunkRows = 100
const atOnce = 2
/** A row that others change at the same moment is tried so often. */
const triesMax = 3
/** At most so many bulk actions run on a node: each occupies several connections. */
const runsAtOnce = 2

export const bulkJobs = (service: ServerContext): JobKind<Payload> => ({
  kind: bulkJob,
  concurrency: runsAtOnce,
  run: async (job) => {
    const { bulkActionGuid } = job.payload
    const stored = await inTransaction(job.sql, (tx) => store.lockBulkAction(tx, bulkActionGuid))
    if (!stored) throw new JobFailure('The bulk action was deleted.')
    await requireAsker(job.sql, stored)
    await runRows({ service, job, stored }).catch(async (error: unknown) => {
      // A stopped run lets its letters go. A node that stops leaves them to the next attempt.
      if (await isCancelled(job)) await store.releaseLetters(job.sql, stored.id, minutesToWithdraw)
      throw error
    })
    await job.complete(async (tx) => {
      await store.releaseLetters(tx, stored.id, minutesToWithdraw)
      return {}
    })
  },
  onFailed: (tx, { payload }) => store.releaseLetters(tx, payload.bulkActionGuid, minutesToWithdraw),
})

/** Each row asks for the rights that it needs. Throws a JobFailure. */
const requireAsker = (db: Db, { askedBy, scope }: store.StoredBulkAction): Promise<Caller> =>
  requireJobAsker(db, askedBy, { what: 'The bulk action', access: [], scope })

async function isCancelled({ sql, id }: RunningJob<Payload>): Promise<boolean> {
  const rows = await sql`select from job_run where id = ${id} and cancel_requested`
  return rows.length > 0
}

async function runRows(run: Run): Promise<void> {
  const { job, stored } = run
  const total = await store.countRowsToDo(job.sql, stored.id, stored.isUndo)
  let ended = 0
  let place = stored.isUndo ? bulkRowsMax + 1 : 0
  const next = () =>
    stored.isUndo
      ? store.listUndoRows(job.sql, stored.id, place, chunkRows)
      : store.listNextRows(job.sql, stored.id, place, chunkRows)
  await job.progress(0, total)
  for (let rows = await next(); rows.length > 0; rows = await next()) {
    const matching = stored.isUndo ? undefined : await findMatching(run, rows)
    await fewAtOnce(rows, async (row) => {
      job.signal.throwIfAborted()
      await attemptRow(run, row, matching?.has(row.number) ?? true)
      await job.progress(++ended, total)
    })
    place = rows.at(-1)!.number
  }
}

async function findMatching({ service, job, stored }: Run, rows: readonly store.BulkWorkRow[]) {
  const caller = await requireAsker(job.sql, stored)
  const customFields = customProperties(await service.customFields.of('case'), 'c')
  const { businessDate: today } = job.origin
  const matching = matchBulkRows(caller, stored, { today, customFields, firstParameter: 3 })
  const numbers = rows.map(({ number }) => number)
  return store.findMatching(job.sql, { id: stored.id, list: stored.list, numbers }, matching)
}

/** Nothing is begun after a failure, and nothing goes on behind it. */
async function fewAtOnce<T>(all: readonly T[], work: (one: T) => Promise<void>): Promise<void> {
  const waiting = [...all]
  const take = async (): Promise<void> => {
    const one = waiting.shift()
    if (one === undefined) return
    await work(one).catch((error: unknown) => {
      waiting.length = 0
      throw error
    })
    return take()
  }
  const outcomes = await Promise.allSettled(Array.from({ length: atOnce }, take))
  for (const outcome of outcomes) if (outcome.status === 'rejected') throw outcome.reason
}

/** Deals with a row. A failure that concerns it alone is its reason; others end the attempt at the job. */
async function attemptRow(run: Run, row: store.BulkWorkRow, isMatching: boolean): Promise<void> {
  const { job, stored } = run
  for (let tries = 1; ; tries++) {
    try {
      await inTransaction(job.sql, async (tx) => {
        if (!(await store.lockRow(tx, stored.id, row))) return
        if (!isMatching) throw new ApiError('conflict', 'The filter no longer matches it.')
        await (row.undo === null ? doRow(run, tx, row) : undoRow(run, tx, row, row.undo))
      })
      return
    } catch (error) {
      if (isPassing(error) || error instanceof JobFailure || job.signal.aborted) throw error
      const known = toApiError(error)
      if (known.kind === 'precondition-failed' && tries < triesMax) continue
      if (known.kind === 'internal')
        run.service.app.log.error(
          { job: job.id, error: (error as Error).name },
          'a row of a bulk action failed',
        )
      const state = row.undo === null ? 'refused' : 'done'
      await store.endRow(job.sql, stored.id, row.number, {
        state,
        reason: describeReason(known),
        undo: row.undo,
      })
      return
    }
  }
}

async function createCall({ service, stored, job }: Run, tx: Db): Promise<CallOperation> {
  const caller = await requireAsker(tx, stored)
  return (name, request) =>
    service.operations.get(name)!.call({ db: tx, caller, origin: job.origin, ...request })
}

async function doRow(run: Run, tx: Db, { number, subjectGuid, itemId }: store.BulkWorkRow): Promise<void> {
  const { stored } = run
  const { input, action } = stored
  const undo = await rowActions[action]!({
    tx,
    call: await createCall(run, tx),
    actionGuid: stored.id,
    subjectGuid,
    itemId,
    input,
  })
  await store.endRow(tx, stored.id, number, { state: 'done', undo })
}

async function undoRow(
  run: Run,
  tx: Db,
  { number, subjectGuid }: store.BulkWorkRow,
  undo: Undo,
): Promise<void> {
  const call = await createCall(run, tx)
  await requireUnchanged(tx, subjectGuid, undo)
  // The letter of several cases is withdrawn once.
  if (undo.operation === 'withdrawLetter' && !(await store.lockLetter(tx, undo)))
    return store.endRow(tx, run.stored.id, number, { state: 'undone' })
  const { operation, version, strategy: _strategy, ...request } = undo
  const ifMatch = version === undefined ? undefined : `"${version}"`
  await call(operation, { ...request, ...(ifMatch !== undefined && { ifMatch }) })
  await store.endRow(tx, run.stored.id, number, { state: 'undone' })
}
