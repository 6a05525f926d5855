/** Services that do not keep to what is agreed: nothing of theirs is half done, and the server goes on. */
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

const invoke = (how: string, query = '') =>
  api.call<Problem>('POST', `/debtors/${debtorGuid}/services/careless${query}`, { body: { how } })
const namesOf = async () => {
  const { body } = await api.call<{ value: { name: string }[] }>('GET', `/debtors/${debtorGuid}/extrafields`)
  return body.value.map(({ name }) => name).toSorted()
}

for (const [how, status, told] of [
  ['forgets to await a call', 502, /each call is to be awaited/],
  ['forgets to await a transaction', 502, /each call is to be awaited/],
  ['logs for ever', 504, /was ended after 2 s/],
  // By its memory or by its time, whichever ends first.
  ['asks for ever', [502, 504], /memory|was ended after 2 s/],
  ['says something of its own on the port', 502, /asked for nothing/],
  ['ends twice on the port', 502, /no object|an error/],
  ['says too much on the port', 502, /said too much/],
  ['returns NUL', 502, /NUL/],
  ['returns half of a character', 502, /half of a character/],
  ['tells NUL', 502, /a\ufffdb/],
  ['returns a text', 502, /no object/],
  ['returns a list', 502, /no object/],
] as const)
  test(`of one that ${how} nothing is kept, and its debtor can be written to (D25)`, async () => {
    for (let time = 0; time < 3; time++) {
      const answer = await invoke(how)
      assert.ok(([status].flat() as number[]).includes(answer.status), answer.text)
      assert.match(answer.body.detail, told)
    }
    assert.deepEqual(await namesOf(), [])
    const changed = await api.call('PATCH', `/debtors/${debtorGuid}`, { body: { lastname: 'Alm' } })
    assert.equal(changed.status, 200, changed.text)
    const [row] = await api.sql<{ counted: number; told: number }[]>`
      select d.event_sequence as counted, (select max(sequence) from audit_entry where subject = d.id) as told
      from debtor d where d.id = ${debtorGuid}`
    assert.equal(row!.counted, row!.told)
  })

test('what a transaction does is undone without what goes on beside it', async () => {
  assert.equal((await invoke('has transactions that overlap')).status, 200)
  assert.deepEqual(await namesOf(), ['careless beside', 'careless kept', 'careless nested'])
})

test('async=true: a reason that cannot be stored as it is stands at the attempt that failed', async () => {
  const answer = await invoke('tells NUL', '?async=true')
  assert.equal(answer.status, 202)
  const id = answer.headers.get('location')!.split('/').at(-1)!
  const job = await waitForJobUntil(api, id, ({ lastError }) => lastError !== null)
  assert.match(String(job.lastError), /a\ufffdb/)
})
