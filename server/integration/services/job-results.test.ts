/** The result of a service is read with the rights of today, though the service ran with those of its day. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { Job } from '../../../contract/platform/jobs.ts'
import type { Page } from '../../platform/database/list.ts'
import { startApi, type TestApi } from '../../testing/api.ts'
import { runJobs, waitForJob } from '../../testing/jobs.ts'
import { assertProblem } from '../../testing/problem.ts'
import { addPerson, type Person } from '../../testing/records/agency-people.ts'
import { openCases } from '../../testing/records/cases.ts'

let api: TestApi
before(async () => {
  api = await startApi({ FORDRA_SERVICES: '' })
})
after(() => api.close())

const exportDebtor = async (who: Person, debtorGuid: string) => {
  const path = `/debtors/${debtorGuid}/services/personal-data-export`
  const { status, headers, text } = await who.call('POST', path, { body: {} })
  assert.equal(status, 200, text)
  return headers.get('location')!.replace('/api/v1', '')
}
const readResult = async (who: Person, path: string) => (await who.call<Job>('GET', path)).body.result
const restrict = async ({ userGuid }: Person, partyReferenceCode: string) => {
  const body = { clientRestriction: [{ partyReferenceCode, includeSubParties: true }], password: null }
  const { status, text } = await api.call('PUT', `/users/${userGuid}`, { body })
  assert.equal(status, 200, text)
}

test('who is restricted to clients reads no result of before, of a debtor of those clients neither', async () => {
  const cases = await openCases(api)
  const { debtorGuid } = await cases.register()
  await cases.register({ clientGuid: cases.other, debtorGuid })
  const who = await addPerson(api, 2)
  const formerly = await exportDebtor(who, debtorGuid)
  assert.ok(JSON.stringify(await readResult(who, formerly)).includes('OTHER'))
  await restrict(who, 'CLIENT')
  assert.equal(await readResult(who, formerly), null)
  const list = await who.call<Page<Job>>('GET', '/jobs')
  assert.deepEqual(
    list.body.value.map(({ result }) => result),
    [null],
  )
  const afterwards = await exportDebtor(who, debtorGuid)
  assert.ok(await readResult(who, afterwards))
  await restrict(who, 'OTHER')
  assert.equal(await readResult(who, afterwards), null)
})

test('who is restricted to clients has no command of before (listJobs, getJob, retryJob, cancelJob)', async () => {
  const who = await addPerson(api, 2)
  const started = await who.call<{ jobId: string }>('POST', '/system/commands/apply-strategies', {
    body: { argument: ['dry-run'] },
  })
  assert.equal(started.status, 200, started.text)
  const path = `/jobs/${started.body.jobId}`
  const runner = await runJobs(api)
  await waitForJob(api, started.body.jobId)
  await runner.stop()
  assert.ok(await readResult(who, path))
  await restrict(who, 'CLIENT')
  assert.equal((await who.call<Page<Job>>('GET', '/jobs')).body.total, 0)
  assertProblem(await who.call('GET', path), 'not-found', /job/)
  // Nor does it run again: it would work on the cases of all clients.
  await api.sql`update job_run set status = 'cancelled' where id = ${started.body.jobId}`
  assertProblem(await who.call('POST', `${path}/retry`), 'not-found', /job/)
  assertProblem(await who.call('POST', `${path}/cancel`), 'not-found', /job/)
})
