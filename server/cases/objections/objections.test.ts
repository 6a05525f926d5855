/** Objections, complaints and hardship over HTTP: what they stop, by when they are answered, and what they credit. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { CaseByGuid } from '../../../contract/cases/all-cases.ts'
import type { Objection } from '../../../contract/cases/objections.ts'
import type { CasePermissions } from '../../../contract/cases/permissions.ts'
import { startApi, type TestApi } from '../../testing/api.ts'
import { assertProblem } from '../../testing/problem.ts'
import { assertProven, openCases, setTerms } from '../../testing/records/cases.ts'

const today = '2026-06-15'
let api: TestApi
let at: Awaited<ReturnType<typeof openCases>>
before(async () => {
  api = await startApi()
  at = await openCases(api)
  await setTerms(api, at.client, { country_code: 'SE' })
})
after(() => api.close())

type Made = Awaited<ReturnType<typeof at.register>>
const open = (input: object = {}) => at.register({ dueDate: '2026-01-02', ...input })
const form = (type: string, id: string) => `/system/forms/objection/${type}?id=${id}`
const record = (caseGuid: string, body: object) =>
  api.call<Objection>('POST', form('create', caseGuid), { body })
async function object(caseGuid: string, body: object = {}) {
  const answer = await record(caseGuid, {
    matter: 'OBJECTION',
    kind: 'PAID',
    reason: 'Already paid.',
    ...body,
  })
  assert.ok(answer.status < 300, answer.text)
  return answer.body.objectionGuid
}
const list = async (filter: string, token = api.token) =>
  (
    await api.call<{ value: Objection[] }>('GET', `/objections?$filter=${encodeURIComponent(filter)}`, {
      token,
    })
  ).body.value
const decide = (guid: string, body: object) =>
  api.call('PATCH', form('decide', guid), { body: { decisionReason: 'The receipt shows it.', ...body } })
const readCase = async (caseGuid: string) => (await api.call<CaseByGuid>('GET', `/cases/${caseGuid}`)).body
const reasons = async ({ debtorGuid, caseGuid }: Made) => {
  const { body } = await api.call<CasePermissions>(
    'GET',
    `/debtors/${debtorGuid}/cases/${caseGuid}/permissions`,
  )
  return Object.fromEntries(body.actions.map(({ action, reasonCode }) => [action, reasonCode]))
}

test('an objection to the whole claim stops every demand until it is decided, and has a day for its answer', async () => {
  const made = await open()
  assert.equal((await reasons(made))['letter:demand'], null)
  const guid = await object(made.caseGuid, { receivedDate: '2026-06-10T00:00:00Z' })
  assert.equal((await reasons(made))['letter:demand'], 'disputed')
  const fee = await api.call('POST', `/system/forms/fee/add?id=${made.caseGuid}`, {
    body: { feeType: 'collectionDemand' },
  })
  assertProblem(fee, 'unprocessable', /disputes/)
  const [listed] = await list(`caseGuid eq ${made.caseGuid}`)
  assert.deepEqual(
    [listed!.status, listed!.answerBy, listed!.receivedBy !== null],
    ['OPEN', '2026-06-24T00:00:00Z', true],
  )
  const answered = await api.call('PATCH', form('answer', guid), { body: { answer: 'We look into it.' } })
  assert.equal(answered.status, 200, answered.text)
  assert.equal((await reasons(made))['letter:demand'], 'disputed')
  assert.equal((await decide(guid, { decision: 'REJECTED' })).status, 200)
  assert.equal((await reasons(made))['letter:demand'], null)
  assertProblem(await decide(guid, { decision: 'UPHELD' }), 'conflict', /has been decided/)
})

test('an objection that is upheld credits the claim, its costs too, and the case closes as credited', async () => {
  const made = await open({ principal: 1000, fee: 60 })
  const guid = await object(made.caseGuid)
  assert.equal((await decide(guid, { decision: 'UPHELD' })).status, 200)
  const found = await readCase(made.caseGuid)
  assert.deepEqual([found.remainingSum, found.status], [0, 'CLOSED'])
  const [listed] = await list(`caseGuid eq ${made.caseGuid}`)
  assert.equal(listed!.status, 'UPHELD')
  assert.ok(listed!.creditedAmount! >= 1060)
  await assertProven(api)
})

test('an objection to a part leaves the rest to be demanded, and is credited in part', async () => {
  const made = await open({ principal: 1000 })
  const guid = await object(made.caseGuid, { amount: 300 })
  assert.equal((await reasons(made))['letter:demand'], null)
  assertProblem(
    await decide(guid, { decision: 'PARTLY', amount: 301 }),
    'invalid',
    /more than what is disputed/,
  )
  assert.equal((await decide(guid, { decision: 'PARTLY', amount: 200 })).status, 200)
  assert.equal((await readCase(made.caseGuid)).remainingPrincipal, 800)
  await assertProven(api)
})

test('parts that together are the whole claim stop it; more than remains is not credited', async () => {
  const made = await open({ principal: 1000, interestRate: 0 })
  const [first] = [await object(made.caseGuid, { amount: 600 }), await object(made.caseGuid, { amount: 500 })]
  assert.equal((await reasons(made))['letter:demand'], 'disputed')
  await at.pay({ caseGuid: made.caseGuid, amount: 700 })
  assertProblem(await decide(first!, { decision: 'UPHELD' }), 'unprocessable', /At most SEK.300\.00/)
})

test('a complaint stops nothing and credits nothing', async () => {
  const made = await open()
  const guid = await object(made.caseGuid, { matter: 'COMPLAINT', kind: 'CONDUCT' })
  assert.equal((await reasons(made))['letter:demand'], null)
  const owing = await readCase(made.caseGuid)
  assert.equal((await decide(guid, { decision: 'UPHELD' })).status, 200)
  assert.equal((await readCase(made.caseGuid)).remainingSum, owing.remainingSum)
  const wrong = await record(made.caseGuid, { matter: 'COMPLAINT', amount: 10, reason: 'x' })
  assertProblem(wrong, 'invalid', /no amount/)
})

test('of a consumer credit, hardship is assessed before enforcement, and the referral to debt advice recorded', async () => {
  await api.setDate('2026-12-01')
  const made = await open({ claimKind: 'CONSUMER_CREDIT' })
  const other = await open({ claimKind: 'CONSUMER' })
  for (const { debtorGuid, caseGuid } of [made, other]) {
    const body = { kind: 'demand', caseGuid, dueDate: '2026-12-15' }
    assert.equal((await api.call('POST', `/debtors/${debtorGuid}/letters`, { body })).status, 201)
  }
  await api.setDate('2026-12-16')
  const toLegal = async ({ caseGuid }: Made) => {
    const place = `/system/forms/case/status?id=${caseGuid}`
    await api.call('PATCH', place, { body: { status: 'AMICABLE' } })
    return api.call('PATCH', place, { body: { status: 'LEGAL' } })
  }
  assert.equal((await toLegal(other)).status, 200)
  assertProblem(
    await toLegal(made),
    'unprocessable',
    /forbearance.*Forbearance before enforcement.*2023\/2225/,
  )
  assert.equal((await reasons(made))['status:LEGAL'], 'assessment')
  const guid = await object(made.caseGuid, { matter: 'HARDSHIP', kind: 'INCOME', reason: 'Out of work.' })
  assertProblem(await toLegal(made), 'unprocessable', /forbearance/)
  assertProblem(await decide(guid, { decision: 'REJECTED' }), 'invalid', /measure/)
  const referredDate = '2026-12-01T00:00:00Z'
  assert.equal((await decide(guid, { decision: 'REJECTED', measure: 'NONE', referredDate })).status, 200)
  const [listed] = await list(`caseGuid eq ${made.caseGuid}`)
  assert.deepEqual([listed!.measure, listed!.referredDate], ['NONE', referredDate])
  assert.equal((await toLegal(made)).status, 200)
  await api.setDate(today)
})

test('what is missing or impossible is refused by its field', async () => {
  const made = await open()
  const empty = await record(made.caseGuid, { matter: 'OBJECTION', reason: ' ' })
  assertProblem(empty, 'invalid', /reason/)
  const late = await record(made.caseGuid, { matter: 'OBJECTION', reason: 'x', receivedDate: '2027-01-01' })
  assertProblem(late, 'invalid', /receivedDate/)
  const unknown = await record(made.caseGuid, { matter: 'WISH', reason: 'x' })
  assertProblem(unknown, 'invalid', /matter/)
})

test('a user restricted to a client sees and decides only the objections to its cases (listObjections)', async () => {
  const own = await object((await open()).caseGuid, { reason: 'Mine' })
  const others = await object((await open({ clientGuid: at.other })).caseGuid, { reason: 'Theirs' })
  const token = await api.signIn(6, at.client)
  const seen = (await list("status eq 'OPEN'", token)).map(({ objectionGuid }) => objectionGuid)
  assert.ok(seen.includes(own) && !seen.includes(others))
  const hidden = await api.call('GET', `${form('decide', others)}&initialValues=true`, { token })
  assert.equal(hidden.status, 404, hidden.text)
})

test('events and the audit trail tell of each step', async () => {
  const made = await open()
  const guid = await object(made.caseGuid)
  await decide(guid, { decision: 'WITHDRAWN' })
  const rows = await api.sql<{ type: string }[]>`
    select type from event where subject = ${made.caseGuid} and type like 'objection.%' order by sequence`
  assert.deepEqual(
    rows.map(({ type }) => type),
    ['objection.recorded', 'objection.decided'],
  )
})
