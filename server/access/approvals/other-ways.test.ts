/** Hand-entered payments, debt relief, interest that is taken back and tolerance need a second person above a limit. */
import assert from 'node:assert/strict'
import { after, before, beforeEach, test } from 'node:test'
import type { Approval, ApprovalDetail } from '../../../contract/access/approvals.ts'
import type { PaymentPlan } from '../../../contract/plans/payment-plans.ts'
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
let colleague: Person
let manager: Person
let elsewhere: Person
before(async () => {
  api = await startApi()
  cases = await openCases(api)
  handler = await addPerson(api, 3)
  colleague = await addPerson(api, 3)
  manager = await addPerson(api, 2)
  elsewhere = await addPerson(api, 2, { restrictedTo: 'OTHER' })
})
after(async () => {
  await assertProven(api)
  await api.close()
})
beforeEach(async () => {
  await api.setDate(today)
  await clearLimits(api)
})

const post = (who: Person, path: string, body: object) => who.call('POST', path, { body })
const patch = (who: Person, path: string, body: object) => who.call('PATCH', path, { body })
const pay = (who: Person, body: object) => post(who, '/system/forms/payment/register', body)
const changeTerms = (who: Person, caseGuid: string, body: object) =>
  patch(who, `/system/forms/case/terms?id=${caseGuid}`, body)
const hold = (who: Person, caseGuid: string, body: object) =>
  patch(who, `/system/forms/case/hold?id=${caseGuid}`, { reason: 'HOLD_DISPUTE', ...body })
/** Terms and a pause of so many days up to the fortieth. */
const back = (days: number) => ({ interestRate: 0, valueDate: addDays(today, 41 - days) })
const pause = (days: number) => ({ holdFrom: addDays(today, 41 - days), interestPaused: true })
const ask = (who: Person, body: object) => post(who, '/approvals', body)
const upload = (who: Person, what: string) =>
  who.call('POST', `/system/files?what=${what}&fileName=one.csv&source=x`, {
    raw: 'sourceReference\n1\n',
    headers: { 'content-type': 'application/octet-stream' },
  })
const remaining = async (caseGuid: string) => Number((await cases.readState(caseGuid))['remaining']) / 100
const assertOk = (answer: Response<unknown>) => assert.ok(answer.status < 300, answer.text)

/** Its requester and users of other clients do not approve; somebody else does. */
async function approve(guid: string): Promise<ApprovalDetail> {
  assertProblem(await approveAct(handler, guid), 'forbidden', /requested it yourself/)
  assertProblem(await approveAct(elsewhere, guid), 'not-found', /approval/)
  const approved = await approveAct(manager, guid)
  assert.equal(approved.status, 200, approved.text)
  return approved.body
}
async function assertTrail(act: string, guid: string): Promise<void> {
  const entries = await api.sql<{ type: string; actor: string }[]>`
    select type, actor_id as actor from audit_entry where data ->> 'approvalGuid' = ${guid} order by type`
  assert.deepEqual(
    entries.map(({ type, actor }) => [act, type, actor]),
    [
      [act, 'approval.approved', manager.userGuid],
      [act, 'approval.requested', handler.userGuid],
    ],
  )
}

test('a payment entered by hand above the limit needs a second person, also in parts', async () => {
  await setLimit(api, 'PAYMENT', 500)
  const { caseGuid, debtorGuid } = await cases.register()
  assertProblem(await pay(handler, { caseGuid, amount: 500.01 }), 'needs-approval', /the limit of your role/)
  assertOk(await pay(handler, { caseGuid, amount: 499 }))
  const part = { caseGuid, amount: 2, toThirdParty: true }
  assertProblem(await pay(handler, part), 'needs-approval', /on the case alone/)
  assertProblem(await pay(colleague, part), 'needs-approval', /on the case alone/)
  const input = { debtorGuid, amount: 400, payerReference: 'by hand' }
  const guid = await requestAct(handler, { act: 'PAYMENT', input, reason: 'Paid in cash.' })
  assert.equal(await remaining(caseGuid), 501, 'nothing is booked by the request')
  const waiting = await manager.call<Page<Approval>>('GET', `/approvals?$filter=caseGuid eq ${caseGuid}`)
  assert.deepEqual(
    waiting.body.value.map((one) => [one.act, one.status, one.amount, one.debtorGuid]),
    [['PAYMENT', 'WAITING', 400, debtorGuid]],
  )
  assert.equal((await approve(guid)).status, 'APPROVED')
  assert.equal(await remaining(caseGuid), 101)
  await assertTrail('PAYMENT', guid)
  assertProblem(await approveAct(manager, guid), 'conflict', /decided/)
})

test('a payment counts from the day of its request, however long others look at it', async () => {
  await setLimit(api, 'PAYMENT', 500)
  const { caseGuid } = await cases.register()
  const guid = await requestAct(handler, { act: 'PAYMENT', input: { caseGuid, amount: 600 } })
  await api.setDate(addDays(today, 12))
  assert.equal((await approve(guid)).status, 'APPROVED')
  const [payment] = await api.sql<{ day: string }[]>`
    select value_date::text as day from payment where case_id = ${caseGuid}`
  assert.equal(payment!.day, today)
})

test('refusals write amounts as the language of the user does', async () => {
  await setLimit(api, 'PAYMENT', 1500)
  const swede = await addPerson(api, 3)
  await api.sql`update app_user set language_code = 'sv' where id = ${swede.userGuid}`
  const { caseGuid } = await cases.register()
  const refused = await pay(swede, { caseGuid, amount: 1500.01 })
  assertProblem(refused, 'needs-approval', /1\s500,01\skr is above 1\s500,00\skr/)
  const tooMuch = await post(swede, `/system/forms/writeoff/register?id=${caseGuid}`, { amount: 1200 })
  assertProblem(tooMuch, 'unprocessable', /Enter at most 1\s000,00\skr/)
})

test('a payment on a debtor is approved for the cases that were requested, and shown to those who see them all', async () => {
  await setLimit(api, 'PAYMENT', 0)
  const { caseGuid, debtorGuid } = await cases.register()
  const input = { debtorGuid, amount: 1100 }
  const first = await requestAct(handler, { act: 'PAYMENT', input })
  const second = await cases.register({ debtorGuid, clientGuid: cases.other })
  assertProblem(await approveAct(manager, first), 'conflict', /about other cases than were requested/)
  assert.deepEqual([await remaining(caseGuid), await remaining(second.caseGuid)], [1000, 1000])
  const both = await requestAct(handler, { act: 'PAYMENT', input })
  assertProblem(await approveAct(elsewhere, both), 'not-found', /approval/)
  assertOk(await approveAct(manager, both))
  assert.deepEqual([await remaining(caseGuid), await remaining(second.caseGuid)], [0, 900])
})

test('files of payments and of plans are for users whose role has no limit for them', async () => {
  assertOk(await upload(handler, 'payments'))
  await setLimit(api, 'PAYMENT', 500)
  assertProblem(await upload(handler, 'payments'), 'forbidden', /role has a limit/)
  assertOk(await upload(manager, 'payments'))
  assertOk(await upload(handler, 'plans'))
  await setLimit(api, 'DEBT_RELIEF', 500)
  assertProblem(await upload(handler, 'plans'), 'forbidden', /role has a limit/)
})

const relief = { paymentPlanType: 5, numberOfPayments: 10, amount: 1, active: 1 }
const makePlan = (who: Person, debtorGuid: string, body: object) =>
  who.call<PaymentPlan>('POST', `/debtors/${debtorGuid}/paymentplans`, { body })

test('debt relief with tiny instalments needs a second person when it starts', async () => {
  await setLimit(api, 'DEBT_RELIEF', 500)
  const { caseGuid, debtorGuid } = await cases.register({ interestRate: 10 })
  assertProblem(await makePlan(handler, debtorGuid, relief), 'needs-approval', /990\.00/)
  const guid = await requestAct(handler, { act: 'DEBT_RELIEF', debtorGuid, input: relief })
  const [plans] =
    await api.sql`select count(*)::int as count from payment_plan where debtor_id = ${debtorGuid}`
  assert.equal(plans!['count'], 0, 'the request makes no plan')
  // Interest of a week makes the rest larger; what the debtor pays is the same.
  await api.setDate(addDays(today, 7))
  await cases.register({ debtorGuid, principal: 50 })
  assert.equal((await approve(guid)).amount, 990)
  await assertTrail('DEBT_RELIEF', guid)
  const made = await manager.call<Page<PaymentPlan>>('GET', `/debtors/${debtorGuid}/paymentplans`)
  assert.equal(made.body.value.length, 1)
  const [planned] = await api.sql<{ guids: string[] }[]>`
    select array_agg(case_id::text) as guids from payment_plan_case`
  assert.ok(planned!.guids.includes(caseGuid))
  assert.equal(planned!.guids.length, 1, 'a case that came later is not in the plan')
})

test('a proposal of debt relief needs nobody; its activation and lower payments do', async () => {
  await setLimit(api, 'DEBT_RELIEF', 500)
  const { debtorGuid } = await cases.register()
  const proposal = { ...relief, amount: 60, active: 2 }
  const made = await makePlan(handler, debtorGuid, proposal)
  assertOk(made)
  const paymentplanGuid = made.body.paymentPlanGuid!
  const path = `/debtors/${debtorGuid}/paymentplans/${paymentplanGuid}`
  const payments = [{ paymentNo: 1, specifiedAmount: 20 }]
  assertOk(await patch(handler, path, { payments }))
  assertOk(await post(handler, `${path}/activate`, {}))
  const lower = [1, 2, 3].map((paymentNo) => ({ paymentNo, specifiedAmount: 1 }))
  assertProblem(await patch(handler, path, { payments: lower }), 'needs-approval', /with SEK.440\.00/)
  const input = { paymentplanGuid, payments: lower }
  const guid = await requestAct(handler, { act: 'DEBT_RELIEF', debtorGuid, input })
  await approve(guid)
  const { body } = await manager.call<PaymentPlan>('GET', path)
  assert.equal(body.totalAmount, 423)
})

test('a proposal that became less after the request is not activated', async () => {
  await setLimit(api, 'DEBT_RELIEF', 100)
  const { debtorGuid } = await cases.register()
  const made = await makePlan(handler, debtorGuid, { ...relief, amount: 60, active: 2 })
  const paymentplanGuid = made.body.paymentPlanGuid!
  const path = `/debtors/${debtorGuid}/paymentplans/${paymentplanGuid}`
  assertProblem(await post(handler, `${path}/activate`, {}), 'needs-approval', /400\.00/)
  const guid = await requestAct(handler, { act: 'DEBT_RELIEF', debtorGuid, input: { paymentplanGuid } })
  assertOk(await patch(handler, path, { payments: [{ paymentNo: 1, specifiedAmount: 1 }] }))
  assertProblem(await approveAct(manager, guid), 'conflict', /would now pay less/)
  assertOk(await patch(handler, path, { payments: [] }))
  assertOk(await approveAct(manager, guid))
})

test('plans that leave nothing to write off need nobody', async () => {
  await setLimit(api, 'DEBT_RELIEF', 0)
  const { debtorGuid } = await cases.register()
  assertOk(await makePlan(handler, debtorGuid, { paymentPlanType: 1, numberOfPayments: 3, active: 1 }))
})

test('interest terms that are dated back need a second person for the interest that they take back', async () => {
  await setLimit(api, 'BACKDATED_TERMS', 30)
  const { caseGuid } = await cases.register({ interestRate: 36.5 })
  await api.setDate(addDays(today, 40))
  assertProblem(await changeTerms(handler, caseGuid, back(31)), 'needs-approval', /31\.00/)
  assertOk(await changeTerms(handler, caseGuid, back(20)))
  assert.equal(await remaining(caseGuid), 1020)
  assertProblem(await changeTerms(handler, caseGuid, back(31)), 'needs-approval', /with SEK.20\.00/)
  const guid = await requestAct(handler, { act: 'BACKDATED_TERMS', caseGuid, input: back(31) })
  await approve(guid)
  assert.equal(await remaining(caseGuid), 1009)
  await assertTrail('BACKDATED_TERMS', guid)
})

test('terms for days to come, and higher ones, take nothing back and need nobody', async () => {
  await setLimit(api, 'BACKDATED_TERMS', 0)
  const { caseGuid } = await cases.register({ interestRate: 10 })
  await api.setDate(addDays(today, 40))
  assertOk(await changeTerms(handler, caseGuid, { interestRate: 5 }))
  assertOk(await changeTerms(handler, caseGuid, { interestRate: 12, valueDate: addDays(today, 10) }))
})

test('a pause of interest that is dated back needs a second person, and the amount may grow until it is approved', async () => {
  await setLimit(api, 'BACKDATED_HOLD', 10)
  const { caseGuid } = await cases.register({ interestRate: 36.5 })
  await api.setDate(addDays(today, 40))
  assertProblem(await hold(handler, caseGuid, pause(11)), 'needs-approval', /11\.00/)
  assertOk(await hold(handler, caseGuid, pause(8)))
  assertProblem(await hold(handler, caseGuid, pause(11)), 'needs-approval', /with SEK.8\.00/)
  const input = { reason: 'HOLD_DISPUTE', ...pause(11) }
  const guid = await requestAct(handler, { act: 'BACKDATED_HOLD', caseGuid, input })
  await api.setDate(addDays(today, 42))
  await approve(guid)
  assert.equal(await remaining(caseGuid), 1029)
  const { caseGuid: later } = await cases.register({ interestRate: 36.5 })
  await api.setDate(addDays(today, 43))
  assertOk(await hold(handler, later, { interestPaused: true }))
})

test('a higher tolerance of a case or client needs a second person above the limit', async () => {
  await setLimit(api, 'TOLERANCE', 10)
  await setLimit(api, 'CLIENT_TOLERANCE', 10)
  const { caseGuid } = await cases.register()
  assertOk(await changeTerms(handler, caseGuid, { tolerance: 6 }))
  assertOk(await changeTerms(handler, caseGuid, { tolerance: 5 }))
  assertProblem(await changeTerms(handler, caseGuid, { tolerance: 10 }), 'needs-approval', /with SEK.6\.00/)
  const guid = await requestAct(handler, { act: 'TOLERANCE', caseGuid, input: { tolerance: 300 } })
  await approve(guid)
  await api.sql`update party set currency_code = 'SEK' where id = ${cases.client}`
  const terms = `/system/forms/client/terms?id=${cases.client}`
  assertOk(await patch(handler, terms, { tolerance: 10 }))
  assertProblem(await patch(handler, terms, { tolerance: 10.01 }), 'needs-approval', /10\.01/)
  const clientGuid = cases.client
  const wanted = { act: 'CLIENT_TOLERANCE', clientGuid, input: { tolerance: 50 } }
  await approve(await requestAct(handler, wanted))
  const [party] = await api.sql<{ tolerance: number }[]>`
    select tolerance::float8 as tolerance from party where id = ${clientGuid}`
  assert.equal(party!.tolerance, 50)
  assertOk(await patch(handler, terms, { tolerance: 20 }))
  await api.sql`update party set tolerance = null where id = ${clientGuid}`
})

test('a request says what it is about, of clients that its requester sees', async () => {
  await setLimit(api, 'DEBT_RELIEF', 0)
  const { caseGuid, debtorGuid } = await cases.register()
  const wanted = { act: 'DEBT_RELIEF', input: relief }
  assertProblem(await ask(handler, wanted), 'invalid', /debtorGuid is required/)
  const both = { ...wanted, debtorGuid, caseGuid }
  assertProblem(await ask(handler, both), 'invalid', /caseGuid must be left out/)
  assertProblem(await ask(elsewhere, { ...wanted, debtorGuid }), 'not-found', /debtor/)
  const payment = { act: 'PAYMENT', input: { caseGuid, amount: 1 } }
  assertProblem(await ask(elsewhere, payment), 'not-found', /caseGuid/)
  assertProblem(await ask(handler, payment), 'unprocessable', /needs no second person/)
  const few = await addPerson(api, 4, { codes: ['case.write'] })
  assertProblem(await ask(few, { ...wanted, debtorGuid }), 'forbidden', /paymentplan\.write/)
})
