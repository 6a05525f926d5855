/** Nodes that share the queue: jobs that one node fetched and cannot run soon run on another. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { startApi, type TestApi } from '../../testing/api.ts'
import { runJobs, waitForJob } from '../../testing/jobs.ts'
import type { JobKind } from './job.ts'
import { insertJobs } from './jobs.store.ts'

let api: TestApi
before(async () => {
  api = await startApi()
})
after(() => api.close())

/** Nodes run four jobs at once; one alone fetches all eight. */
async function openNodes(kind: string) {
  const begun: string[] = []
  const gate = Promise.withResolvers<void>()
  const start = (node: string) => {
    const run: JobKind['run'] = async () => {
      begun.push(node)
      await gate.promise
    }
    return runJobs(api, { kinds: [{ kind, run }] })
  }
  const begunBy = (node: string) => begun.filter((one) => one === node).length
  const untilBegun = async (node: string, count: number) => {
    while (begunBy(node) < count) await sleep(10)
  }
  const jobs = Array.from({ length: 8 }, () => ({
    kind,
    name: kind,
    payload: {},
    askedBy: null,
    requestId: null,
  }))
  const first = await start('first')
  const ids = await insertJobs(api.sql, jobs)
  await untilBegun('first', 4)
  return { first, start, ids, begun, begunBy, untilBegun, open: gate.resolve }
}

async function assertDoneOnce(ids: string[], begun: string[]): Promise<void> {
  for (const id of ids) {
    const { status, attempts } = await waitForJob(api, id)
    assert.deepEqual([status, attempts], ['completed', 1], 'being fetched is no attempt')
  }
  assert.equal(begun.length, ids.length)
}

test('a node with long jobs returns its other fetched jobs for another node', async () => {
  const { first, start, ids, begun, begunBy, untilBegun, open } = await openNodes('long')
  const second = await start('second')
  await untilBegun('second', 4)
  assert.equal(begunBy('first'), 4)
  open()
  await assertDoneOnce(ids, begun)
  await Promise.all([first.stop(), second.stop()])
})

test('a stopping node returns them at once, and finishes its running jobs', async () => {
  const { first, start, ids, begun, begunBy, untilBegun, open } = await openNodes('ending')
  const second = await start('second')
  const stopped = first.stop()
  await untilBegun('second', 4)
  assert.equal(begunBy('first'), 4)
  open()
  await stopped
  await assertDoneOnce(ids, begun)
  await second.stop()
})

test('a named queue goes on after a node that was taken for dead ended the job of another', async () => {
  const gates = new Map([1, 2].map((run) => [run, Promise.withResolvers<void>()]))
  const begun: string[] = []
  const filled = Promise.withResolvers<void>()
  const fillers: true[] = []
  const start = (node: string, more = {}) =>
    runJobs(api, {
      tasks: {
        ...more,
        named: async (payload) => {
          begun.push(`${node} ${(payload as { part: string }).part}`)
          await gates.get(begun.length)?.promise
        },
      },
    })
  const untilBegun = async (count: number) => {
    while (begun.length < count) await sleep(10)
  }
  const add = (part: string) =>
    api.sql`select from graphile_worker.add_job('named', json_build_object('part', ${part}::text), queue_name := 'named')`
  const findJobs = () => api.sql<{ pool: string | null }[]>`
    select locked_by as pool from graphile_worker.jobs where task_identifier = 'named'`
  const filler = async () => {
    fillers.push(true)
    await filled.promise
  }
  const first = await start('first', { filler })
  await api.sql`select graphile_worker.add_job('filler') from generate_series(1, 3)`
  await add('a')
  await untilBegun(1)
  while (fillers.length < 3) await sleep(10)
  const [taken] = await findJobs()
  // What another node does when this one has lost the connection by which it is known to live.
  await api.sql`select from graphile_worker.force_unlock_workers(${[taken!.pool]}::text[])`
  const second = await start('second')
  await untilBegun(2)
  gates.get(1)!.resolve()
  while ((await findJobs()).length > 0) await sleep(10)
  gates.get(2)!.resolve()
  await add('b')
  await untilBegun(3)
  assert.deepEqual(begun.slice(0, 2), ['first a', 'second a'])
  assert.equal(begun[2]!.slice(-1), 'b')
  filled.resolve()
  await Promise.all([first.stop(), second.stop()])
})
