/** A node whose job queue stands still says so, starts it again, and goes on when it can. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { startApi, type TestApi } from '../../testing/api.ts'
import { runJobs, waitForJob } from '../../testing/jobs.ts'
import { insertJobs } from './jobs.store.ts'
import type { JobRunner } from './run-jobs.ts'

let api: TestApi
let runner: JobRunner
before(async () => {
  api = await startApi()
  runner = await runJobs(api, { kinds: [{ kind: 'quick', run: async () => ({}) }] })
})
after(async () => {
  await runner.stop()
  await api.close()
})

const readiness = async () => {
  const response = await fetch(`${api.address}/health/ready`)
  return `${response.status} ${await response.text()}`
}
const readMetric = async () => {
  const response = await fetch(`${api.address}/metrics`, {
    headers: { authorization: `Bearer ${api.token}` },
  })
  return Number(/^fordra_job_queue_still_seconds (\S+)$/m.exec(await response.text())?.[1])
}

test('readiness and a metric tell while the queue stands still; then it goes on by itself', async () => {
  const { queue } = api.app.service
  queue.stillAfterMs = 3_000
  assert.match(await readiness(), /^200/)
  assert.equal(await readMetric(), 0)
  await api.sql.begin(async (tx) => {
    // Whoever looks for jobs waits for this lock.
    await tx`lock table graphile_worker._private_jobs in access exclusive mode`
    while (!/^503 .*job queue of this node stands still/.test(await readiness())) await sleep(50)
    assert.ok((await readMetric()) >= 3)
    assert.equal((await fetch(`${api.address}/health/live`)).status, 200)
    // Until it was started again, which gives a sign.
    while (queue.stillSeconds() > 0) await sleep(50)
  })
  const ids = await insertJobs(
    api.sql,
    Array.from({ length: 20 }, () => ({
      kind: 'quick',
      name: 'quick',
      payload: {},
      askedBy: null,
      requestId: null,
    })),
  )
  for (const id of ids) assert.equal((await waitForJob(api, id)).status, 'completed')
  while (!(await readiness()).startsWith('200')) await sleep(50)
})

test('a queue whose places are all taken does not stand still', async () => {
  const { queue } = api.app.service
  queue.stillAfterMs = 0
  queue.watch(() => true)
  assert.equal(queue.stillSeconds(), 0)
  queue.watch(() => false)
  assert.ok(queue.stillSeconds() >= 0)
  queue.stop()
  assert.equal(queue.stillSeconds(), 0)
})
