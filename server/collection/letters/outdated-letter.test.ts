/** Letters that were right when they were written, and no longer are when they would leave. */
import assert from 'node:assert/strict'
import { after, before, beforeEach, test } from 'node:test'
import type { CasePermissions } from '../../../contract/cases/permissions.ts'
import type { Document } from '../../../contract/collection/documents.ts'
import type { PaymentPlan } from '../../../contract/plans/payment-plans.ts'
import { sendMessages, type SendMessage } from '../../platform/messages/send.ts'
import { startApi, type TestApi } from '../../testing/api.ts'
import { openSwedishCases, setTerms, today } from '../../testing/records/cases.ts'
import { createContactGate } from './contact-gate.ts'

let api: TestApi
let at: Awaited<ReturnType<typeof openSwedishCases>>
before(async () => {
  api = await startApi()
  at = await openSwedishCases(api)
})
beforeEach(() => api.setDate(today))
after(() => api.close())

interface Opened {
  debtorGuid: string
  caseGuid: string
}
const open = (more: object = {}): Promise<Opened> => at.register({ dueDate: '2026-05-15', ...more })
async function write({ debtorGuid, caseGuid }: Opened, body: object = {}) {
  const demand = { kind: 'demand', dueDate: '2026-06-29', caseGuid }
  const made = await api.call<Document>('POST', `/debtors/${debtorGuid}/letters`, {
    body: { ...demand, ...body },
  })
  assert.equal(made.status, 201, made.text)
  return made.body.documentGuid
}
const form = async (method: 'POST' | 'PATCH', path: string, body: object) => {
  const answer = await api.call<{ paymentGuid?: string }>(method, `/system/forms/${path}`, { body })
  assert.ok(answer.status < 300, answer.text)
  return answer
}
const pay = ({ caseGuid }: Opened, amount: number) =>
  form('POST', 'payment/register', { caseGuid, amount, currencyCode: 'SEK' })

const take: SendMessage = () => Promise.resolve()
const hold = ({ caseGuid }: Opened) => form('PATCH', `case/hold?id=${caseGuid}`, { reason: 'HOLD_CLIENT' })
/** What becomes of a letter when the outbox is sent: SENT, or why it is held. */
async function leave(debtorGuid: string, date = today): Promise<string> {
  await api.sql`update message set next_try_at = now() where sent_at is null`
  const ask = createContactGate(api.sql, { today: () => date, now: () => new Date(`${date}T10:00:00Z`) })
  await sendMessages(api.sql, { email: take, sms: take, letter: take }, (error) => assert.fail(error), ask)
  const { body } = await api.call<{ value: Document[] }>('GET', `/debtors/${debtorGuid}/documents`)
  const [letter] = body.value
  return letter!.heldReason ?? letter!.state
}

test('a demand leaves as long as nothing has changed, also when interest was added', async () => {
  const one = await open({ interestType: 2, interestRate: 8 })
  await write(one)
  await api.setDate('2026-06-18')
  assert.equal(await leave(one.debtorGuid, '2026-06-18'), 'SENT')
})

test('a demand of more than is owed does not leave, until the payment is taken back', async () => {
  const one = await open()
  await write(one)
  const { body: paid } = await pay(one, 400)
  assert.equal(await leave(one.debtorGuid), 'owesLess')
  await form('PATCH', `payment/reverse?id=${paid.paymentGuid!}`, { reason: 'bounced' })
  assert.equal(await leave(one.debtorGuid), 'SENT')
})

test('a demand of interest by a rate that was too high does not leave, and one by a rate that was too low does', async () => {
  const rate = { interestSeries: 'XL', validFrom: '2026-01-01', rate: 2 }
  const { body: made } = await api.call<{ interestRateGuid: string }>(
    'POST',
    '/system/forms/interestrate/create',
    { body: rate },
  )
  const correct = (percent: number) =>
    form('PATCH', `interestrate/edit?id=${made.interestRateGuid}`, { rate: percent })
  await setTerms(api, at.other, { interest_series: 'XL', interest_points: 8 })
  const one = await open({ clientGuid: at.other })
  await write(one)
  await correct(1)
  assert.equal(await leave(one.debtorGuid), 'owesLess')
  await correct(3)
  assert.equal(await leave(one.debtorGuid), 'SENT')
})

test('no letter about a case that was paid or closed since leaves, a statement neither', async () => {
  const paid = await open()
  await write(paid)
  await pay(paid, 1000)
  assert.equal(await leave(paid.debtorGuid), 'caseClosed')
  const stated = await open()
  await write(stated, { kind: 'statement', dueDate: null, caseGuid: null })
  await pay(stated, 1)
  assert.equal(await leave(stated.debtorGuid), 'owesLess')
  const recalled = await open()
  await write(recalled)
  await form('PATCH', `case/close?id=${recalled.caseGuid}`, { closureCode: 'RECALLED_BY_CLIENT' })
  assert.equal(await leave(recalled.debtorGuid), 'caseClosed')
  await write(recalled, { kind: 'statement', dueDate: null })
  assert.equal(await leave(recalled.debtorGuid), 'SENT')
})

test('a demand waits while the claim is disputed, and leaves when the objection is rejected', async () => {
  const one = await open()
  await write(one)
  await form('POST', `objection/create?id=${one.caseGuid}`, { matter: 'OBJECTION', reason: 'Broken.' })
  assert.equal(await leave(one.debtorGuid), 'disputed')
  const [objection] = await api.sql<
    { id: string }[]
  >`select id from objection where case_id = ${one.caseGuid}`
  await form('PATCH', `objection/decide?id=${objection!.id}`, {
    decision: 'REJECTED',
    decisionReason: 'It works.',
  })
  assert.equal(await leave(one.debtorGuid), 'SENT')
  const partly = await open()
  await write(partly)
  await form('POST', `objection/create?id=${partly.caseGuid}`, {
    matter: 'OBJECTION',
    reason: 'Broken.',
    amount: 300,
  })
  assert.equal(await leave(partly.debtorGuid), 'owesLess')
})

test('a letter is held by a pause that came after it, not by one that was known when it was written', async () => {
  const one = await open()
  await write(one)
  await hold(one)
  assert.equal(await leave(one.debtorGuid), 'caseOnHold')
  const known = await open()
  await hold(known)
  await write(known)
  assert.equal(await leave(known.debtorGuid), 'SENT')
})

async function plan({ debtorGuid }: Opened, active: 1 | 2) {
  const made = await api.call<PaymentPlan>('POST', `/debtors/${debtorGuid}/paymentplans`, {
    body: { paymentPlanType: 1, numberOfPayments: 3, active, registrationFee: 0, invoiceFee: 0 },
  })
  assert.equal(made.status, 201, made.text)
  return made.body.paymentPlanGuid
}

test('no demand leaves while a plan holds, and no letter about a plan that has ended', async () => {
  const one = await open()
  await write(one)
  await plan(one, 1)
  assert.equal(await leave(one.debtorGuid), 'plan')
  const other = await open()
  const paymentPlanGuid = await plan(other, 2)
  await write(other, { kind: 'plan', dueDate: null, caseGuid: null, paymentPlanGuid })
  const ended = await api.call('POST', `/debtors/${other.debtorGuid}/paymentplans/${paymentPlanGuid}/cancel`)
  assert.ok(ended.status < 300, ended.text)
  assert.equal(await leave(other.debtorGuid), 'planEnded')
})

/** A debtor with a plan and a letter about it that has not left. */
async function writeAboutPlan(active: 1 | 2) {
  const one = await open()
  const paymentPlanGuid = await plan(one, active)
  await write(one, { kind: 'plan', dueDate: null, caseGuid: null, paymentPlanGuid })
  return { one, path: `/debtors/${one.debtorGuid}/paymentplans/${paymentPlanGuid}` }
}

test('no letter about a plan leaves whose payments were changed or paid since', async () => {
  const same = await writeAboutPlan(2)
  assert.equal((await api.call('POST', `${same.path}/activate`)).status, 200)
  assert.equal(await leave(same.one.debtorGuid), 'SENT')
  const changed = await writeAboutPlan(1)
  const payments = [{ paymentNo: 1, specifiedDueDate: '2026-08-01' }]
  const answer = await api.call('PATCH', changed.path, { body: { payments } })
  assert.ok(answer.status < 300, answer.text)
  assert.equal(await leave(changed.one.debtorGuid), 'planChanged')
  const paid = await writeAboutPlan(1)
  await pay(paid.one, 100)
  assert.equal(await leave(paid.one.debtorGuid), 'planChanged')
  const grown = await writeAboutPlan(2)
  await pay(grown.one, 100)
  assert.equal((await api.call('POST', `${grown.path}/activate`)).status, 200)
  assert.equal(await leave(grown.one.debtorGuid), 'planChanged')
})

test('a demand that was held too long leaves the debtor less time than the law gives, and does not leave', async () => {
  const one = await open()
  await write(one)
  assert.equal(await leave(one.debtorGuid, '2026-06-20'), 'lateDeadline')
  assert.equal(await leave(one.debtorGuid, '2026-06-19'), 'SENT')
})

test('no time runs from a demand that is held: legal action does not follow it', async () => {
  const one = await open()
  await write(one)
  await hold(one)
  await leave(one.debtorGuid)
  await form('PATCH', `case/resume?id=${one.caseGuid}`, {})
  await api.setDate('2026-07-10')
  const readLegal = async () => {
    const { body } = await api.call<CasePermissions>(
      'GET',
      `/debtors/${one.debtorGuid}/cases/${one.caseGuid}/permissions`,
    )
    const found = body.actions.find(({ action }) => action === 'letter:legal')!
    return [found.allowed, found.reasonCode]
  }
  assert.deepEqual(await readLegal(), [false, 'missing'])
  await api.sql`update message set sent_at = now(), held_reason = null where debtor_id = ${one.debtorGuid}`
  assert.deepEqual(await readLegal(), [true, null])
})

const govern = ({ caseGuid }: Opened, governingCountry: string) =>
  form('PATCH', `case/law?id=${caseGuid}`, { governingCountry, countryReason: 'The contract names it.' })

test('a demand does not leave once another country governs the case, until it is put back; a statement does', async () => {
  const demanded = await open()
  await write(demanded)
  await govern(demanded, 'FI')
  assert.equal(await leave(demanded.debtorGuid), 'lawChanged')
  await govern(demanded, 'SE')
  assert.equal(await leave(demanded.debtorGuid), 'SENT')
  const moved = await open()
  await govern(moved, 'FI')
  await write(moved)
  assert.equal(await leave(moved.debtorGuid), 'SENT', 'written under the law of now')
  const stated = await open()
  await write(stated, { kind: 'statement', dueDate: null })
  await govern(stated, 'FI')
  assert.equal(await leave(stated.debtorGuid), 'SENT')
  const ungoverned = await open()
  await api.sql`update debt_case set governing_country = null where id = ${ungoverned.caseGuid}`
  await write(ungoverned)
  await govern(ungoverned, 'SE')
  assert.equal(await leave(ungoverned.debtorGuid), 'SENT', 'no law was left')
})
