/** Services that misbehave: nothing they do is half stored, and the server goes on. */
import assert from 'node:assert/strict'
import { join } from 'node:path'
import { after, before, beforeEach, test } from 'node:test'
import type { Problem } from '../../../contract/platform/problem.ts'
import type { JobRunner } from '../../platform/jobs/run-jobs.ts'
import { startApi, type TestApi } from '../../testing/api.ts'
import { runJobs, waitForJobUntil } from '../../testing/jobs.ts'

let api: TestApi
let runner: JobRunner
let debtorGuid: string
before(async () => {
  api = await startApi({ FORDRA_SERVICES: join(import.meta.dirname, '../../testing/services') })
  runner = await runJobs(api)
})
beforeEach(async () => {
  const made = await api.call<{ debtorGuid: string }>('POST', '/debtors', { body: { lastname: 'Ek' } })
  debtorGuid = made.body.debtorGuid
})
after(async () => {
  await runner.stop()
  await api.close()
})

const invoke = (how: string, query = '') => {
  const code = how.endsWith('for ever') ? 'endless' : 'careless'
  return api.call<Problem>('POST', `/debtors/${debtorGuid}/services/${code}${query}`, { body: { how } })
}
const findNames = async () => {
  const { body } = await api.call<{ value: { name: string }[] }>('GET', `/debtors/${debtorGuid}/extrafields`)
  return body.value.map(({ name }) => name).toSorted()
}

for (const [how, status, told] of [
  ['forgets to await a call', 502, /Await each call/],
  ['forgets to await a transaction', 502, /Await each call/],
  ['logs for ever', 504, /was ended after 1 s/],
  // Memory or time runs out, whichever is first.
  ['asks for ever', [502, 504], /memory|was ended after 1 s/],
  ['says something of its own on the port', 502, /made an unknown call/],
  ['ends twice on the port', 502, /something other than an object|an error/],
  ['says too much on the port', 502, /sent too many messages/],
  ['returns NUL', 502, /NUL/],
  ['returns half of a character', 502, /incomplete character/],
  ['tells NUL', 502, /a\ufffdb/],
  ['returns a text', 502, /something other than an object/],
  ['returns a list', 502, /something other than an object/],
] as const)
  test(`a service that ${how} stores nothing, and its debtor can be changed afterwards (D25)`, async () => {
    for (let time = 0; time < 3; time++) {
      const answer = await invoke(how)
      assert.ok(([status].flat() as number[]).includes(answer.status), answer.text)
      assert.match(answer.body.detail, told)
    }
    assert.deepEqual(await findNames(), [])
    const changed = await api.call('PATCH', `/debtors/${debtorGuid}`, { body: { lastname: 'Alm' } })
    assert.equal(changed.status, 200, changed.text)
    const [row] = await api.sql<{ counted: number; told: number }[]>`
      select d.event_sequence as counted, (select max(sequence) from audit_entry where subject = d.id) as told
      from debtor d where d.id = ${debtorGuid}`
    assert.equal(row!.counted, row!.told)
  })

test('a transaction is rolled back without concurrent work of the same run', async () => {
  assert.equal((await invoke('has transactions that overlap')).status, 200)
  assert.deepEqual(await findNames(), ['careless beside', 'careless kept', 'careless nested'])
})

test('async=true: a reason with characters that cannot be stored is recorded with the failed attempt', async () => {
  const answer = await invoke('tells NUL', '?async=true')
  assert.equal(answer.status, 202)
  const id = answer.headers.get('location')!.split('/').at(-1)!
  const job = await waitForJobUntil(api, id, ({ lastError }) => lastError !== null)
  assert.match(String(job.lastError), /a\ufffdb/)
})
