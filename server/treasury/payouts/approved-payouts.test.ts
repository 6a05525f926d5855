/** A second person approves a payout as it was requested: the same clients, amounts, accounts and cases. */
import assert from 'node:assert/strict'
import { after, before, beforeEach, test } from 'node:test'
import type { Approval, ApprovalDetail } from '../../../contract/access/approvals.ts'
import type { PayoutBatchDetail } from '../../../contract/treasury/payouts.ts'
import { addDays } from '../../../core/calendar/calendar.ts'
import type { Page } from '../../platform/database/list.ts'
import { reversePayment } from '../../payments/reverse-payment.ts'
import { startApi, type TestApi } from '../../testing/api.ts'
import { assertProblem } from '../../testing/problem.ts'
import {
  addPerson,
  approveAct,
  clearLimits,
  requestAct,
  setLimit,
  type Person,
} from '../../testing/records/agency-people.ts'
import { agencyCaller, context, openCases, today, type OpenedCases } from '../../testing/records/cases.ts'

let api: TestApi
let cases: OpenedCases
let handler: Person
let manager: Person
before(async () => {
  api = await startApi()
  cases = await openCases(api)
  handler = await addPerson(api, 3)
  manager = await addPerson(api, 2)
})
after(() => api.close())
beforeEach(async () => {
  await api.setDate(today)
  await clearLimits(api)
  await setAccounts('5050-1055')
  await api.call('POST', '/payouts', { body: { currencyCode: 'SEK' } })
  await setLimit(api, 'PAYOUT', 100)
})

const setAccounts = (account: string) => api.sql`update party set bank_account_no = ${account}`
const setAccount = (party: string, account: string | null) =>
  api.sql`update party set bank_account_no = ${account} where id = ${party}`
const collect = async (clientGuid: string, amount: number) => {
  const { caseGuid } = await cases.register({ clientGuid })
  const { paymentGuid } = await cases.pay({ caseGuid, amount })
  return { caseGuid, paymentGuid }
}
const takeBack = ({ paymentGuid }: { paymentGuid: string }) =>
  reversePayment(
    api.sql,
    agencyCaller,
    { paymentGuid, input: { reason: 'Taken back', bounced: true } },
    context,
  )
const request = (input: object = {}) =>
  requestAct(handler, { act: 'PAYOUT', input: { currencyCode: 'SEK', ...input } })
const readRequest = async (guid: string) =>
  (await manager.call<ApprovalDetail>('GET', `/approvals/${guid}`)).body
const restrict = async ({ userGuid }: Person) => {
  const clientRestriction = [{ partyReferenceCode: 'CLIENT', includeSubParties: true }]
  const body = { clientRestriction, password: null }
  const changed = await api.call('PUT', `/users/${userGuid}`, { body })
  assert.equal(changed.status, 200, changed.text)
}
const countPayouts = async () => (await api.sql`select from payout_batch`).length

/** The request is refused for what changed, and nothing is paid. */
async function assertChanged(guid: string, change: RegExp): Promise<void> {
  const formerly = await countPayouts()
  const answer = await approveAct(manager, guid)
  assertProblem(answer, 'conflict', change)
  assert.match(answer.text, /Reject it, and request it anew/)
  assert.equal(await countPayouts(), formerly)
  assert.equal((await readRequest(guid)).status, 'WAITING')
}

test('a request names the clients that it pays, and its approval pays exactly them', async () => {
  await collect(cases.client, 300)
  await collect(cases.other, 200)
  const guid = await request({ executionDate: addDays(today, 1) })
  const { input, amount } = await readRequest(guid)
  const lines = input['lines'] as {
    clientGuid: string
    clientName: string
    account: string
    amount: number
  }[]
  assert.deepEqual(
    lines.map((line) => [line.clientGuid, line.account, line.amount]).toSorted(),
    [
      [cases.client, '5050-1055', 300],
      [cases.other, '5050-1055', 200],
    ].toSorted(),
  )
  assert.deepEqual([amount, input['account']], [500, '5050-1055'])
  assert.equal((await approveAct(manager, guid)).status, 200)
  const list = await api.call<{ value: { payoutBatchGuid: string }[] }>('GET', '/payouts?$top=1')
  const { body } = await api.call<PayoutBatchDetail>('GET', `/payouts/${list.body.value[0]!.payoutBatchGuid}`)
  assert.deepEqual([body.amount, body.payouts, body.executionDate?.slice(0, 10)], [500, 2, addDays(today, 1)])
})

test('a reversal that another payment makes up for changes whom it pays', async () => {
  const first = await collect(cases.client, 300)
  const guid = await request()
  await takeBack(first)
  await collect(cases.other, 300)
  await assertChanged(guid, /CLIENT is no longer paid; OTHER is paid too, SEK.300\.00/)
})

test('amounts that move between clients change what each is paid', async () => {
  const first = await collect(cases.client, 300)
  await collect(cases.client, 100)
  await collect(cases.other, 200)
  const guid = await request()
  await takeBack(first)
  await collect(cases.client, 200)
  await collect(cases.other, 100)
  await assertChanged(guid, /CLIENT is paid SEK.300\.00 instead of SEK.400\.00; OTHER is paid SEK.300\.00/)
})

test('the same sum from another case is another payout', async () => {
  const first = await collect(cases.client, 300)
  const guid = await request()
  await takeBack(first)
  await collect(cases.client, 300)
  await assertChanged(guid, /the money of CLIENT comes from other cases/)
})

test('a changed account, of a client or of the agency, needs a new request', async () => {
  await collect(cases.client, 300)
  const guid = await request()
  await setAccount(cases.client, '5805-6201')
  await assertChanged(guid, /CLIENT is paid to 5805-6201 instead of 5050-1055/)
  await setAccount(cases.client, null)
  await collect(cases.other, 300)
  await assertChanged(guid, /CLIENT is no longer paid/)
  await setAccounts('5050-1055')
  await api.sql`update party set bank_account_no = '9999-1111' where parent_id is null`
  await assertChanged(guid, /paid from 9999-1111 instead of 5050-1055/)
})

test('less than was requested is not what was approved', async () => {
  await collect(cases.client, 300)
  const second = await collect(cases.client, 200)
  const guid = await request()
  await takeBack(second)
  await assertChanged(guid, /CLIENT is paid SEK.300\.00 instead of SEK.500\.00/)
  await collect(cases.client, 1)
  await assertChanged(guid, /SEK.301\.00/)
})

test('a payout whose day has passed, and one that says no clients, are requested anew', async () => {
  await collect(cases.client, 300)
  const guid = await request({ executionDate: addDays(today, 1) })
  await api.setDate(addDays(today, 2))
  await assertChanged(guid, /was to be paid on/)
  await api.setDate(today)
  await api.sql`update approval set request = request - 'lines' where id = ${guid}`
  await assertChanged(guid, /does not say which clients/)
})

test('a request ends for payouts when its requester is restricted to clients', async () => {
  await collect(cases.client, 300)
  const restricted = await addPerson(api, 3)
  const guid = await requestAct(restricted, { act: 'PAYOUT', input: { currencyCode: 'SEK' } })
  await restrict(restricted)
  assertProblem(await approveAct(manager, guid), 'conflict', /may no longer do it/)
})

test('a requester who is restricted to clients since reads nothing of the others’ payouts (listApprovals, getApproval)', async () => {
  await collect(cases.client, 300)
  await collect(cases.other, 200)
  const restricted = await addPerson(api, 3)
  const guid = await requestAct(restricted, { act: 'PAYOUT', input: { currencyCode: 'SEK' } })
  const readOwn = () => restricted.call<ApprovalDetail>('GET', `/approvals/${guid}`)
  assert.match((await readOwn()).text, /OTHER/)
  await restrict(restricted)
  assertProblem(await readOwn(), 'not-found', /approval/)
  const list = await restricted.call<Page<Approval>>('GET', '/approvals')
  assert.deepEqual([list.body.total, list.body.value], [0, []])
  // Somebody else still decides it.
  const body = { decisionText: 'Its requester may no longer do it.' }
  assert.equal((await manager.call('POST', `/approvals/${guid}/reject`, { body })).status, 200)
})
