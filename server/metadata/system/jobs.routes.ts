import * as contract from '../../../contract/platform/jobs.ts'
import { inTransaction } from '../../platform/database/transaction.ts'
import { ApiError, done, notFound } from '../../platform/http/errors.ts'
import { serve } from '../../access/serve/route.ts'
import type { ServerContext } from '../../access/serve/server-context.ts'
import { cancelJob, findJob, listJobs, retryJobs } from '../../platform/jobs/jobs.store.ts'

export function serveJobs(service: ServerContext): void {
  const { clock, totals } = service

  serve(service, contract.listJobs, async ({ db, query }) => ({
    body: await listJobs(db, query, { totals, today: clock.today() }),
  }))

  serve(service, contract.getJob, async ({ db, caller, params }) => {
    const job = await findJob(db, params.jobId)
    const isTheirs = caller.accessCodes.has('system.admin') || job?.requestedBy === caller.userId
    if (!job || !isTheirs) throw notFound('job')
    return { body: job }
  })

  serve(service, contract.cancelJob, async ({ db, params, origin, path }) => {
    const outcome = await inTransaction(db, (tx) => cancelJob(tx, params.jobId, origin))
    if (outcome === undefined)
      throw await explainRefusal(
        db,
        params.jobId,
        'The job has ended: only a waiting or running job can be cancelled.',
      )
    return {
      body: done(outcome === 'cancelled' ? 'The job is cancelled.' : 'The job is cancelled.', path),
    }
  })

  serve(service, contract.retryJob, async ({ db, params, path }) => {
    const count = await inTransaction(db, (tx) => retryJobs(tx, params.jobId))
    if (count === 0) {
      throw await explainRefusal(
        db,
        params.jobId,
        'Only a failed or cancelled job can be retried, and only while no other job with its unique key exists.',
      )
    }
    return { body: done('The job is queued for another attempt.', path) }
  })
}

async function explainRefusal(
  db: Parameters<typeof findJob>[0],
  jobId: string,
  detail: string,
): Promise<ApiError> {
  return (await findJob(db, jobId)) ? new ApiError('conflict', detail) : notFound('job')
}
