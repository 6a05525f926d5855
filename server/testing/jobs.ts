import assert from 'node:assert/strict'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Job } from '../../contract/platform/jobs.ts'
import type { JobRegistry } from '../platform/jobs/job.ts'
import { startJobs, type JobRunner } from '../platform/jobs/run-jobs.ts'
import type { TestApi } from './api.ts'

/** Runs jobs on a node of the test: its own, and more if given. */
export const runJobs = (api: TestApi, more: Partial<JobRegistry> = {}): Promise<JobRunner> => {
  const { service, jobs } = api.app
  return startJobs({
    url: api.databaseUrl,
    sql: service.sql,
    registry: {
      kinds: [...jobs.kinds, ...(more.kinds ?? [])],
      tasks: { ...jobs.tasks, ...more.tasks },
      schedules: more.schedules ?? [],
      schedulers: more.schedulers ?? [],
      sweeps: more.sweeps ?? [],
    },
    today: service.clock.today,
    concurrency: 4,
    onError: () => {},
    health: service.queue,
  })
}

/** Waits until the job has ended; the test runner's own limit ends a wait in vain. */
export async function waitForJob(api: TestApi, jobId: string): Promise<Job> {
  return waitForJobUntil(api, jobId, ({ endedAt }) => endedAt !== null)
}

export async function waitForJobUntil(
  api: TestApi,
  jobId: string,
  condition: (job: Job) => boolean,
): Promise<Job> {
  for (;;) {
    const { status, body } = await api.call<Job>('GET', `/jobs/${jobId}`)
    assert.equal(status, 200)
    if (condition(body)) return body
    await sleep(50)
  }
}
