/** Calls with debtors over HTTP: what is logged, who sees it, and promises that payments keep or break. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { Call } from '../../contract/work/calls.ts'
import type { CaseWork } from '../../contract/work/work.ts'
import type { Page } from '../platform/database/list.ts'
import type { Response } from '../testing/api.ts'
import { assertProblem } from '../testing/problem.ts'
import { openPlanStage, type PlanStage } from '../testing/records/plans.ts'

const start = '2026-01-15'
let stage: PlanStage
/** Users of the client and of another one. */
let creditor = ''
let stranger = ''

before(async () => {
  stage = await openPlanStage(start)
  creditor = await stage.api.signIn(7, stage.client)
  stranger = await stage.api.signIn(7, await stage.api.addParty('OTHER'))
})
after(() => stage.api.close())

const open = async () => {
  await stage.setDate(start)
  const { debtorGuid, caseGuids } = await stage.debtorWith({ dueDate: '2026-01-01' })
  return { debtorGuid, caseGuid: caseGuids[0]! }
}
const log = (caseGuid: string, body: object): Promise<Response<Call>> =>
  stage.api.call('POST', `/cases/${caseGuid}/calls`, {
    body: { outcome: 'REACHED', rightParty: true, ...body },
  })
const promise = (caseGuid: string, promisedAmount: number, promisedDate: string) =>
  log(caseGuid, { promisedAmount, promisedDate: `${promisedDate}T00:00:00Z` })
const list = async (path: string, token = stage.api.token) =>
  stage.api.call<Page<Call>>('GET', `${path}/calls`, { token })
const statuses = async (caseGuid: string) =>
  (await list(`/cases/${caseGuid}`)).body.value.map(({ promiseStatus }) => promiseStatus)
const reasons = async (caseGuid: string) =>
  (await stage.api.call<CaseWork>('GET', `/cases/${caseGuid}/work`)).body.items.map(
    ({ reason, dueDate }) => `${reason} ${dueDate.slice(0, 10)}`,
  )

const promised = async (caseGuid: string) =>
  (await stage.api.call<CaseWork>('GET', `/cases/${caseGuid}/work`)).body.items.map(
    ({ promisedAmount }) => promisedAmount,
  )

test('logCall stores what was said, and listCaseCalls and listDebtorCalls show it, the latest first', async () => {
  const { debtorGuid, caseGuid } = await open()
  const first = await log(caseGuid, { outcome: 'NO_ANSWER', rightParty: null })
  assert.equal(first.status, 201, first.text)
  const call = await log(caseGuid, {
    inbound: true,
    text: 'Has lost the job.\nGets benefits in March.',
    followUp: 'Ask for the decision',
    followUpDate: '2026-03-01T00:00:00Z',
  })
  assert.deepEqual(
    [call.body.outcome, call.body.inbound, call.body.rightParty, call.body.text, call.body.promiseStatus],
    ['REACHED', true, true, 'Has lost the job.\nGets benefits in March.', null],
  )
  for (const path of [`/cases/${caseGuid}`, `/debtors/${debtorGuid}`]) {
    const { body } = await list(path)
    assert.deepEqual(
      body.value.map(({ callGuid }) => callGuid),
      [call.body.callGuid, first.body.callGuid],
    )
  }
  assert.deepEqual(await reasons(caseGuid), ['FOLLOW_UP 2026-03-01'])
  const [entry] = await stage.api.sql<{ data: object }[]>`
    select data from audit_entry where subject = ${caseGuid} and type = 'case.call_logged' order by position desc limit 1`
  assert.deepEqual(entry!.data, { caseGuid, callGuid: call.body.callGuid })
})

test('a promise is work on its day, and a payment by then keeps it', async () => {
  const { caseGuid } = await open()
  await stage.pay({ caseGuid, amount: 500, valueDate: start })
  assert.equal((await promise(caseGuid, 500, '2026-02-02')).body.promiseStatus, 'OPEN')
  assert.deepEqual(await reasons(caseGuid), ['PROMISE_DUE 2026-02-02'])
  assert.deepEqual(await promised(caseGuid), [500])
  await stage.setDate('2026-02-02')
  await stage.pay({ caseGuid, amount: 300, valueDate: '2026-02-01' })
  assert.deepEqual(await statuses(caseGuid), ['OPEN'])
  await stage.setDate('2026-02-03')
  assert.deepEqual(await statuses(caseGuid), ['BROKEN'])
  assert.deepEqual(await reasons(caseGuid), ['PROMISE_BROKEN 2026-02-03'])
  assert.deepEqual(await promised(caseGuid), [500])
  // The bank reports a payment of the day before.
  const late = await stage.pay({ caseGuid, amount: 200, valueDate: '2026-02-02' })
  assert.deepEqual(await statuses(caseGuid), ['KEPT'])
  assert.deepEqual(await reasons(caseGuid), [])
  const reversed = await stage.api.call('PATCH', `/system/forms/payment/reverse?id=${late}`, {
    body: { reason: 'Wrong case' },
  })
  assert.equal(reversed.status, 200, reversed.text)
  assert.deepEqual(await statuses(caseGuid), ['BROKEN'])
})

test('a new promise replaces the open one, and ends the work of a broken one', async () => {
  const { caseGuid } = await open()
  await promise(caseGuid, 500, '2026-02-02')
  await promise(caseGuid, 400, '2026-02-10')
  assert.deepEqual(await statuses(caseGuid), ['OPEN', 'REPLACED'])
  assert.deepEqual(await reasons(caseGuid), ['PROMISE_DUE 2026-02-10'])
  await stage.setDate('2026-02-11')
  assert.deepEqual(await reasons(caseGuid), ['PROMISE_BROKEN 2026-02-11'])
  await promise(caseGuid, 400, '2026-03-01')
  assert.deepEqual(await statuses(caseGuid), ['OPEN', 'BROKEN', 'REPLACED'])
  assert.deepEqual(await reasons(caseGuid), ['PROMISE_DUE 2026-03-01'])
})

test('a call that says too little is refused at its fields', async () => {
  const { caseGuid } = await open()
  const wrong: [body: object, member: string][] = [
    [{ outcome: null }, 'outcome'],
    [{ outcome: 'ASLEEP' }, 'outcome'],
    [{ promisedAmount: 100 }, 'promisedDate'],
    [{ promisedDate: '2026-02-02T00:00:00Z' }, 'promisedAmount'],
    [{ promisedAmount: 0, promisedDate: '2026-02-02T00:00:00Z' }, 'promisedAmount'],
    [{ promisedAmount: 1.001, promisedDate: '2026-02-02T00:00:00Z' }, 'promisedAmount'],
    [{ promisedAmount: 1, promisedDate: '2026-01-14T00:00:00Z' }, 'promisedDate'],
    [{ promisedAmount: 1, promisedDate: '2026-02-02T00:00:00Z', rightParty: false }, 'rightParty'],
    [{ followUp: 'Call' }, 'followUpDate'],
    [{ text: 'bell\u0007' }, 'text'],
  ]
  for (const [body, member] of wrong) {
    const answer = await log(caseGuid, body)
    assertProblem(answer, 'invalid', /./)
    const { errors } = answer.body as unknown as { errors: Record<string, string[]> }
    assert.deepEqual(Object.keys(errors), [member])
  }
  assert.equal((await list(`/cases/${caseGuid}`)).body.total, 0)
})

test('a creditor sees the calls that are marked for them, and nobody those of other clients', async () => {
  const { debtorGuid, caseGuid } = await open()
  await log(caseGuid, { text: 'For us' })
  await log(caseGuid, { text: 'For the client', shownToClient: true })
  for (const path of [`/cases/${caseGuid}`, `/debtors/${debtorGuid}`]) {
    const { body } = await list(path, creditor)
    assert.deepEqual(
      body.value.map(({ text }) => text),
      ['For the client'],
    )
    assertProblem(await list(path, stranger), 'not-found', /no such/)
  }
  const refused = await stage.api.call('POST', `/cases/${caseGuid}/calls`, { token: creditor, body: {} })
  assertProblem(refused, 'forbidden', /case.write/)
})
