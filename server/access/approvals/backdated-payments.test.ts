/** A payment that is dated back further than the role goes alone needs a second person: it saves the interest between. */
import assert from 'node:assert/strict'
import { after, before, beforeEach, test } from 'node:test'
import type { ApprovalLimit } from '../../../contract/access/approvals.ts'
import { addDays } from '../../../core/calendar/calendar.ts'
import type { Page } from '../../platform/database/list.ts'
import { startApi, type Response, type TestApi } from '../../testing/api.ts'
import { assertProblem } from '../../testing/problem.ts'
import {
  addPerson,
  approveAct,
  clearLimits,
  requestAct,
  setLimit,
  type Person,
} from '../../testing/records/agency-people.ts'
import { assertProven, openCases, today, type OpenedCases } from '../../testing/records/cases.ts'

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
after(async () => {
  await assertProven(api)
  await api.close()
})
beforeEach(async () => {
  await api.setDate(today)
  await clearLimits(api)
})

const now = addDays(today, 30)
const daysAgo = (days: number) => addDays(now, -days)
const path = '/system/forms/payment/register'
const pay = (who: Person, body: object, headers: Record<string, string> = {}) =>
  who.call('POST', path, { body, headers })
const assertOk = (answer: Response<unknown>) => assert.ok(answer.status < 300, answer.text)
const remaining = async (caseGuid: string) =>
  (await api.call<{ remainingSum: number }>('GET', `/cases/${caseGuid}`)).body.remainingSum
const limitDays = (daysBack: number) => setLimit(api, 'BACKDATED_PAYMENT', null, { daysBack })

/** A case of 10,000 at 36.5 percent: 10 a day. Thirty days later. */
async function caseWithInterest(): Promise<string> {
  await api.setDate(today)
  const { caseGuid } = await cases.register({ principal: 10_000, interestRate: 36.5, dueDate: today })
  await api.setDate(now)
  return caseGuid
}

test('a value date further back than the limit needs a second person, and nobody else', async () => {
  const caseGuid = await caseWithInterest()
  await limitDays(3)
  const back = { caseGuid, amount: 10_000, valueDate: daysAgo(29) }
  const refused = await pay(handler, back)
  assertProblem(refused, 'needs-approval', /29 days before the business date, more than 3/)
  assert.deepEqual((refused.body as { approval: object }).approval, { act: 'BACKDATED_PAYMENT' })
  assert.equal(await remaining(caseGuid), 10_300, 'nothing is booked')
  assertProblem(await pay(handler, { ...back, valueDate: daysAgo(4) }), 'needs-approval', /4 days before/)
  assertProblem(await pay(handler, { ...back, toThirdParty: true }), 'needs-approval', /29 days/)
  assertOk(await pay(handler, { caseGuid, amount: 1, valueDate: daysAgo(3) }))
  assertOk(await pay(handler, { caseGuid, amount: 1 }))
  assertOk(await pay(manager, { caseGuid, amount: 1, valueDate: daysAgo(29) }))
})

test('the request keeps the payment; another person books it, and both stand in the trail', async () => {
  const caseGuid = await caseWithInterest()
  await limitDays(0)
  const input = { caseGuid, amount: 10_010, valueDate: daysAgo(29) }
  assertProblem(await pay(handler, { ...input, valueDate: daysAgo(1) }), 'needs-approval', /more than 0/)
  const guid = await requestAct(handler, { act: 'BACKDATED_PAYMENT', input, reason: 'The receipt says so.' })
  assert.equal(await remaining(caseGuid), 10_300)
  assertProblem(await approveAct(handler, guid), 'forbidden', /requested it yourself/)
  await api.setDate(addDays(now, 1))
  const approved = await approveAct(manager, guid)
  assert.deepEqual([approved.status, approved.body.amount], [200, 10_010], approved.text)
  assert.equal(await remaining(caseGuid), 0, 'interest of one day is paid, not of thirty-one')
  const entries = await api.sql<{ type: string; actor: string }[]>`
    select type, actor_id as actor from audit_entry where data ->> 'approvalGuid' = ${guid} order by type`
  assert.deepEqual(
    entries.map(({ type, actor }) => [type, actor]),
    [
      ['approval.approved', manager.userGuid],
      ['approval.requested', handler.userGuid],
    ],
  )
})

test('above both limits one approval of the amount covers the date too', async () => {
  const caseGuid = await caseWithInterest()
  await limitDays(3)
  await setLimit(api, 'PAYMENT', 500)
  const input = { caseGuid, amount: 10_010, valueDate: daysAgo(29) }
  const body = { act: 'BACKDATED_PAYMENT', input }
  assertProblem(await handler.call('POST', '/approvals', { body }), 'needs-approval', /SEK.500\.00/)
  const guid = await requestAct(handler, { act: 'PAYMENT', input })
  // Whoever approves may have the same limits: two people looked at it.
  await setLimit(api, 'BACKDATED_PAYMENT', null, { daysBack: 0, userRole: 2 })
  assertOk(await approveAct(manager, guid))
  assert.equal(await remaining(caseGuid), 0)
})

test('a dry run and a preview book nothing; the dry run says that a second person is needed', async () => {
  const caseGuid = await caseWithInterest()
  await limitDays(3)
  const body = { caseGuid, amount: 100, valueDate: daysAgo(10) }
  assertProblem(await handler.call('POST', `${path}?dryRun=true`, { body }), 'needs-approval', /10 days/)
  assertOk(await handler.call('POST', `${path}?dryRun=true`, { body: { ...body, valueDate: daysAgo(2) } }))
  assert.equal(await remaining(caseGuid), 10_300)
})

const upload = (who: Person) =>
  who.call('POST', '/system/files?what=payments&fileName=one.csv&source=x', {
    raw: 'sourceReference\n1\n',
    headers: { 'content-type': 'application/octet-stream' },
  })

test('a role with the limit imports no files of payments', async () => {
  assertOk(await upload(handler))
  await limitDays(30)
  assertProblem(await upload(handler), 'forbidden', /role has a limit/)
  assertOk(await upload(manager))
})

test('a limit of days has no amount, and other limits have no days', async () => {
  const create = (body: object) => api.call('POST', '/system/forms/approvallimit/create', { body })
  const role = { act: 'BACKDATED_PAYMENT', userRole: 3 }
  assertProblem(await create(role), 'invalid', /daysBack.*is required/)
  assertProblem(await create({ ...role, daysBack: -1 }), 'invalid', /daysBack/)
  const priced = { ...role, daysBack: 3, amount: 5, currencyCode: 'SEK' }
  assertProblem(await create(priced), 'invalid', /amount.*limit is of days/)
  const other = { act: 'PAYMENT', userRole: 3, amount: 5, currencyCode: 'SEK', daysBack: 3 }
  assertProblem(await create(other), 'invalid', /daysBack.*must be empty/)
  const guid = await limitDays(3)
  assertProblem(await create({ ...role, daysBack: 4 }), 'conflict', /has a limit/)
  const change = (id: string, body: object) =>
    api.call('PATCH', `/system/forms/approvallimit/edit?id=${id}`, { body })
  assertProblem(await change(guid, { amount: 5 }), 'invalid', /limit is of days/)
  assertOk(await change(guid, { daysBack: 7 }))
  const { body } = await api.call<Page<ApprovalLimit>>('GET', '/approvals/limits')
  assert.deepEqual(
    body.value.map(({ act, daysBack, amount }) => [act, daysBack, amount]),
    [['BACKDATED_PAYMENT', 7, null]],
  )
  const payment = await setLimit(api, 'PAYMENT', 5)
  assertProblem(await change(payment, { daysBack: 3 }), 'invalid', /only a limit of BACKDATED_PAYMENT/)
})
