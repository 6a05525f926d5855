import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Job } from '../../../contract/platform/jobs.ts'
import type { Problem } from '../../../contract/platform/problem.ts'
import { startApi, type TestApi } from '../../testing/api.ts'
import { runJobs, waitForJob, waitForJobUntil } from '../../testing/jobs.ts'
import { JobFailure, type JobKind } from './job.ts'
import { insertJob, insertJobs, retryJobs, type NewJob } from './jobs.store.ts'
import type { JobRunner } from './run-jobs.ts'
import { enqueueScheduled, dailySlot } from './schedules.ts'

let api: TestApi
let runner: JobRunner
const ran: string[] = []
let held = 0
let heldMost = 0

const kinds: JobKind<{ text?: string; times?: number }>[] = [
  {
    kind: 'echo',
    run: async ({ payload, name }) => {
      ran.push(name)
      return { said: payload.text ?? null }
    },
  },
  {
    kind: 'stumbling',
    attemptsMax: 3,
    run: async ({ attempt, payload }) => {
      if (attempt <= (payload.times ?? 1)) throw new Error(`stumbled at ${attempt}`)
      return { attempt }
    },
  },
  { kind: 'unwritable', run: async () => ({ said: '\u0000' }) },
  {
    kind: 'refusing',
    run: async () => {
      throw new JobFailure('will never do')
    },
  },
  {
    kind: 'waiting',
    run: async ({ signal, progress }) => {
      await progress(1, 4)
      await new Promise((_resolve, reject) => signal.addEventListener('abort', () => reject(signal.reason)))
    },
  },
  {
    kind: 'telling',
    run: async ({ payload, progress, complete }) => {
      for (const done of [0, 1, 2]) await progress(done, 5)
      if (payload.text === 'fail') throw new JobFailure('after two')
      if (payload.text === 'complete') return complete(async () => ({}))
      return {}
    },
  },
  {
    kind: 'narrow',
    concurrency: 1,
    run: async () => {
      heldMost = Math.max(heldMost, ++held)
      await sleep(20)
      held--
    },
  },
]

before(async () => {
  api = await startApi()
  runner = await runJobs(api, { kinds: kinds as JobKind[] })
})
after(async () => {
  await runner.stop()
  await api.close()
})

const newJob = (kind: string, more: Partial<NewJob> = {}): NewJob => ({
  kind,
  name: kind,
  payload: {},
  askedBy: null,
  requestId: null,
  ...more,
})
const ask = async (kind: string, more: Partial<NewJob> = {}) =>
  (await insertJob(api.sql, newJob(kind, more)))!

test('only getJob returns a large result', async () => {
  const jobId = await ask('echo', { payload: { text: 'å'.repeat(6000) }, name: 'long' })
  assert.equal((await waitForJob(api, jobId)).result!['said'], 'å'.repeat(6000))
  const { body } = await api.call<{ value: Job[] }>('GET', "/jobs?$filter=name eq 'long'")
  assert.deepEqual(
    body.value.map((one) => [one.jobId, one.status, one.result]),
    [[jobId, 'completed', null]],
  )
})

test('a job runs, and getJob and listJobs show its history', async () => {
  const jobId = await ask('echo', { payload: { text: 'hej' }, name: 'greeting' })
  const job = await waitForJob(api, jobId)
  assert.equal(job.status, 'completed')
  assert.deepEqual(job.result, { said: 'hej' })
  assert.deepEqual([job.attempts, job.attemptsMax, job.lastError], [1, 10, null])
  const { body } = await api.call<{ total: number; value: Job[] }>('GET', "/jobs?$filter=name eq 'greeting'")
  assert.deepEqual(
    body.value.map((one) => one.jobId),
    [jobId],
  )
  const unknown = await api.call('GET', '/jobs/01900000-0000-7000-8000-000000000000')
  assert.equal(unknown.status, 404)
  const token = await api.signIn(3)
  assert.equal((await api.call('GET', '/jobs', { token })).status, 403)
  assert.equal((await api.call('GET', `/jobs/${jobId}`, { token })).status, 404, 'it is not theirs')
  const [user] = await api.sql<{ id: string }[]>`select id from app_user where user_role = 3`
  const own = await ask('echo', { askedBy: user!.id })
  assert.equal((await api.call('GET', `/jobs/${own}`, { token })).status, 200)
  const reader = await api.signIn(5)
  assert.equal((await api.call('GET', `/jobs/${own}`, { token: reader })).status, 403)
})

test("an uncommitted job does not run, and a job's end is an event", async () => {
  const jobs = api.sql.begin(async (tx) => {
    await insertJob(tx, newJob('echo', { name: 'undone' }))
    throw new Error('undone')
  })
  await assert.rejects(jobs, /undone/)
  const jobId = await ask('echo', { name: 'done' })
  await waitForJob(api, jobId)
  assert.ok(!ran.includes('undone'))
  const events = await api.sql`select type, sequence, data from event where subject = ${jobId}`
  assert.deepEqual(
    [...events],
    [{ type: 'job.completed', sequence: 1, data: { jobId, kind: 'echo', name: 'done' } }],
  )
})

test("a job whose result cannot be stored fails alone; each end's event has the requesting user", async () => {
  const users = await api.sql<{ id: string }[]>`select id from app_user order by id limit 2`
  const jobs = Array.from({ length: 12 }, (_, index) =>
    newJob(index % 4 === 0 ? 'unwritable' : 'echo', {
      attemptsMax: 1,
      askedBy: users[index % 2]!.id,
      requestId: `request-${index}`,
    }),
  )
  const ids = await insertJobs(api.sql, jobs)
  const ended = await Promise.all(ids.map((jobId) => waitForJob(api, jobId)))
  assert.deepEqual(
    ended.map(({ status }) => status),
    jobs.map(({ kind }) => (kind === 'echo' ? 'completed' : 'failed')),
  )
  const entries = await api.sql<{ actor: string; request: string }[]>`
    select actor_id as actor, request_id as request from audit_entry where subject = any(${ids}::uuid[]) order by subject`
  assert.deepEqual(
    entries.map(({ actor, request }) => [actor, request]),
    jobs.map(({ askedBy, requestId }) => [askedBy, requestId]),
  )
})

test('a failed attempt is retried with growing delays, and the error is visible meanwhile', async () => {
  const jobId = await ask('stumbling')
  const between = await waitForJobUntil(api, jobId, ({ lastError }) => lastError !== null)
  assert.equal(between.status, 'waiting')
  assert.equal(between.lastError, 'stumbled at 1')
  const [queued] = await api.sql<{ later: boolean }[]>`
    select run_at >= created_at + exp(1) * interval '1 second' as later from graphile_worker.jobs where key = ${jobId}`
  assert.equal(queued!.later, true)
  // Skips the queue's own delay.
  await api.sql`select graphile_worker.reschedule_jobs(array(select id from graphile_worker.jobs where key = ${jobId}), run_at := now())`
  const job = await waitForJob(api, jobId)
  assert.equal(job.status, 'completed')
  assert.equal(job.attempts, 2)
})

test('a job without attempts left stays failed until retryJob, and is not in the queue', async () => {
  const jobId = await ask('refusing')
  const job = await waitForJob(api, jobId)
  assert.deepEqual([job.status, job.attempts, job.lastError], ['failed', 1, 'will never do'])
  const lastTry = await ask('stumbling', { attemptsMax: 1 })
  assert.equal((await waitForJob(api, lastTry)).status, 'failed')
  const left = await api.sql`select from graphile_worker.jobs where key in ${api.sql([jobId, lastTry])}`
  assert.equal(left.length, 0)
  assert.equal((await api.call('POST', `/jobs/${jobId}/retry`)).status, 200)
  const again = await waitForJob(api, jobId)
  assert.deepEqual([again.status, again.attempts], ['failed', 1])
  const sequence = await api.sql`select sequence from event where subject = ${jobId} order by sequence`
  assert.deepEqual(
    sequence.map((event) => event['sequence']),
    [1, 2],
  )
})

test('retry-jobs retries the newest failed job of a unique key, and later the others', async () => {
  const failed: string[] = []
  for (let count = 0; count < 2; count++) {
    const jobId = await ask('refusing', { uniqueKey: 'only one' })
    assert.equal((await waitForJob(api, jobId)).status, 'failed')
    failed.push(jobId)
  }
  await runner.stop()
  const waiting = async () => {
    const rows = await api.sql`select id from job_run where status = 'waiting' and id in ${api.sql(failed)}`
    return rows.map(({ id }) => id as string)
  }
  assert.ok((await retryJobs(api.sql, null)) >= 1)
  assert.deepEqual(await waiting(), [failed[1]])
  await retryJobs(api.sql, null)
  assert.deepEqual(await waiting(), [failed[1]])
  runner = await runJobs(api, { kinds: kinds as JobKind[] })
  await waitForJob(api, failed[1]!)
})

test('cancelJob ends a waiting job at once and a running one soon; an ended one is a conflict', async () => {
  const runningId = await ask('waiting')
  const running = await waitForJobUntil(api, runningId, ({ progressTotal }) => progressTotal === 4)
  assert.deepEqual([running.status, running.progressDone], ['running', 1])
  assert.equal((await api.call('POST', `/jobs/${runningId}/cancel`)).status, 200)
  assert.equal((await waitForJob(api, runningId)).status, 'cancelled')
  const again = await api.call<Problem>('POST', `/jobs/${runningId}/cancel`)
  assert.deepEqual([again.status, again.body.code], [409, 'conflict'])
  const waitingId = await ask('stumbling')
  await waitForJobUntil(api, waitingId, ({ lastError }) => lastError !== null)
  await api.call('POST', `/jobs/${waitingId}/cancel`)
  assert.equal((await waitForJob(api, waitingId)).status, 'cancelled')
  assert.equal((await api.call('POST', `/jobs/${waitingId}/retry`)).status, 200)
  await waitForJobUntil(api, waitingId, ({ lastError, status }) => lastError !== null && status === 'waiting')
  const unknown = '/jobs/01900000-0000-7000-8000-000000000000'
  assert.equal((await api.call('POST', `${unknown}/cancel`)).status, 404)
  assert.equal((await api.call('POST', `${unknown}/retry`)).status, 404)
  const completed = await ask('echo')
  await waitForJob(api, completed)
  assert.equal((await api.call('POST', `/jobs/${completed}/retry`)).status, 409)
})

test('the last reported progress is stored, however a job ends', async () => {
  for (const text of ['return', 'complete', 'fail']) {
    const { status, progressDone, progressTotal } = await waitForJob(
      api,
      await ask('telling', { payload: { text } }),
    )
    assert.deepEqual([status, progressDone, progressTotal], [text === 'fail' ? 'failed' : 'completed', 2, 5])
  }
  const quiet = await waitForJob(api, await ask('echo'))
  assert.deepEqual([quiet.progressDone, quiet.progressTotal], [null, null])
})

test("a kind's own concurrency limit is respected", async () => {
  const ids = await insertJobs(
    api.sql,
    Array.from({ length: 6 }, () => newJob('narrow')),
  )
  for (const id of ids) await waitForJob(api, id)
  assert.equal(heldMost, 1)
})

test('only one job with a unique key can wait or run', async () => {
  const first = await ask('waiting', { uniqueKey: 'only-one' })
  assert.equal(await insertJob(api.sql, newJob('echo', { uniqueKey: 'only-one' })), undefined)
  await api.call('POST', `/jobs/${first}/cancel`)
  await waitForJob(api, first)
  assert.ok(await insertJob(api.sql, newJob('echo', { uniqueKey: 'only-one' })))
})

test('a schedule is enqueued once per slot, by whichever node is first', async () => {
  const asked: string[] = []
  const schedule = () => ({
    name: 'nightly',
    slot: () => '2026-11-21',
    ask: async (tx: Parameters<typeof insertJob>[0]) => {
      asked.push('asked')
      return insertJob(tx, newJob('echo'))
    },
  })
  const nodes = Array.from({ length: 5 }, schedule)
  await Promise.all(nodes.map((one) => enqueueScheduled(api.sql, one, new Date())))
  assert.equal(asked.length, 1)
})

const slot = (time: string, hour: number) => dailySlot('Europe/Stockholm', hour, new Date(time))

test('the slot of a daily schedule starts at its hour in the zone, also when clocks change', () => {
  assert.equal(slot('2026-11-20T23:30:00Z', 1), undefined)
  assert.equal(slot('2026-11-21T00:00:00Z', 1), '2026-11-21')
  assert.equal(slot('2026-11-21T22:59:00Z', 1), '2026-11-21')
  // 29 March 2026: 02:00 does not exist.
  assert.equal(slot('2026-03-29T00:59:00Z', 2), undefined)
  assert.equal(slot('2026-03-29T01:00:00Z', 2), '2026-03-29')
  // 25 October 2026: 02:00 occurs twice, but the slot only once.
  assert.equal(slot('2026-10-25T00:00:00Z', 2), '2026-10-25')
  assert.equal(slot('2026-10-25T01:00:00Z', 2), '2026-10-25')
})

test('a runner whose connections are cut one after the other keeps running', async () => {
  for (let round = 0; round < 3; round++) {
    const cut = await api.sql`
      select pg_terminate_backend(pid) from pg_stat_activity
      where application_name = 'fordra jobs' and datname = current_database()`
    assert.ok(cut.length > 0)
    const jobId = await ask('echo', { name: `after the cut ${round}` })
    assert.equal((await waitForJob(api, jobId)).status, 'completed')
  }
})

test('a runner whose connections are cut while it records ends of jobs keeps running, and can be stopped', async () => {
  const own = await runJobs(api, { kinds: kinds as JobKind[] })
  const jobIds = await insertJobs(
    api.sql,
    Array.from({ length: 1000 }, () => newJob('echo', { name: 'many' })),
  )
  const completed = async () => {
    const [row] = await api.sql<{ count: number }[]>`
      select count(*)::int from job_run where id = any(${jobIds}) and status = 'completed'`
    return row!.count
  }
  for (let done = 0; done < 500; done = await completed()) {
    await sleep(20)
    await api.sql`
      select pg_terminate_backend(pid) from pg_stat_activity
      where application_name = 'fordra jobs' and datname = current_database() and query ~ '^(delete from|with j as .delete)'`
  }
  await own.stop()
  while ((await completed()) < jobIds.length) await sleep(50)
})

test("the queue's tables have the version that its library expects", async () => {
  const [row] = await api.sql`select max(id)::int as last from graphile_worker.migrations`
  const { migrations } = (await import('graphile-worker/dist/generated/sql.js' as string).catch(() => ({
    migrations: null,
  }))) as { migrations: object | null }
  if (migrations !== null) assert.equal(row!['last'], Object.keys(migrations).length)
  assert.equal(row!['last'], 20)
})
