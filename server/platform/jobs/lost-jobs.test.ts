/** Jobs whose entry in the queue, or whose start, is lost. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { startApi, type TestApi } from '../../testing/api.ts'
import { runJobs, waitForJob } from '../../testing/jobs.ts'
import { JobFailure, type JobKind, type RunningJob } from './job.ts'
import { cancelJob, insertJob, insertJobs, type NewJob } from './jobs.store.ts'
import { queueLostJobs } from './lost-jobs.ts'

let api: TestApi
before(async () => {
  api = await startApi()
})
after(() => api.close())

const newJob = (kind: string): NewJob => ({ kind, name: kind, payload: {}, askedBy: null, requestId: null })

/** What a database loses that is killed right after the start of an attempt: its commit does not wait for the disk. */
const loseStart = (id: string) => api.sql`
  update job_run set status = 'waiting', attempts = 0, attempt_id = null, started_at = null where id = ${id}`

const loseFirstStart = (kind: string, end: (job: RunningJob) => Promise<unknown>): JobKind => {
  let runs = 0
  return {
    kind,
    run: async (job) => {
      runs += 1
      if (runs > 1) return { runs }
      await loseStart(job.id)
      await end(job)
      return {}
    },
  }
}

test('a job whose start the database lost runs again, however the attempt ends', async (t) => {
  const kinds = [
    loseFirstStart('returns', async () => {}),
    loseFirstStart('reports', ({ progress }) => progress(1, 2)),
    loseFirstStart('fails', () => Promise.reject(new Error('stumbled'))),
    loseFirstStart('fails for good', () => Promise.reject(new JobFailure('will never do'))),
    loseFirstStart('completes', ({ complete }) => complete(async () => ({}))),
  ]
  const runner = await runJobs(api, { kinds })
  t.after(() => runner.stop())
  const ids = await insertJobs(
    api.sql,
    kinds.map(({ kind }) => newJob(kind)),
  )
  for (const id of ids) {
    const { status, result } = await waitForJob(api, id)
    assert.deepEqual([status, result], ['completed', { runs: 2 }])
  }
})

test('a job without an entry in the queue gets one again, and no other job does', async () => {
  const lost = (await insertJob(api.sql, newJob('returns')))!
  const queued = (await insertJob(api.sql, newJob('returns')))!
  const cancelled = (await insertJob(api.sql, newJob('returns')))!
  await cancelJob(api.sql, cancelled, {
    actorId: null,
    requestId: null,
    operation: 'test',
    businessDate: '2026-01-01',
  })
  await api.sql`select from graphile_worker.remove_job(${lost})`
  const entries = await api.sql<{ id: string; key: string }[]>`select id::text, key from graphile_worker.jobs`
  assert.deepEqual(
    entries.map(({ key }) => key),
    [queued],
  )

  assert.equal(await queueLostJobs(api.sql), 1)
  assert.equal(await queueLostJobs(api.sql), 0)
  const later = await api.sql<
    { id: string; key: string }[]
  >`select id::text, key from graphile_worker.jobs order by id`
  assert.deepEqual(
    later.map(({ key }) => key),
    [queued, lost],
  )
  assert.equal(later[0]!.id, entries[0]!.id)
})

test('a running node queues such jobs by itself', async (t) => {
  const id = (await insertJob(api.sql, newJob('returns')))!
  await api.sql`select from graphile_worker.remove_job(${id})`
  const runner = await runJobs(api, { kinds: [{ kind: 'returns', run: async () => ({}) }] })
  t.after(() => runner.stop())
  assert.equal((await waitForJob(api, id)).status, 'completed')
})
