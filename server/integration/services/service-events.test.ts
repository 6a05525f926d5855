/** The events of every scope, run at once or as a job, to each outcome: numbered without gaps, as their record counts. */
import assert from 'node:assert/strict'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Job } from '../../../contract/platform/jobs.ts'
import type { JobRunner } from '../../platform/jobs/run-jobs.ts'
import { startApi, type TestApi } from '../../testing/api.ts'
import { runJobs, waitForJob, waitForJobUntil } from '../../testing/jobs.ts'

const folder = join(import.meta.dirname, '../../testing/services')
let api: TestApi
let runner: JobRunner
before(async () => {
  api = await startApi({ FORDRA_SERVICES: folder })
  runner = await runJobs(api)
})
after(async () => {
  await runner.stop()
  await api.close()
})

type Table = 'debtor' | 'app_user'
interface Target {
  path: string
  item?: { table: Table; guid: string }
}
const debtorTarget = async (): Promise<Target> => {
  const { body } = await api.call<{ debtorGuid: string }>('POST', '/debtors', { body: { lastname: 'Ek' } })
  return {
    path: `/debtors/${body.debtorGuid}/services/note`,
    item: { table: 'debtor', guid: body.debtorGuid },
  }
}
let users = 0
const userTarget = async (): Promise<Target> => {
  const guid = await api.addUser({
    email: `handler${++users}@agency.example`,
    password: 'a long enough password',
  })
  return { path: `/users/${guid}/services/leaver`, item: { table: 'app_user', guid } }
}
/** Each scope with the inputs that make its service return, fail, and fail in the first attempt only. */
const scopes: {
  scope: string
  target: () => Promise<Target>
  inputs: { returns: object; fails: object; failsOnce: object }
}[] = [
  {
    scope: 'debtor (D25)',
    target: debtorTarget,
    inputs: {
      returns: { name: 'x' },
      fails: { name: 'x', after: 'fail' },
      failsOnce: { name: 'x', after: 'fail-once' },
    },
  },
  {
    scope: 'user (U13)',
    target: userTarget,
    inputs: { returns: { how: 'return' }, fails: { how: 'fail' }, failsOnce: { how: 'fail-once' } },
  },
  ...['users', 'debtors'].map((of) => ({
    scope: `global (${of})`,
    target: async () => ({ path: `/${of}/services/echo` }),
    inputs: { returns: {}, fails: { fail: 'told' }, failsOnce: { fail: 'once' } },
  })),
]

const invoke = async (path: string, body: object, status: number): Promise<string> => {
  const answer = await api.call('POST', path, { body })
  assert.equal(answer.status, status, answer.text)
  const location = answer.headers.get('location')
  if (location) return location.split('/').at(-1)!
  const [newest] = await api.sql<
    { id: string }[]
  >`select id from job_run where kind = 'service' order by created_at desc, id desc limit 1`
  return newest!.id
}
/** Runs the job's next attempt without the wait between attempts, until the job has ended. */
async function runToEnd(jobId: string): Promise<Job> {
  for (;;) {
    await api.sql`select graphile_worker.reschedule_jobs(array(select id from graphile_worker.jobs), run_at := now())`
    const { body } = await api.call<Job>('GET', `/jobs/${jobId}`)
    if (body.endedAt !== null) return body
    await sleep(50)
  }
}
const failedOnce = ({ lastError }: Job) => lastError !== null

const outcomes: {
  outcome: string
  run: (path: string, inputs: (typeof scopes)[number]['inputs']) => Promise<string>
  /** The service's event, and the job's. A run at once has no event of its job. */
  service: string[]
  job: string[]
}[] = [
  {
    outcome: 'completed at once',
    run: (path, { returns }) => invoke(path, returns, 200),
    service: ['service.completed'],
    job: [],
  },
  {
    outcome: 'failed at once',
    run: (path, { fails }) => invoke(path, fails, 502),
    service: ['service.failed'],
    job: [],
  },
  {
    outcome: 'failed at once, then retried as a job',
    run: async (path, { failsOnce }) => {
      const jobId = await invoke(path, failsOnce, 502)
      await api.sql`update job_run set attempts_max = 10 where id = ${jobId}`
      assert.equal((await api.call('POST', `/jobs/${jobId}/retry`)).status, 200)
      assert.equal((await runToEnd(jobId)).attempts, 2)
      return jobId
    },
    service: ['service.failed', 'service.completed'],
    job: ['job.completed'],
  },
  {
    outcome: 'completed as a job',
    run: async (path, { returns }) => {
      const jobId = await invoke(`${path}?async=true`, returns, 202)
      await waitForJob(api, jobId)
      return jobId
    },
    service: ['service.completed'],
    job: ['job.completed'],
  },
  {
    outcome: 'completed as a job at the second attempt',
    run: async (path, { failsOnce }) => {
      const jobId = await invoke(`${path}?async=true`, failsOnce, 202)
      assert.equal((await runToEnd(jobId)).attempts, 2)
      return jobId
    },
    service: ['service.completed'],
    job: ['job.completed'],
  },
  {
    outcome: 'failed as a job at the last attempt',
    run: async (path, { fails }) => {
      const jobId = await invoke(`${path}?async=true`, fails, 202)
      await waitForJobUntil(api, jobId, failedOnce)
      await api.sql`update job_run set attempts_max = attempts + 1 where id = ${jobId}`
      assert.equal((await runToEnd(jobId)).status, 'failed')
      return jobId
    },
    service: ['service.failed'],
    job: ['job.failed'],
  },
]

/** The types of a subject's events, which are numbered from 1 to what the record counts. */
async function readEvents(table: Table | 'job_run', subject: string): Promise<string[]> {
  const events = await api.sql<{ type: string; sequence: number }[]>`
    select type, sequence from event where subject = ${subject} order by sequence`
  const [row] = await api.sql<{ count: number }[]>`
    select event_sequence as count from ${api.sql(table)} where id = ${subject}`
  assert.deepEqual(
    events.map(({ sequence }) => Number(sequence)),
    events.map((_, index) => index + 1),
    `${table}: ${JSON.stringify(events)}`,
  )
  assert.equal(Number(row!.count), events.length, `${table} counts its events`)
  return events.map(({ type }) => type)
}

for (const { scope, target, inputs } of scopes) {
  for (const { outcome, run, service, job } of outcomes) {
    test(`${scope}: ${outcome}`, async () => {
      const { path, item } = await target()
      const jobId = await run(path, inputs)
      const ofJob = await readEvents('job_run', jobId)
      if (item === undefined) {
        assert.deepEqual(ofJob.toSorted(), [...service, ...job].toSorted())
        return
      }
      const ofItem = await readEvents(item.table, item.guid)
      assert.deepEqual(
        ofItem.filter((type) => type.startsWith('service.')),
        service,
      )
      assert.deepEqual(ofJob, job)
    })
  }
}
