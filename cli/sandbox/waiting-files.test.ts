/** What waits in the source for a file that a sandbox does not get. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { ApprovalDetail } from '../../contract/access/approvals.ts'
import type { HeldPaymentFile } from '../../contract/treasury/held-payment-files.ts'
import type { PaymentFile } from '../../contract/treasury/payment-files.ts'
import type { LeftBehind } from '../../server/insight/sandbox/finish-sandbox.ts'
import { startApi, type TestApi } from '../../server/testing/api.ts'
import { openTestDatabase, type TestDatabase } from '../../server/testing/database.ts'
import { runJobs, waitForJob } from '../../server/testing/jobs.ts'
import { addPerson, approveAct, requestAct, setLimit } from '../../server/testing/records/agency-people.ts'
import { openCases } from '../../server/testing/records/cases.ts'
import { makeBgMax } from '../../server/testing/records/files.ts'
import { runFordra } from '../testing/run-fordra.ts'

const headers = { 'content-type': 'application/octet-stream' }
const makeFile = (serial: number, payments: number) =>
  makeBgMax(
    Array.from({ length: payments }, () => ({ reference: null, amount: 10_000 })),
    { serial },
  )
let api: TestApi
let approvalGuid: string
let fileGuid: string
const open: TestDatabase[] = []
before(async () => {
  api = await startApi()
  await openCases(api)
  const handler = await addPerson(api, 3)
  const sent = await handler.call<PaymentFile>('POST', '/payment-files?fileName=received.txt', {
    raw: makeFile(1, 2),
    headers,
  })
  assert.equal(sent.status, 201, sent.text)
  fileGuid = sent.body.paymentFileGuid
  await setLimit(api, 'BANK_FILE', 50)
  const held = await handler.call<HeldPaymentFile>('POST', '/payment-files/held?fileName=held.txt', {
    raw: makeFile(2, 3),
    headers,
  })
  assert.equal(held.status, 201, held.text)
  const { heldFileGuid } = held.body
  approvalGuid = await requestAct(handler, { act: 'BANK_FILE', input: { heldFileGuid } })
})
after(async () => {
  for (const database of open) await database.close()
  await api.close()
})

for (const options of [[], ['--personal-data']])
  test(`in a sandbox ${options.join()} the request for a held file ends, and a received file is booked further`, async () => {
    const target = await openTestDatabase()
    open.push(target)
    const env = { DATABASE_URL: api.databaseUrl }
    const args = ['sandbox', '--database', target.url, '--json', ...options]
    const made = await runFordra(args, { cwd: import.meta.dirname, env })
    assert.equal(made.code, 0, made.err)
    const { leftBehind } = JSON.parse(made.out) as { leftBehind: LeftBehind }
    assert.deepEqual(leftBehind, { endedRequests: 1, bookedFurther: 1 })

    const node = await api.startNode({}, target.url)
    const administrator = { ...node, token: await node.signIn(2) }
    const call: TestApi['call'] = (method, path, more) =>
      node.call(method, path, { token: administrator.token, ...more })
    const request = await call<ApprovalDetail>('GET', `/approvals/${approvalGuid}`)
    assert.deepEqual([request.body.status, request.body.endReason], ['ENDED', 'FILE_NOT_COPIED'])
    const approved = await approveAct({ userGuid: '', call }, approvalGuid)
    assert.equal(approved.status, 409, approved.text)

    const [job] = await target.sql<{ id: string }[]>`select id from job_run where kind = 'payment-file'`
    const runner = await runJobs({ ...node, databaseUrl: target.url })
    const booked = await waitForJob({ ...node, call }, job!.id)
    await runner.stop()
    assert.equal(booked.status, 'completed', booked.lastError ?? '')
    const { body } = await call<PaymentFile>('GET', `/payment-files/${fileGuid}`)
    assert.deepEqual([body.suspended, body.notBooked], [2, 0])
    await node.close()
    // The source goes on with both.
    const source = await api.call<ApprovalDetail>('GET', `/approvals/${approvalGuid}`)
    assert.equal(source.body.status, 'WAITING')
  })
