/** Letters that tell a debtor what an objection, a complaint or hardship was answered, over HTTP. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { Document } from '../../../contract/collection/documents.ts'
import type { LetterImage, LetterOptions } from '../../../contract/collection/letters.ts'
import { startApi, type TestApi } from '../../testing/api.ts'
import { assertProblem } from '../../testing/problem.ts'
import { openSwedishCases } from '../../testing/records/cases.ts'
import { findOutdated } from './outdated-letter.ts'

let api: TestApi
let at: Awaited<ReturnType<typeof openSwedishCases>>
before(async () => {
  api = await startApi()
  at = await openSwedishCases(api)
})
after(() => api.close())

async function object(matter: string, more: object = {}) {
  const made = await at.register({ dueDate: '2026-05-15', fee: 0 })
  const english = await api.call('PATCH', `/debtors/${made.debtorGuid}`, { body: { languageCode: 'en' } })
  assert.equal(english.status, 200, english.text)
  const body = { matter, kind: 'OTHER', reason: 'The sofa never came.', ...more }
  const objection = await api.call<{ objectionGuid: string }>(
    'POST',
    `/system/forms/objection/create?id=${made.caseGuid}`,
    { body },
  )
  assert.equal(objection.status, 201, objection.text)
  return { ...made, objectionGuid: objection.body.objectionGuid }
}
const step = async (form: 'answer' | 'decide', objectionGuid: string, body: object) => {
  const done = await api.call('PATCH', `/system/forms/objection/${form}?id=${objectionGuid}`, { body })
  assert.equal(done.status, 200, done.text)
}
const letter = ({ objectionGuid }: { objectionGuid: string }, more: object = {}) => ({
  kind: 'answer',
  objectionGuid,
  ...more,
})
const preview = (debtorGuid: string, body: object) =>
  api.call<LetterImage>('POST', `/debtors/${debtorGuid}/letters/preview`, { body })
const send = (debtorGuid: string, body: object, token = api.token) =>
  api.call<Document>('POST', `/debtors/${debtorGuid}/letters`, { body, token })

test('a debtor is told in a letter what was answered and decided, and it demands nothing', async () => {
  const one = await object('OBJECTION')
  assertProblem(await send(one.debtorGuid, letter(one)), 'unprocessable', /Answer or decide it first/)
  await step('answer', one.objectionGuid, { answer: 'We ask the carrier.' })
  const answered = await preview(one.debtorGuid, letter(one))
  assert.equal(answered.status, 200, answered.text)
  assert.equal(answered.body.title, 'Answer to your objection')
  assert.match(answered.body.text, /you told us: The sofa never came\.\nOur answer: We ask the carrier\.\n/)
  assert.match(answered.body.text, /We have not decided yet/)
  await step('decide', one.objectionGuid, {
    decision: 'PARTLY',
    amount: 400,
    decisionReason: 'One part came.',
  })
  const sent = await send(one.debtorGuid, letter(one))
  assert.equal(sent.status, 201, sent.text)
  assert.deepEqual([sent.body.kind, sent.body.caseGuid, sent.body.dueDate], ['answer', one.caseGuid, null])
  const { body } = await api.call<LetterImage>('GET', `/documents/${sent.body.documentGuid}/image`)
  assert.match(
    body.text,
    /decided partly in your favour\.\nOur reasons: One part came\.\n400\.00 SEK has been credited/,
  )
  assert.doesNotMatch(body.text, /How to pay|5050-1055|To pay/)
  const pdf = await api.call('GET', `/documents/${sent.body.documentGuid}`)
  assert.equal(pdf.status, 200)
})

test('the answer leaves although the objection that was upheld closed the case', async () => {
  const one = await object('OBJECTION')
  await step('decide', one.objectionGuid, { decision: 'UPHELD', decisionReason: 'It never came.' })
  const [row] = await api.sql`select status from debt_case where id = ${one.caseGuid}`
  assert.equal(row!['status'], 'CLOSED')
  const sent = await send(one.debtorGuid, letter(one))
  assert.equal(sent.status, 201, sent.text)
  assert.equal(await findOutdated(api.sql, sent.body.documentGuid, '2026-06-15'), null)
})

test('complaints and hardship are answered by letter too, with the measure and the referral', async () => {
  const complaint = await object('COMPLAINT')
  await step('decide', complaint.objectionGuid, {
    decision: 'REJECTED',
    decisionReason: 'The call was calm.',
  })
  const told = await preview(complaint.debtorGuid, letter(complaint))
  assert.equal(told.body.title, 'Answer to your complaint')
  assert.match(told.body.text, /not decided in your favour/)
  const hardship = await object('HARDSHIP')
  await step('decide', hardship.objectionGuid, {
    decision: 'UPHELD',
    decisionReason: 'Out of work.',
    measure: 'POSTPONEMENT',
    referredDate: '2026-06-10',
  })
  const helped = await preview(hardship.debtorGuid, letter(hardship))
  assert.match(
    helped.body.text,
    /What is done for you: Postponement\.\nOn 10 .* 2026 we told you where to get advice/,
  )
})

test('an answer names its objection alone, and goes to its debtor', async () => {
  const one = await object('COMPLAINT')
  await step('answer', one.objectionGuid, { answer: 'Sorry.' })
  const options = await api.call<LetterOptions>(
    'GET',
    `/debtors/${one.debtorGuid}/letters/options?objectionGuid=${one.objectionGuid}`,
  )
  assert.deepEqual(
    options.body.letters.map(({ kind, allowed, dueDate }) => [kind, allowed, dueDate]),
    [['answer', true, null]],
  )
  const wrong = [
    [{ kind: 'answer' }, /objectionGuid is required/],
    [letter(one, { caseGuid: one.caseGuid }), /caseGuid must be left out/],
    [letter(one, { dueDate: '2026-07-01T00:00:00Z' }), /dueDate must be left out/],
    [{ kind: 'statement', objectionGuid: one.objectionGuid }, /only for a letter of kind answer/],
  ] as const
  for (const [body, expected] of wrong) assertProblem(await send(one.debtorGuid, body), 'invalid', expected)
  const other = await at.register({})
  assertProblem(await send(other.debtorGuid, letter(one)), 'not-found', /case/)
})
