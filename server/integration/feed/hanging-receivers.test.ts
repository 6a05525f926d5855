/** Receivers that take a delivery and never answer hold at most half of a node's jobs. */
import assert from 'node:assert/strict'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { agencyItself } from '../../platform/http/caller.ts'
import type { JobRunner } from '../../platform/jobs/run-jobs.ts'
import { startApi, type TestApi } from '../../testing/api.ts'
import { runJobs, waitForJob } from '../../testing/jobs.ts'
import { createDeliveries } from './create-deliveries.ts'
import { createWebhook } from './webhooks.changes.ts'

/** The paths of the deliveries that hang, and the most at once. */
const hanging = new Map<string, number>()
let most = 0
const receiver = createServer((request) => {
  const path = request.url!
  hanging.set(path, (hanging.get(path) ?? 0) + 1)
  most = Math.max(most, hanging.size)
  request.resume()
  request.socket.on('close', () => hanging.delete(path))
})

let api: TestApi
let runner: JobRunner | undefined
before(async () => {
  await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve))
  api = await startApi({
    FORDRA_PRIVATE_TARGETS: '1',
    FORDRA_JOBS: '4',
    FORDRA_SERVICES: join(import.meta.dirname, '../../testing/services'),
  })
})
after(async () => {
  receiver.closeAllConnections()
  receiver.close()
  await runner?.stop()
  await api.close()
})

test('other jobs go on while every webhook hangs', async () => {
  const { port } = receiver.address() as AddressInfo
  const origin = { actorId: null, requestId: null, operation: 'test', businessDate: '2026-01-01' }
  const { settings, outbound } = api.app.service
  for (let number = 0; number < 8; number++) {
    const input = { url: `http://127.0.0.1:${port}/${number}`, types: ['debtor.created'] }
    await createWebhook(api.sql, agencyItself, input, { origin, settings, outbound })
  }
  assert.equal((await api.call('POST', '/debtors', { body: { lastname: 'Ek' } })).status, 201)
  // Transactions elsewhere in the cluster hold up what the feed shows.
  for (let made = 0; made < 8; await sleep(20)) made += await createDeliveries(api.sql)
  runner = await runJobs(api)
  while (hanging.size < 2) await sleep(10)
  for (let count = 0; count < 6; count++) {
    const answer = await api.call('POST', '/users/services/echo?async=true', { body: {} })
    const job = await waitForJob(api, answer.headers.get('location')!.split('/').at(-1)!)
    assert.equal(job.status, 'completed')
  }
  assert.equal(most, 2)
})
