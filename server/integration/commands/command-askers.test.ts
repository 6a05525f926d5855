/** A command that waited runs only for a user who may still run commands. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { startApi, type TestApi } from '../../testing/api.ts'
import { runJobs, waitForJob } from '../../testing/jobs.ts'
import { addPerson, type Person } from '../../testing/records/agency-people.ts'
import { insertCommandJob } from './commands.store.ts'

let api: TestApi
before(async () => {
  api = await startApi()
  await api.addParty('ONE')
})
after(() => api.close())

async function run(jobId: string) {
  const runner = await runJobs(api)
  const job = await waitForJob(api, jobId)
  await runner.stop()
  return job
}
async function request(who: Person): Promise<string> {
  const started = await who.call<{ jobId: string }>('POST', '/system/commands/purge-expired', { body: {} })
  assert.equal(started.status, 200, started.text)
  return started.body.jobId
}

for (const [what, change, says] of [
  ['disabled', { disabled: true }, /purge-expired was requested by a user who is disabled now/],
  ['lowered', { userRole: 5, accessGroups: [] }, /lost the right to it\. Missing: system\.admin/],
  [
    'restricted',
    { clientRestriction: [{ partyReferenceCode: 'ONE', includeSubParties: true }] },
    /restricted to clients now/,
  ],
] as const)
  test(`the command of a user who was ${what} meanwhile does not run; another administrator retries it`, async () => {
    const leaver = await addPerson(api, 2)
    const jobId = await request(leaver)
    const body = { password: null, ...change }
    assert.equal((await api.call('PUT', `/users/${leaver.userGuid}`, { body })).status, 200)
    const { status, lastError } = await run(jobId)
    assert.equal(status, 'failed')
    assert.match(lastError!, says)
    assert.equal((await api.call('POST', `/jobs/${jobId}/retry`)).status, 200)
    assert.equal((await run(jobId)).status, 'completed')
  })

test('a scheduled command has no user to ask', async () => {
  const jobId = await insertCommandJob(api.sql, {
    command: 'purge-expired',
    given: [],
    askedBy: null,
    requestId: null,
  })
  assert.equal((await run(jobId!)).status, 'completed')
})
