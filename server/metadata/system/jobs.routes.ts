import * as contract from '../../../contract/platform/jobs.ts'
import type { Job } from '../../../contract/platform/jobs.ts'
import { inTransaction, type Db } from '../../platform/database/transaction.ts'
import type { Caller } from '../../platform/http/caller.ts'
import { ApiError, done, notFound } from '../../platform/http/errors.ts'
import { serve } from '../../access/serve/route.ts'
import type { ServerContext } from '../../access/serve/server-context.ts'
import { kindsOfUsers, readableResults, visibleJobs } from './jobs.scope.ts'
import { cancelJob, filterJobs, findJob, listJobs, retryJobs } from '../../platform/jobs/jobs.store.ts'

export function serveJobs(service: ServerContext): void {
  const { clock, totals } = service

  serve(service, contract.listJobs, async ({ db, caller, query }) => {
    const page = await listJobs(db, visibleJobs(caller), query, { totals, today: clock.today() })
    return { body: { ...page, value: await withReadableResults(db, caller, page.value) } }
  })

  serve(service, contract.getJob, async ({ db, caller, params }) => {
    const job = await findJob(db, visibleJobs(caller), params.jobId)
    if (!job) throw notFound('job')
    return { body: (await withReadableResults(db, caller, [job]))[0]! }
  })

  serve(service, contract.cancelJob, async ({ db, caller, params, origin, path }) => {
    await requireJob(db, caller, params.jobId)
    const outcome = await inTransaction(db, (tx) => cancelJob(tx, params.jobId, origin))
    if (outcome === undefined)
      throw new ApiError('conflict', 'The job has ended: only a waiting or running job can be cancelled.')
    return {
      body: done(
        outcome === 'cancelled'
          ? 'The job is cancelled.'
          : 'The job was asked to stop. It is cancelled once it has stopped.',
        path,
      ),
    }
  })

  serve(service, contract.retryJob, async ({ db, caller, params, path }) => {
    await requireJob(db, caller, params.jobId)
    const takeover = { askedBy: caller.userId, exceptKinds: kindsOfUsers }
    const count = await inTransaction(db, (tx) => retryJobs(tx, params.jobId, takeover))
    if (count === 0) {
      throw new ApiError(
        'conflict',
        'Only a failed or cancelled job can be retried, and only while no other job with its unique key exists.',
      )
    }
    return { body: done('The job is queued for another attempt.', path) }
  })
}

async function requireJob(db: Db, caller: Caller, jobId: string): Promise<void> {
  if (!(await findJob(db, visibleJobs(caller), jobId))) throw notFound('job')
}

/** Jobs without the results that the caller may not read. */
async function withReadableResults(db: Db, caller: Caller, jobs: readonly Job[]): Promise<Job[]> {
  const readable = await filterJobs(
    db,
    readableResults(caller),
    jobs.map(({ jobId }) => jobId),
  )
  return jobs.map((job) =>
    readable.has(job.jobId) ? withoutForeignResult(job, caller) : { ...job, result: null },
  )
}

/** Another user's service ran with that user's rights, so its result needs the right to read what services read. */
function withoutForeignResult(job: Job, { userId, accessCodes }: Caller): Job {
  const mayRead = accessCodes.has('service.read') && accessCodes.has('debtor.read')
  return job.kind !== 'service' || job.requestedBy === userId || mayRead ? job : { ...job, result: null }
}
