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
  assert.match((await run(first)).lastError!, /restricted to clients now/)

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

test('an import stops between two chunks of rows, once its user is disabled', async () => {
  const leaver = await addPerson(api, 2)
  const lines = Array.from({ length: 4_000 }, (_, number) => `L${number},Alm ${number}`)
  const jobId = await request(leaver, 'debtors', ['sourceReference,lastname', ...lines].join('\n'))
  // The first chunk disables its user, as somebody could at that moment.
  await api.sql.unsafe(`
    create function disable_asker() returns trigger language plpgsql as $$ begin
      update app_user set disabled = true where id = '${leaver.userGuid}'; return null; end $$;
    create trigger disable_asker after update on import_run for each statement execute function disable_asker()`)
  const { status, lastError } = await run(jobId)
  await api.sql.unsafe('drop trigger disable_asker on import_run; drop function disable_asker')
  const [{ count }] =
    (await api.sql`select count(*)::int as count from debtor where lastname like 'Alm %'`) as [
      { count: number },
    ]
  assert.equal(status, 'failed')
  // Two chunks of 500 rows may be on their way at once.
  assert.ok(count >= 500 && count <= 1_000, String(count))
  assert.match(lastError!, /disabled now\. The first \d+ rows are imported and stay\./)

  // Who retries the job goes on in the place of the former user, and skips what is there.
  assert.equal((await api.call('POST', `/jobs/${jobId}/retry`)).status, 200)
  const again = await run(jobId)
  assert.equal(again.status, 'completed', again.lastError ?? '')
  assert.deepEqual([again.result!['inserted'], again.result!['alreadyThere']], [4_000 - count, count])
})

test('the import of a user who still may goes on', async () => {
  const jobId = await request(await addPerson(api, 2), 'debtors', debtors)
  const before_ = await countDebtors()
  assert.deepEqual([(await run(jobId)).status, await countDebtors()], ['completed', before_ + 1])
})
