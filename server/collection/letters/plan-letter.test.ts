/** Letters about payment plans, over HTTP. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { Document } from '../../../contract/collection/documents.ts'
import type { LetterImage, LetterOptions } from '../../../contract/collection/letters.ts'
import type { PaymentPlan } from '../../../contract/plans/payment-plans.ts'
import { makeId } from '../../platform/database/make-id.ts'
import { startApi, type TestApi } from '../../testing/api.ts'
import { assertProblem } from '../../testing/problem.ts'
import { openSwedishCases } from '../../testing/records/cases.ts'
import type { LetterData } from './letter-data.ts'

let api: TestApi
let at: Awaited<ReturnType<typeof openSwedishCases>>
before(async () => {
  api = await startApi()
  at = await openSwedishCases(api)
})
after(() => api.close())

async function open(debtor: object = {}) {
  const made = await at.register({ dueDate: '2026-05-15' })
  const answer = await api.call('PATCH', `/debtors/${made.debtorGuid}`, { body: debtor })
  assert.equal(answer.status, 200, answer.text)
  return made
}
const send = (debtorGuid: string, body: object, token = api.token) =>
  api.call<Document>('POST', `/debtors/${debtorGuid}/letters`, { body, token })
const preview = (debtorGuid: string, body: object) =>
  api.call<LetterImage>('POST', `/debtors/${debtorGuid}/letters/preview`, { body })

async function plan(debtorGuid: string, active: 1 | 2) {
  const answer = await api.call<PaymentPlan>('POST', `/debtors/${debtorGuid}/paymentplans`, {
    body: { paymentPlanType: 1, numberOfPayments: 3, active, registrationFee: 170, invoiceFee: 0 },
  })
  assert.equal(answer.status, 201, answer.text)
  return answer.body
}

test('a letter about a payment plan has its schedule, as proposed and as agreed (previewLetter, sendLetter)', async () => {
  const one = await open({ languageCode: 'en' })
  const made = await plan(one.debtorGuid, 2)
  const body = { kind: 'plan', paymentPlanGuid: made.paymentPlanGuid, languageCode: 'en' }
  const proposed = await preview(one.debtorGuid, body)
  assert.equal(proposed.status, 200, proposed.text)
  assert.match(proposed.body.text, /We propose this payment plan/)
  assert.match(proposed.body.text, /\n1 \d+ \w+ 2026 .*\n2 .*\n3 /)
  const choice = await api.call<LetterOptions>(
    'GET',
    `/debtors/${one.debtorGuid}/letters/options?paymentPlanGuid=${made.paymentPlanGuid}`,
  )
  assert.deepEqual(
    choice.body.letters.map(({ kind, channel, dueDate }) => [kind, channel, dueDate]),
    [['plan', 'letter', null]],
  )
  const path = `/debtors/${one.debtorGuid}/paymentplans/${made.paymentPlanGuid}`
  assert.equal((await api.call('POST', `${path}/activate`)).status, 200)
  const sent = await send(one.debtorGuid, body)
  assert.equal(sent.status, 201, sent.text)
  assert.deepEqual([sent.body.kind, sent.body.title, sent.body.caseGuid], ['plan', 'Payment plan', null])
  const [row] = await api.sql<{ data: LetterData }[]>`
    select data from document where id = ${sent.body.documentGuid}`
  const { before: paragraphs, plan: schedule, payment } = row!.data
  assert.match(paragraphs[0]!, /We have agreed/)
  assert.equal(schedule!.rows.length, 3)
  assert.deepEqual(schedule!.totals.at(-1), '1,170.00')
  const [first] = made.payments
  assert.deepEqual(payment[0], ['Amount', `${first!.amount.toFixed(2)} SEK`])
  const pdf = await api.call('GET', `/documents/${sent.body.documentGuid}`)
  assert.equal(pdf.status, 200)
  assert.equal((await api.call('POST', `${path}/cancel`)).status, 200)
  assertProblem(await preview(one.debtorGuid, body), 'unprocessable', /plan has ended/)
})

test('a letter about a plan names a plan of this debtor that the caller may see, and nothing else', async () => {
  const one = await open()
  const { paymentPlanGuid } = await plan(one.debtorGuid, 2)
  const refused: [object, string, RegExp][] = [
    [{ kind: 'plan' }, 'paymentPlanGuid', /is required/],
    [{ kind: 'plan', paymentPlanGuid, caseGuid: one.caseGuid }, 'caseGuid', /left out/],
    [{ kind: 'plan', paymentPlanGuid, dueDate: '2027-01-01' }, 'dueDate', /left out/],
    [{ kind: 'statement', paymentPlanGuid }, 'paymentPlanGuid', /only for a letter of kind plan/],
  ]
  for (const [body, member, message] of refused) {
    const answer = await send(one.debtorGuid, body)
    assertProblem(answer, 'invalid', message)
    assert.deepEqual(Object.keys((answer.body as unknown as { errors: object }).errors), [member])
  }
  const sms = await send(one.debtorGuid, { kind: 'plan', paymentPlanGuid, channel: 'sms' })
  assertProblem(sms, 'unprocessable', /Only a statement/)
  const other = await open()
  assertProblem(await send(other.debtorGuid, { kind: 'plan', paymentPlanGuid }), 'not-found', /payment plan/)
  await at.register({ debtorGuid: one.debtorGuid, clientGuid: at.other, principal: 77 })
  const token = await api.signIn(6, at.other)
  const group = makeId()
  await api.sql`insert into access_group (id, code, name, access_codes)
    values (${group}, 'LETTERS', 'Letters', '{case.read,case.write,debtor.read}')`
  await api.sql`insert into user_access_group
    select id, ${group} from app_user order by created_at desc, id desc limit 1`
  // A restricted user sees the debtor by a case of their client, and not the plan with a case of another's.
  const hidden = await send(one.debtorGuid, { kind: 'plan', paymentPlanGuid }, token)
  assertProblem(hidden, 'not-found', /payment plan/)
  const clientId = makeId()
  const clientSecret = 'en hemlighet: med kolon, å och + tecken %'
  const user = { partyReferenceCode: 'AGENCY', email: 'program@agency.example', fullName: 'Ett program' }
  const made = await api.call('POST', '/users', { body: { ...user, userRole: 3, clientId, clientSecret } })
  assert.equal(made.status, 201, made.text)
  const grant = { grant_type: 'client_credentials', client_id: clientId, client_secret: clientSecret }
  const narrow = await api.call<{ access_token: string }>('POST', '/oauth2/token', {
    raw: new URLSearchParams({ ...grant, scope: 'case.read case.write debtor.read' }).toString(),
    token: null,
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
  })
  assert.equal(narrow.status, 200, narrow.text)
  const barred = await send(one.debtorGuid, { kind: 'plan', paymentPlanGuid }, narrow.body.access_token)
  assertProblem(barred, 'forbidden', /paymentplan\.read/)
})
