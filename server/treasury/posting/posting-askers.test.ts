/** A bank file is booked in the name of who sent it, as long as that user may book payments. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { PaymentFile } from '../../../contract/treasury/payment-files.ts'
import { startApi, type TestApi } from '../../testing/api.ts'
import { runJobs, waitForJob } from '../../testing/jobs.ts'
import { addPerson, type Person } from '../../testing/records/agency-people.ts'
import { makeBgMax } from '../../testing/records/files.ts'
import { assertProblem } from '../../testing/problem.ts'
import { verifyTrust } from '../bank-files/verify-trust.ts'

let api: TestApi
let files = 0
before(async () => {
  api = await startApi()
})
after(() => api.close())

/** Sends a file while nothing runs jobs. Returns its job. */
async function send(who: Person, payments: number): Promise<{ fileGuid: string; jobId: string }> {
  // Another amount makes them other payments than those of earlier files.
  const paid = Array.from({ length: payments }, () => ({ reference: null, amount: 10_000 + files }))
  const sent = await who.call<PaymentFile>('POST', `/payment-files?fileName=bank.txt`, {
    raw: makeBgMax(paid, { serial: ++files }),
    headers: { 'content-type': 'application/octet-stream' },
  })
  assert.equal(sent.status, 201, sent.text)
  const fileGuid = sent.body.paymentFileGuid
  const [job] = await api.sql<{ id: string }[]>`
    select id from job_run where kind = 'payment-file' and payload ->> 'fileGuid' = ${fileGuid}`
  return { fileGuid, jobId: job!.id }
}
async function run(jobId: string) {
  const runner = await runJobs(api)
  const job = await waitForJob(api, jobId)
  await runner.stop()
  return job
}
const countSuspended = async (guid: string) => {
  const { body } = await api.call<PaymentFile>('GET', `/payment-files/${guid}`)
  return [body.suspended, body.notBooked]
}
const change = async ({ userGuid }: Person, body: object) => {
  const { status, text } = await api.call('PUT', `/users/${userGuid}`, { body: { password: null, ...body } })
  assert.equal(status, 200, text)
}

test('the file of a user who is disabled or restricted meanwhile is not booked', async () => {
  await api.addParty('ONE')
  const restriction = { clientRestriction: [{ partyReferenceCode: 'ONE', includeSubParties: true }] }
  for (const [ending, says] of [
    [{ disabled: true }, /booking of the file was requested by a user who is disabled now/],
    [restriction, /restricted to clients now/],
    [{ userRole: 5, accessGroups: [] }, /lost the right to it\. Missing: payment\.write/],
  ] as const) {
    const leaver = await addPerson(api, 3)
    const { fileGuid, jobId } = await send(leaver, 2)
    await change(leaver, ending)
    const { status, lastError } = await run(jobId)
    assert.equal(status, 'failed')
    assert.match(lastError!, says)
    assert.equal((await countSuspended(fileGuid))[0], 0)
  }
})

test('a booking stops between two chunks, and goes on in the name of who retries it', async () => {
  const leaver = await addPerson(api, 3)
  const { fileGuid, jobId } = await send(leaver, 2_500)
  // The first chunk disables its user, as somebody could at that moment.
  await api.sql.unsafe(`
    create function disable_asker() returns trigger language plpgsql as $$ begin
      update app_user set disabled = true where id = '${leaver.userGuid}'; return null; end $$;
    create trigger disable_asker after insert on suspense for each statement execute function disable_asker()`)
  const { status, lastError } = await run(jobId)
  await api.sql.unsafe('drop trigger disable_asker on suspense; drop function disable_asker')
  assert.equal(status, 'failed')
  assert.match(lastError!, /disabled now/)
  const [suspended] = await countSuspended(fileGuid)
  // Two chunks of 500 entries may be on their way at once.
  assert.ok(suspended! >= 500 && suspended! <= 1_000, String(suspended))

  assert.equal((await api.call('POST', `/jobs/${jobId}/retry`)).status, 200)
  const again = await run(jobId)
  assert.equal(again.status, 'completed', again.lastError ?? '')
  assert.deepEqual(await countSuspended(fileGuid), [2_500, 0])
  assert.notEqual(again.requestedBy, leaver.userGuid)
  assert.deepEqual(await verifyTrust(api.sql), [])
})

test('a retry by somebody who may not book payments books nothing', async () => {
  const leaver = await addPerson(api, 3)
  const { fileGuid, jobId } = await send(leaver, 2)
  await change(leaver, { disabled: true })
  assert.equal((await run(jobId)).status, 'failed')
  const administrator = await addPerson(api, 5, { codes: ['system.admin'] })
  const retried = await administrator.call('POST', `/jobs/${jobId}/retry`)
  assert.equal(retried.status, 200, retried.text)
  assert.match((await run(jobId)).lastError!, /Missing: payment\.write/)
  assert.equal((await countSuspended(fileGuid))[0], 0)
  assertProblem(await leaver.call('GET', `/jobs/${jobId}`), 'unauthenticated', /./)
})
