/** `verify-ledger` compares the stored event numbers of cases and debtors with the audit trail (S11). */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { JobRunner } from '../../platform/jobs/run-jobs.ts'
import { startApi, type TestApi } from '../../testing/api.ts'
import { runJobs, waitForJob } from '../../testing/jobs.ts'
import { agencyCaller, assertProven, contextOn, makeDebtor, setTerms } from '../../testing/records/cases.ts'
import { registerCase } from '../register-case.ts'
import { verifyLedger } from '../../ledger/verify-ledger.ts'

const today = '2026-03-02'
let api: TestApi
let runner: JobRunner
let debtorGuid: string
let caseGuid: string
let caseNumber: string
before(async () => {
  api = await startApi()
  await api.setDate(today)
  runner = await runJobs(api)
  const client = await api.addParty('CLIENT')
  await setTerms(api, client, { country_code: 'SE' })
  debtorGuid = await makeDebtor(api)
  const input = { clientGuid: client, debtorGuid, principal: 1000, currencyCode: 'SEK' }
  const made = await registerCase(api.sql, agencyCaller, input, contextOn(today))
  ;({ caseGuid, caseNumber } = made)
})
after(async () => {
  await runner.stop()
  await api.close()
})

const fault = 'the last event number does not match the last one in the audit trail'
const verify = async () => {
  const { body } = await api.call<{ jobId: string }>('POST', '/system/commands/verify-ledger')
  return waitForJob(api, body.jobId)
}

test('the event numbers match after every change of a debtor', async () => {
  const path = `/debtors/${debtorGuid}`
  const answers = [
    await api.call('PATCH', path, { body: { firstname: 'Åsa' } }),
    await api.call('POST', `${path}/addresses`, {
      body: { street: 'Storgatan', city: 'Lund', zipCode: '22222' },
    }),
    await api.call('POST', `${path}/extrafields`, { body: { name: 'one', value: ['x'] } }),
  ]
  for (const { status, text } of answers) assert.ok(status < 300, text)
  await assertProven(api)
  assert.equal((await verify()).status, 'completed')
})

test('a debtor whose event number is too high or too low is named', async () => {
  for (const [by, back] of [
    [1, -1],
    [-1, 1],
  ] as const) {
    await api.sql`update debtor set event_sequence = event_sequence + ${by} where id = ${debtorGuid}`
    assert.deepEqual((await verifyLedger(api.sql)).faults, [{ caseNumber: null, debtorGuid, fault }])
    const job = await verify()
    assert.equal(job.status, 'failed')
    assert.equal(job.lastError, `Debtor ${debtorGuid}: ${fault}. Faults found: 1.`)
    await api.sql`update debtor set event_sequence = event_sequence + ${back} where id = ${debtorGuid}`
    await assertProven(api)
  }
})

test('a case with a wrong event number is named', async () => {
  await api.sql`update debt_case set event_sequence = event_sequence + 2 where id = ${caseGuid}`
  assert.deepEqual((await verifyLedger(api.sql)).faults, [{ caseNumber, debtorGuid: null, fault }])
  assert.match((await verify()).lastError!, new RegExp(`^Case ${caseNumber}: ${fault}`))
  await api.sql`update debt_case set event_sequence = event_sequence - 2 where id = ${caseGuid}`
  await assertProven(api)
})

test('a debtor without audit entries is named', async () => {
  const [made] = await api.sql<{ id: string }[]>`
    insert into debtor (id, full_name, reg_date) values (gen_random_uuid(), 'From nowhere', now()) returning id`
  assert.deepEqual((await verifyLedger(api.sql)).faults, [{ caseNumber: null, debtorGuid: made!.id, fault }])
  await api.sql`delete from debtor where id = ${made!.id}`
})
