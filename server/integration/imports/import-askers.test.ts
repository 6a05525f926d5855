/** An import does what its user may do when it runs, not when it was requested: a job can wait, and be retried. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { UploadedFile } from '../../../contract/integration/uploads.ts'
import { startApi, type TestApi } from '../../testing/api.ts'
import { runJobs, waitForJob } from '../../testing/jobs.ts'
import { addPerson, setLimit, type Person } from '../../testing/records/agency-people.ts'

let api: TestApi
before(async () => {
  api = await startApi()
})
after(() => api.close())

/** Requests an import while nothing runs jobs. Returns its job. */
async function request(who: Person, what: string, raw: string): Promise<string> {
  const headers = { 'content-type': 'application/octet-stream' }
  const query = `what=${what}&fileName=${what}.csv&source=crm`
  const sent = await who.call<UploadedFile>('POST', `/system/files?${query}`, { raw, headers })
  assert.equal(sent.status, 201, sent.text)
  const body = { argument: [sent.body.fileGuid] }
  const started = await who.call<{ jobId: string }>('POST', '/system/commands/import', { body })
  assert.equal(started.status, 200, started.text)
  return started.body.jobId
}
async function run(jobId: string) {
  const runner = await runJobs(api)
  const job = await waitForJob(api, jobId)
  await runner.stop()
  return job
}
const change = async ({ userGuid }: Person, body: object) => {
  const { status, text } = await api.call('PUT', `/users/${userGuid}`, { body: { password: null, ...body } })
  assert.equal(status, 200, text)
}
const debtors = 'sourceReference,lastname\nA1,Ek\n'
const countDebtors = async () => (await api.sql`select from debtor`).length

test('the import of a user who was disabled while it waited imports nothing', async () => {
  const leaver = await addPerson(api, 2)
  const jobId = await request(leaver, 'debtors', debtors)
  await change(leaver, { disabled: true })
  const { status, lastError } = await run(jobId)
  assert.deepEqual([status, await countDebtors()], ['failed', 0])
  assert.match(lastError!, /disabled now/)
})

test('nor does that of a user who was restricted, lost a right, or whose role got a limit', async () => {
  const restricted = await addPerson(api, 2)
  await api.addParty('ONE')
  const first = await request(restricted, 'debtors', debtors)
  await change(restricted, { clientRestriction: [{ partyReferenceCode: 'ONE', includeSubParties: true }] })
  assert.match((await run(first)).lastError!, /no longer run commands/)

  const lowered = await addPerson(api, 2)
  const second = await request(lowered, 'debtors', debtors)
  const code = { code: 'FEW', name: 'Few', accessCodes: 'system.admin' }
  assert.equal((await api.call('POST', '/system/forms/accessgroup/create', { body: code })).status, 201)
  await change(lowered, { userRole: 5, accessGroups: ['FEW'] })
  assert.match((await run(second)).lastError!, /need debtor\.write/)

  const limited = await addPerson(api, 3)
  const third = await request(limited, 'payments', 'sourceReference,caseReference,amount\nP1,C1,100\n')
  await setLimit(api, 'PAYMENT', 10)
  assert.match((await run(third)).lastError!, /role has a limit/)
  assert.equal(await countDebtors(), 0)
})

test('the import of a user who still may goes on', async () => {
  const jobId = await request(await addPerson(api, 2), 'debtors', debtors)
  assert.deepEqual([(await run(jobId)).status, await countDebtors()], ['completed', 1])
})
