/** The fee of a letter stands while the letter leaves: held or withdrawn, it is reversed; released, the law is asked anew. */
import assert from 'node:assert/strict'
import { after, before, beforeEach, test } from 'node:test'
import type { CaseMovements } from '../../../contract/cases/all-cases.ts'
import type { Document } from '../../../contract/collection/documents.ts'
import { runChunks } from '../../platform/jobs/chunked-work.ts'
import { sendMessages, type SendMessage } from '../../platform/messages/send.ts'
import { startApi, type TestApi } from '../../testing/api.ts'
import { agencyCaller, assertProven, contextOn, makeDebtor, setTerms } from '../../testing/records/cases.ts'
import { registerCase } from '../../cases/register-case.ts'
import { createContactGate } from '../letters/contact-gate.ts'
import { applyStrategies } from '../strategies/apply-strategies.ts'
import { assignStrategy, insertStrategy } from '../strategies/strategies.store.ts'

const today = '2026-06-15'
let api: TestApi
let client: string
before(async () => {
  api = await startApi()
  await api.setDate(today)
  client = await api.addParty('CLIENT')
  await setTerms(api, client, { country_code: 'SE', bank_account_no: '5050-1055' })
  await insertStrategy(api.sql, {
    code: 'ONE-LETTER',
    name: 'One letter',
    source: '',
    unverified: false,
    steps: [
      {
        code: 'REMINDER',
        status: 'NEW',
        afterDays: 0,
        actions: [
          { kind: 'fee', feeType: 'reminder' },
          { kind: 'letter', letter: 'reminder', dueDays: 20 },
        ],
      },
    ],
  })
  await assignStrategy(api.sql, client, 'ONE-LETTER')
})
beforeEach(() => api.setDate(today))
after(async () => {
  await assertProven(api)
  await api.close()
})

const form = async (method: 'POST' | 'PATCH', path: string, body: object) => {
  const answer = await api.call<{ paymentGuid?: string }>(method, `/system/forms/${path}`, { body })
  assert.ok(answer.status < 300, answer.text)
  return answer.body
}
const pay = (caseGuid: string, amount: number) =>
  form('POST', 'payment/register', { caseGuid, amount, currencyCode: 'SEK' })
const readOwed = async (caseGuid: string) => {
  const [row] = await api.sql<{ owed: number }[]>`
    select (remaining_principal + remaining_interest + remaining_fee)::float8 as owed from debt_case where id = ${caseGuid}`
  return row!.owed / 100
}
const readMovements = async (caseGuid: string) =>
  (await api.call<CaseMovements>('GET', `/cases/${caseGuid}/movements`)).body.movements

/** A case whose reminder was written in the night with its fee of 60, and waits to leave. */
async function remind(): Promise<{ debtorGuid: string; caseGuid: string }> {
  const debtorGuid = await makeDebtor(api)
  const claim = {
    clientGuid: client,
    debtorGuid,
    principal: 1000,
    currencyCode: 'SEK',
    dueDate: '2026-05-01',
    service: 'PRECOLLECTION',
    reminderFeeAgreed: true,
  }
  const { caseGuid } = await registerCase(api.sql, agencyCaller, claim, contextOn(today))
  await runChunks(api.sql, applyStrategies(), contextOn(today).origin)
  assert.equal(await readOwed(caseGuid), 1060)
  return { debtorGuid, caseGuid }
}

const take: SendMessage = () => Promise.resolve()
/** What becomes of the letter when the outbox is sent: SENT, or why it is held. */
async function leave(debtorGuid: string, date = today): Promise<string> {
  await api.sql`update message set next_try_at = now() where sent_at is null`
  const ask = createContactGate(api.sql, { today: () => date, now: () => new Date(`${date}T10:00:00Z`) })
  await sendMessages(api.sql, { email: take, sms: take, letter: take }, (error) => assert.fail(error), ask)
  const { body } = await api.call<{ value: Document[] }>('GET', `/debtors/${debtorGuid}/documents`)
  return body.value[0]!.heldReason ?? body.value[0]!.state
}

test('the fee of a letter that leaves stands', async () => {
  const { debtorGuid, caseGuid } = await remind()
  assert.equal(await leave(debtorGuid), 'SENT')
  assert.equal(await readOwed(caseGuid), 1060)
})

test('the fee of a held letter is reversed by a booking that says why, once', async () => {
  const { debtorGuid, caseGuid } = await remind()
  await pay(caseGuid, 400)
  for (let hour = 0; hour < 3; hour++) assert.equal(await leave(debtorGuid), 'owesLess')
  assert.equal(await readOwed(caseGuid), 600)
  const movements = await readMovements(caseGuid)
  const reversals = movements.filter(({ kind }) => kind === 'reversal')
  assert.deepEqual(
    reversals.map(({ text }) => text),
    [
      'Reversal of an earlier movement (Reminder) – the letter did not leave: Owes less than the letter says.',
    ],
  )
  const events = await api.sql<{ data: Record<string, unknown>; actor: string | null }[]>`
    select data, actor_id as actor from audit_entry where type = 'case.fee_reversed' and subject = ${caseGuid}`
  assert.equal(events.length, 1)
  assert.deepEqual([events[0]!.data['heldReason'], events[0]!.actor], ['owesLess', null])
})

test('a letter that may leave after all is charged anew, by the law of that day', async () => {
  const { debtorGuid, caseGuid } = await remind()
  const { paymentGuid } = await pay(caseGuid, 400)
  assert.equal(await leave(debtorGuid), 'owesLess')
  await form('PATCH', `payment/reverse?id=${paymentGuid!}`, { reason: 'bounced' })
  await api.setDate('2026-06-17')
  assert.equal(await leave(debtorGuid, '2026-06-17'), 'SENT')
  assert.equal(await readOwed(caseGuid), 1060)
  const fees = (await readMovements(caseGuid)).filter(({ kind }) => kind === 'fee')
  assert.deepEqual(fees.map(({ valueDate, reversed }) => [valueDate.slice(0, 10), reversed]).toSorted(), [
    [today, true],
    ['2026-06-17', false],
  ])
})

test('a letter stays where it is when the law no longer has its fee', async () => {
  const { debtorGuid, caseGuid } = await remind()
  const { paymentGuid } = await pay(caseGuid, 400)
  assert.equal(await leave(debtorGuid), 'owesLess')
  await form('PATCH', `payment/reverse?id=${paymentGuid!}`, { reason: 'bounced' })
  await form('PATCH', `case/law?id=${caseGuid}`, { reminderFeeAgreed: false })
  assert.equal(await leave(debtorGuid), 'owesLess')
  assert.equal(await readOwed(caseGuid), 1000)
})

test('a fee that the debtor paid without its letter becomes credit', async () => {
  const { debtorGuid, caseGuid } = await remind()
  await pay(caseGuid, 1060)
  assert.equal(await leave(debtorGuid), 'caseClosed')
  const [row] = await api.sql<{ credit: number; closed: string }[]>`
    select credit::int as credit, closure_code as closed from debt_case where id = ${caseGuid}`
  assert.deepEqual(row, { credit: 6000, closed: 'PAID_IN_FULL' })
})

test('who pays all but the fee of a letter that never left has paid in full', async () => {
  const { debtorGuid, caseGuid } = await remind()
  await pay(caseGuid, 1000)
  assert.equal(await leave(debtorGuid), 'owesLess')
  const [row] = await api.sql`select closure_code as closed from debt_case where id = ${caseGuid}`
  assert.equal(row!['closed'], 'PAID_IN_FULL')
  assert.equal(await leave(debtorGuid), 'caseClosed')
})

test('a fee that was written off stays as it is', async () => {
  const { debtorGuid, caseGuid } = await remind()
  await form('POST', `writeoff/register?id=${caseGuid}`, { amount: 60, component: 'COST' })
  assert.equal(await leave(debtorGuid), 'owesLess')
  assert.equal(await readOwed(caseGuid), 1000)
  assert.ok((await readMovements(caseGuid)).every(({ kind }) => kind !== 'reversal'))
})

test('a letter to somebody whom nobody may address, and one that is withdrawn, charge nothing', async () => {
  const dead = await remind()
  await form('PATCH', `case/hold?id=${dead.caseGuid}`, { reason: 'HOLD_DECEASED' })
  assert.equal(await leave(dead.debtorGuid), 'deceased')
  assert.equal(await readOwed(dead.caseGuid), 1000)
  const taken = await remind()
  const { body } = await api.call<{ value: Document[] }>('GET', `/debtors/${taken.debtorGuid}/documents`)
  const withdrawn = await api.call('POST', `/documents/${body.value[0]!.documentGuid}/withdraw`)
  assert.ok(withdrawn.status < 300, withdrawn.text)
  assert.equal(await readOwed(taken.caseGuid), 1000)
  const [reversal] = (await readMovements(taken.caseGuid)).filter(({ kind }) => kind === 'reversal')
  assert.match(reversal!.text, /the letter was withdrawn/)
})

test('two nodes that hold a letter reverse its fee once', async () => {
  const { debtorGuid, caseGuid } = await remind()
  await pay(caseGuid, 1)
  await Promise.all([leave(debtorGuid), leave(debtorGuid)])
  assert.equal(await readOwed(caseGuid), 999)
})
