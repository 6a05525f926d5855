import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { TimelineEntry } from '../../../contract/parties/timeline.ts'
import type { Page } from '../../platform/database/list.ts'
import { startApi, type TestApi } from '../../testing/api.ts'
import { assertProblem } from '../../testing/problem.ts'

let api: TestApi
let debtorGuid: string
/** Client guids by code. */
const clients: Record<string, string> = {}
before(async () => {
  api = await startApi()
  await api.setDate('2026-06-15')
  const make = async (path: string, body: object, member: string) => {
    const answer = await api.call<Record<string, string>>('POST', path, { body })
    assert.equal(answer.status, 201, answer.text)
    return answer.body[member]!
  }
  clients['OURS'] = await api.addParty('OURS')
  clients['THEIRS'] = await api.addParty('THEIRS')
  const body = { lastname: 'Ek', email: 'ek@example.com' }
  debtorGuid = await make('/debtors', body, 'debtorGuid')
  await make(`/debtors/${debtorGuid}/addresses`, { street: 'Storgatan', city: 'Malmö' }, 'addressGuid')
  for (const code of ['OURS', 'THEIRS']) {
    const one = { clientGuid: clients[code], debtorGuid, principal: 1000, currencyCode: 'SEK' }
    const caseGuid = await make('/system/forms/case/register', one, 'caseGuid')
    await make('/system/forms/payment/register', { caseGuid, amount: 100 }, 'paymentGuid')
    await make(
      `/system/forms/note/create?id=${caseGuid}`,
      { text: `About ${code}`, shownToClient: true },
      'noteGuid',
    )
  }
  await make(
    `/system/forms/note/create?id=${debtorGuid}`,
    { text: 'Called, no answer.', shownToClient: true },
    'noteGuid',
  )
  const plan = { paymentPlanType: 1, numberOfPayments: 3 }
  await make(`/debtors/${debtorGuid}/paymentplans`, plan, 'paymentPlanGuid')
  await api.sql`
    insert into message (id, kind, channel, recipient, language, subject, expires_at, debtor_id)
    values (gen_random_uuid(), 'service', 'email', 'ek@example.com', 'sv', 'Hello', now() + interval '1 day', ${debtorGuid})`
})
after(() => api.close())

const read = (query = '', token = api.token) =>
  api.call<Page<TimelineEntry>>('GET', `/debtors/${debtorGuid}/timeline${query}`, { token })

test('the timeline shows everything about a debtor, newest first (listTimeline)', async () => {
  const { status, body, text } = await read('?$top=100')
  assert.equal(status, 200, text)
  const kinds = new Set(body.value.map(({ entity }) => entity))
  for (const kind of ['debtor', 'address', 'case', 'payment', 'paymentplan', 'note', 'message'])
    assert.ok(kinds.has(kind), `${kind} of ${[...kinds].join(', ')}`)
  const times = body.value.map(({ occurredAt }) => occurredAt!)
  assert.deepEqual(times, times.toSorted().toReversed())
  assert.equal(body.total, body.value.length)
  const texts = body.value.flatMap((one) => (one.text === null ? [] : [`${one.entity}: ${one.text}`]))
  assert.deepEqual(texts.toSorted(), [
    'message: Hello',
    'note: About OURS',
    'note: About THEIRS',
    'note: Called, no answer.',
  ])
  const payments = body.value.filter(({ entity }) => entity === 'payment')
  assert.ok(payments.every(({ caseNumber }) => caseNumber !== null))
  for (const { changes, currencyCode } of payments.filter(({ action }) => action === 'registered'))
    assert.deepEqual([changes['amount'], currencyCode], [[null, 100], 'SEK'])
  const plan = body.value.find(({ entity }) => entity === 'paymentplan')!
  assert.deepEqual([plan.currencyCode, plan.changes['invoiceFee']], ['SEK', [null, 0]])
  assert.equal(body.value.find(({ entity }) => entity === 'debtor')!.currencyCode, null)
  const note = body.value.find((one) => one.text === 'Called, no answer.')!
  assert.match(note.actor!, /^User/)
})

test('the timeline is paged without repeating entries, and can be filtered', async () => {
  const all = (await read('?$top=100')).body.value.map(({ entryId }) => entryId)
  const paged: string[] = []
  for (let skip = 0; skip < all.length; skip += 3)
    paged.push(...(await read(`?$top=3&$skip=${skip}`)).body.value.map(({ entryId }) => entryId))
  assert.deepEqual(paged, all)
  assert.equal(new Set(all).size, all.length)
  const notes = await read(`?$filter=${encodeURIComponent("entity eq 'note' and contains(text,'OURS')")}`)
  assert.deepEqual(
    notes.body.value.map(({ text }) => text),
    ['About OURS'],
  )
})

test('a creditor sees only entries about their own cases', async () => {
  const token = await api.signIn(6, clients['OURS']!)
  const { status, body, text } = await read('?$top=100', token)
  assert.equal(status, 200, text)
  const texts = body.value.map((one) => one.text)
  assert.ok(texts.includes('About OURS'))
  assert.ok(!texts.includes('About THEIRS'))
  const numbers = new Set(body.value.flatMap(({ caseNumber }) => caseNumber ?? []))
  assert.equal(numbers.size, 1)
  assert.ok(!body.value.some(({ entity }) => entity === 'paymentplan'), 'the plan tells of both')
  assert.ok(!texts.includes('Hello'), 'a message without a letter belongs to no client')
})

test('a creditor does not see the creation of a document about others’ cases, on the timeline or in the audit trail', async () => {
  const token = await api.signIn(6, clients['OURS']!)
  const documentsIn = async (path: string, who: string) => {
    const { body, text } = await api.call<Page<TimelineEntry>>('GET', path, { token: who })
    assert.ok(Array.isArray(body.value), text)
    return body.value.flatMap(({ changes }) => (changes['document'] ? [changes['document'][1]] : []))
  }
  const timeline = `/debtors/${debtorGuid}/timeline?$top=100`
  const trail = '/audit?$top=100'
  const { status } = await api.call('POST', `/debtors/${debtorGuid}/documents`, { body: {} })
  assert.equal(status, 201)
  for (const path of [timeline, trail]) {
    assert.deepEqual(await documentsIn(path, api.token), ['statement'])
    assert.deepEqual(await documentsIn(path, token), [], 'the statement tells of both')
  }
  const alone = await api.call<{ debtorGuid: string }>('POST', '/debtors', { body: { lastname: 'Al' } })
  const own = alone.body.debtorGuid
  const one = { clientGuid: clients['OURS'], debtorGuid: own, principal: 10, currencyCode: 'SEK' }
  await api.call('POST', '/system/forms/case/register', { body: one })
  const ofOwn = `/debtors/${own}/timeline?$top=100`
  const { body } = await api.call<{ documentGuid: string }>('POST', `/debtors/${own}/documents`, { body: {} })
  assert.deepEqual(await documentsIn(ofOwn, token), ['statement'])
  await api.sql`delete from document where id = ${body.documentGuid}`
  assert.deepEqual(await documentsIn(ofOwn, api.token), ['statement'])
  for (const path of [ofOwn, trail])
    assert.deepEqual(await documentsIn(path, token), [], 'nobody can say any more whose it was')
})

test('without audit.read personal data is masked, and another debtor’s timeline is not found', async () => {
  const token = await api.signIn(6, clients['OURS']!)
  const { body } = await read('?$top=100', token)
  const made = body.value.find(({ entity, action }) => entity === 'debtor' && action === 'created')!
  assert.equal(made.changes['email']![1], '…@example.com')
  const whole = (await read('?$top=100')).body.value.find(({ entryId }) => entryId === made.entryId)!
  assert.equal(whole.changes['email']![1], 'ek@example.com')
  const other = await api.call('GET', '/debtors/0190a6f2-7c1e-7d3a-8b4e-2f6a1c9d5e70/timeline')
  assertProblem(other, 'not-found', /debtor/)
})
