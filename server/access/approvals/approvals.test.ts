/** Acts above a limit need a second person: requested, approved, rejected, and both in the trail. */
import assert from 'node:assert/strict'
import { after, before, beforeEach, test } from 'node:test'
import type { Approval, ApprovalDetail, ApprovalLimit } from '../../../contract/access/approvals.ts'
import type { Page } from '../../platform/database/list.ts'
import { startApi, type TestApi } from '../../testing/api.ts'
import { assertProblem } from '../../testing/problem.ts'
import { openCases, type OpenedCases } from '../../testing/records/cases.ts'
import * as people from '../../testing/records/agency-people.ts'
import { addPerson, clearLimits, type Person } from '../../testing/records/agency-people.ts'

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
beforeEach(() => clearLimits(api))

const setLimit = (act: string, amount: number | null, userRole = 3, currencyCode = 'SEK') =>
  people.setLimit(api, act, amount, { userRole, ...(amount !== null && { currencyCode }) })
const makeCase = async () => (await cases.register({ principal: 10_000 })).caseGuid
const writeOff = (who: Person, caseGuid: string, amount: number) =>
  who.call('POST', `/system/forms/writeoff/register?id=${caseGuid}`, { body: { amount } })
/** requestApproval */
const request = (who: Person, body: object) => who.call<ApprovalDetail>('POST', '/approvals', { body })
/** approveRequest */
const approve = (who: Person, guid: string, body: object = {}) =>
  who.call<ApprovalDetail>('POST', `/approvals/${guid}/approve`, { body })
/** rejectRequest */
const reject = (who: Person, guid: string, decisionText: string | null = 'It can be paid.') =>
  who.call<ApprovalDetail>('POST', `/approvals/${guid}/reject`, { body: { decisionText } })
const readRemaining = async (caseGuid: string) => {
  const [row] = await api.sql<{ remaining: string }[]>`
    select remaining_principal::text as remaining from debt_case where id = ${caseGuid}`
  return Number(row!.remaining) / 100
}
const setAccounts = () => api.sql`update party set bank_account_no = '5050-1055'`
const wait = async (amount = 4000) => {
  const caseGuid = await makeCase()
  const made = await request(handler, {
    act: 'WRITE_OFF',
    caseGuid,
    input: { amount },
    reason: 'Settled',
  })
  assert.equal(made.status, 201, made.text)
  return { caseGuid, guid: made.body.approvalGuid }
}

test('up to the limit of the role an act is done alone; above it nothing is booked', async () => {
  await setLimit('WRITE_OFF', 1000)
  const caseGuid = await makeCase()
  assert.equal((await writeOff(handler, caseGuid, 1000)).status, 201)
  const refused = await writeOff(handler, caseGuid, 1000.01)
  assertProblem(refused, 'needs-approval', /SEK.1,000\.01 is above SEK.1,000\.00, the limit/)
  assert.deepEqual((refused.body as { approval: unknown }).approval, { act: 'WRITE_OFF' })
  assert.equal(await readRemaining(caseGuid), 9000)
  assert.equal((await writeOff(manager, caseGuid, 2000)).status, 201, 'the limit is of one role')
})

test('a limit in one currency leaves none in another', async () => {
  await setLimit('WRITE_OFF', 1000, 3, 'EUR')
  assertProblem(await writeOff(handler, await makeCase(), 1), 'needs-approval', /above SEK.0\.00/)
})

test('a limit without a currency lets the role do nothing alone', async () => {
  const body = { act: 'WRITE_OFF', userRole: 3 }
  assert.equal((await api.call('POST', '/system/forms/approvallimit/create', { body })).status, 201)
  assertProblem(await writeOff(handler, await makeCase(), 1), 'needs-approval', /above SEK.0\.00/)
})

test('a second person does the requested act, and both stand in the trail', async () => {
  await setLimit('WRITE_OFF', 1000)
  const { caseGuid, guid } = await wait()
  assert.equal(await readRemaining(caseGuid), 10_000, 'nothing is booked by the request')
  assertProblem(await approve(handler, guid), 'forbidden', /requested it yourself/)
  const approved = await approve(manager, guid, { decisionText: 'Agreed.' })
  assert.equal(approved.status, 200, approved.text)
  const { status, requestedBy, decidedBy, decisionText, amount } = approved.body
  assert.deepEqual(
    [status, requestedBy, decidedBy, decisionText, amount],
    ['APPROVED', 'Person 1', 'Person 2', 'Agreed.', 4000],
  )
  assert.equal(await readRemaining(caseGuid), 6000)
  const entries = await api.sql<{ type: string; actor: string; request: string }[]>`
    select type, actor_id as actor, request_id as request from audit_entry
    where subject in (${guid}, ${caseGuid}) and type in ('approval.requested', 'approval.approved', 'case.written_off')
    order by type`
  assert.deepEqual(
    entries.map(({ type, actor }) => [type, actor]),
    [
      ['approval.approved', manager.userGuid],
      ['approval.requested', handler.userGuid],
      ['case.written_off', manager.userGuid],
    ],
  )
  assert.equal(entries[0]!.request, entries[2]!.request)
  assertProblem(await approve(manager, guid), 'conflict', /is decided: approved/)
})

test('two approvals at once do the act once', async () => {
  await setLimit('WRITE_OFF', 1000)
  const { caseGuid, guid } = await wait()
  const answers = await Promise.all(Array.from({ length: 5 }, () => approve(manager, guid)))
  assert.deepEqual(answers.map(({ status }) => status).toSorted(), [200, 409, 409, 409, 409])
  assert.equal(await readRemaining(caseGuid), 6000)
})

test('a request is rejected with a reason, or withdrawn by its requester', async () => {
  await setLimit('WRITE_OFF', 1000)
  const { caseGuid, guid } = await wait()
  assertProblem(await reject(manager, guid, ' '), 'invalid', /decisionText/)
  assert.equal((await reject(manager, guid)).body.status, 'REJECTED')
  assertProblem(await approve(manager, guid), 'conflict', /rejected/)
  const own = await wait()
  assert.equal((await reject(handler, own.guid, null)).body.status, 'WITHDRAWN')
  assert.equal(await readRemaining(caseGuid), 10_000)
})

test('the request is refused as the act itself would be, and when it needs nobody', async () => {
  await setLimit('WRITE_OFF', 1000)
  const caseGuid = await makeCase()
  const ask = (input: object, more: object = {}) =>
    request(handler, { act: 'WRITE_OFF', caseGuid, input, ...more })
  assertProblem(await ask({ amount: 1000 }), 'unprocessable', /needs no second person/)
  assert.equal(await readRemaining(caseGuid), 10_000, 'the try is undone')
  assertProblem(await ask({ amount: 20_000 }), 'unprocessable', /amount/)
  assertProblem(await ask({ amount: 4000, colour: 'red' }), 'invalid', /colour/)
  assertProblem(await ask({ amount: 4000 }, { caseGuid: undefined }), 'invalid', /caseGuid is required/)
  assertProblem(await ask({ amount: 4000 }, { caseGuid: guidOfNobody }), 'not-found', /case/)
  assertProblem(await request(handler, { act: 'PAYOUT', caseGuid, input: {} }), 'invalid', /left out/)
})
const guidOfNobody = '0190a6f2-7c1e-7d3a-8b4e-2f6a1c9d5e70'

test('a program is no second person: an API user does not approve, and may reject', async () => {
  await setLimit('WRITE_OFF', 1000)
  const program = await addPerson(api, 2)
  await api.sql`update app_user set api_user = true where id = ${program.userGuid}`
  const { caseGuid, guid } = await wait()
  assertProblem(await approve(program, guid), 'forbidden', /A person approves it/)
  assert.equal(await readRemaining(caseGuid), 10_000)
  assert.equal((await reject(program, guid)).status, 200)
  const { guid: another } = await wait()
  assert.equal((await approve(manager, another)).status, 200)
})

test('what changed meanwhile is checked again when it is approved', async () => {
  await setLimit('WRITE_OFF', 1000)
  const { caseGuid, guid } = await wait(9000)
  assert.equal((await writeOff(manager, caseGuid, 5000)).status, 201)
  assertProblem(await approve(manager, guid), 'unprocessable', /amount/)
  assert.equal((await api.call<ApprovalDetail>('GET', `/approvals/${guid}`)).body.status, 'WAITING')
})

test('a request of a disabled user is not approved', async () => {
  await setLimit('WRITE_OFF', 1000)
  const leaving = await addPerson(api, 3)
  const caseGuid = await makeCase()
  const made = await request(leaving, { act: 'WRITE_OFF', caseGuid, input: { amount: 4000 } })
  await api.call('PUT', `/users/${leaving.userGuid}`, { body: { disabled: true, password: null } })
  assertProblem(await approve(manager, made.body.approvalGuid), 'conflict', /disabled/)
})

const assertRefusedAfter = async (change: object) => {
  const leaving = await addPerson(api, 3)
  const caseGuid = await makeCase()
  const made = await request(leaving, { act: 'WRITE_OFF', caseGuid, input: { amount: 4000 } })
  const changed = await api.call('PUT', `/users/${leaving.userGuid}`, {
    body: { ...change, password: null },
  })
  assert.equal(changed.status, 200, changed.text)
  assertProblem(await approve(manager, made.body.approvalGuid), 'conflict', /may no longer do it/)
  assert.equal(await readRemaining(caseGuid), 10_000)
  assert.equal((await reject(manager, made.body.approvalGuid)).status, 200)
}

test('a request is not approved when its requester could no longer do the act', async () => {
  await setLimit('WRITE_OFF', 1000)
  await assertRefusedAfter({ userRole: 9, accessGroups: [] })
  await assertRefusedAfter({ clientRestriction: [{ partyReferenceCode: 'OTHER', includeSubParties: true }] })
})

test('a request does not put an older account back', async () => {
  await setLimit('CLIENT_ACCOUNT', null)
  const ask = async (bankAccountNo: string) =>
    (await request(handler, { act: 'CLIENT_ACCOUNT', clientGuid: cases.client, input: { bankAccountNo } }))
      .body.approvalGuid
  const [older, newer] = [await ask('5805-6201'), await ask('5050-1055')]
  assert.equal((await approve(manager, newer)).status, 200)
  assertProblem(await approve(manager, older), 'conflict', /changed after this was requested/)
  const [client] = await api.sql`select bank_account_no as account from party where id = ${cases.client}`
  assert.equal(client!['account'], '5050-1055')
  await handler.call('POST', `/approvals/${older}/reject`, { body: {} })
  await api.sql`update party set bank_account_no = null where id = ${cases.client}`
})

test('refund, fee override, account and payout need a second person too', async () => {
  await setLimit('REFUND', 100)
  await setLimit('FEE_OVERRIDE', 0)
  await setLimit('CLIENT_ACCOUNT', null)
  await setLimit('PAYOUT', 100)
  const { caseGuid } = await cases.register({ principal: 1000 })
  await api.call('POST', '/system/forms/payment/register', {
    body: { caseGuid, amount: 1500, currencyCode: 'SEK' },
  })
  const refund = { amount: 300 }
  assertProblem(
    await handler.call('POST', `/system/forms/credit/refund?id=${caseGuid}`, { body: refund }),
    'needs-approval',
    /SEK.300\.00 is above SEK.100\.00/,
  )
  const account = { bankAccountNo: '5805-6201' }
  const terms = `/system/forms/client/terms?id=${cases.client}`
  assert.equal((await handler.call('PATCH', terms, { body: { lettersByEmail: true } })).status, 200)
  assertProblem(await handler.call('PATCH', terms, { body: account }), 'needs-approval', /account/)
  await api.sql`update party set fees = '{"tracing": "100"}', country_code = 'SE' where id = ${cases.client}`
  const open = await cases.register({ principal: 1000, dueDate: '2026-02-01' })
  const fee = { feeType: 'tracing', amount: 100, overrideReason: 'Agreed in writing, contract 7' }
  assertProblem(
    await handler.call('POST', `/system/forms/fee/add?id=${open.caseGuid}`, { body: fee }),
    'needs-approval',
    /SEK.100\.00 is above SEK.0\.00/,
  )
  const done = async (body: object) => {
    const made = await request(handler, body)
    assert.equal(made.status, 201, made.text)
    const approved = await approve(manager, made.body.approvalGuid)
    assert.equal(approved.status, 200, approved.text)
    return approved.body
  }
  assert.equal((await done({ act: 'FEE_OVERRIDE', caseGuid: open.caseGuid, input: fee })).amount, 100)
  await done({ act: 'REFUND', caseGuid, input: refund })
  await done({ act: 'CLIENT_ACCOUNT', clientGuid: cases.client, input: account })
  await setAccounts()
  const pay = { currencyCode: 'SEK' }
  assertProblem(
    await handler.call('POST', '/payouts', { body: pay }),
    'needs-approval',
    /is above SEK.100\.00/,
  )
  const { amount } = await done({ act: 'PAYOUT', input: pay })
  const payouts = await api.call<Page<{ amount: number }>>('GET', '/payouts')
  assert.deepEqual(
    payouts.body.value.map((one) => one.amount),
    [amount],
  )
})

const owe = async (amount: number) => {
  const { caseGuid } = await cases.register({ principal: 1000 })
  await api.call('POST', '/system/forms/payment/register', {
    body: { caseGuid, amount, currencyCode: 'SEK' },
  })
}

test('a payout that has grown since its request is not approved', async () => {
  await setLimit('PAYOUT', 10)
  await setAccounts()
  await owe(500)
  const made = await request(handler, { act: 'PAYOUT', input: { currencyCode: 'SEK' } })
  assert.equal(made.status, 201, made.text)
  await owe(1)
  assertProblem(
    await approve(manager, made.body.approvalGuid),
    'conflict',
    /paid SEK.501\.00 instead of SEK.500\.00/,
  )
})

test('listApprovals and getApproval: acts that one may do, of visible clients, and own requests', async () => {
  await setLimit('WRITE_OFF', 1000)
  const { caseGuid, guid } = await wait()
  const list = async (who: Person) =>
    (await who.call<Page<Approval>>('GET', `/approvals?$filter=caseGuid eq ${caseGuid}`)).body.value
  assert.deepEqual(
    (await list(manager)).map((one) => [one.act, one.amount, one.reason, one.status]),
    [['WRITE_OFF', 4000, 'Settled', 'WAITING']],
  )
  assert.equal((await list(handler)).length, 1)
  const read = await manager.call<ApprovalDetail>('GET', `/approvals/${guid}`)
  assert.deepEqual(read.body.input, { amount: 4000 })
  const reader = await addPerson(api, 9, { codes: ['client.write', 'case.read'] })
  assert.deepEqual(await list(reader), [])
  assertProblem(await approve(reader, guid), 'not-found', /approval/)
  const elsewhere = await addPerson(api, 3, { restrictedTo: 'OTHER' })
  assert.deepEqual(await list(elsewhere), [])
  assertProblem(await approve(elsewhere, guid), 'not-found', /approval/)
  assertProblem(await reject(elsewhere, guid), 'not-found', /approval/)
  const there = await addPerson(api, 3, { restrictedTo: 'CLIENT' })
  assert.equal((await list(there)).length, 1)
  assert.equal((await approve(there, guid)).status, 200)
})

test('an idempotent request is stored once', async () => {
  await setLimit('WRITE_OFF', 1000)
  const caseGuid = await makeCase()
  const body = { act: 'WRITE_OFF', caseGuid, input: { amount: 4000 } }
  const ask = () =>
    handler.call<ApprovalDetail>('POST', '/approvals', { body, headers: { 'idempotency-key': caseGuid } })
  const [first, second] = [await ask(), await ask()]
  assert.deepEqual([first.status, second.status], [201, 201])
  assert.equal(first.body.approvalGuid, second.body.approvalGuid)
})

test('listApprovalLimits and its forms: limits are unique, and administrators alone change them', async () => {
  const guid = await setLimit('WRITE_OFF', 1000)
  const twice = { act: 'write_off', userRole: 3, currencyCode: 'sek', amount: 5 }
  const create = (body: object) => api.call('POST', '/system/forms/approvallimit/create', { body })
  assertProblem(await create(twice), 'conflict', /has a limit/)
  assertProblem(await create({ act: 'SMILE', userRole: 3 }), 'invalid', /must be one of WRITE_OFF/)
  assertProblem(await create({ ...twice, act: 'PAYOUT', amount: -1 }), 'invalid', /below zero/)
  assertProblem(await create({ ...twice, act: 'CLIENT_ACCOUNT' }), 'invalid', /has no amount/)
  assertProblem(
    await create({ act: 'REFUND', userRole: 3, amount: 5 }),
    'invalid',
    /currencyCode is required/,
  )
  const at = `/system/forms/approvallimit/edit?id=${guid}`
  assert.equal((await api.call('PATCH', at, { body: { amount: 2000 } })).status, 200)
  const limits = await api.call<Page<ApprovalLimit>>('GET', '/approvals/limits')
  assert.deepEqual(limits.body.value, [
    {
      approvalLimitGuid: guid,
      act: 'WRITE_OFF',
      userRole: 3,
      currencyCode: 'SEK',
      amount: 2000,
      userAmount: null,
      daysBack: null,
      periodDays: 30,
    },
  ])
  assertProblem(await create({ ...twice, act: 'PAYOUT', periodDays: 5 }), 'invalid', /do not add up/)
  assertProblem(await create({ ...twice, act: 'REFUND', userAmount: 4 }), 'invalid', /below the amount/)
  assertProblem(await create({ ...twice, act: 'REFUND', periodDays: 367 }), 'invalid', /periodDays/)
  const restricted = await addPerson(api, 3, { restrictedTo: 'CLIENT' })
  assertProblem(await restricted.call('GET', '/approvals/limits'), 'forbidden', /whole installation/)
  assertProblem(
    await restricted.call('PATCH', at, { body: { amount: 1 } }),
    'forbidden',
    /whole installation/,
  )
  assert.equal((await api.call('DELETE', at)).status, 200)
  assert.equal((await api.call<Page<ApprovalLimit>>('GET', '/approvals/limits')).body.total, 0)
})
