/**
 * Published decisions of supervisors and of the industry's board, as scenarios: the product refuses what was
 * criticised. Each names its source, as found and read on 2026-11-23.
 */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { CasePermissions } from '../../../contract/cases/permissions.ts'
import { addDays } from '../../../core/calendar/calendar.ts'
import { addCaseDebtor } from '../../cases/case-debtors.ts'
import { registerCase } from '../../cases/register-case.ts'
import { runChunks } from '../../platform/jobs/chunked-work.ts'
import { startApi, type TestApi } from '../../testing/api.ts'
import { assertProblem } from '../../testing/problem.ts'
import { agencyCaller, contextOn, makeDebtor, setTerms } from '../../testing/records/cases.ts'
import { applyStrategies } from './apply-strategies.ts'
import { assignStrategy } from './strategies.store.ts'

const start = '2026-03-02'
let api: TestApi
let clients = 0
before(async () => {
  api = await startApi({ FORDRA_SERVICES: '' })
})
after(() => api.close())

/** A case that fell due in January, of a client with the default strategy. */
async function open(country: 'SE' | 'FI' | 'NO', input: object = {}, debtor: object = {}) {
  await api.setDate(start)
  const client = await api.addParty(`DECISION${++clients}`)
  await setTerms(api, client, { country_code: country })
  await assignStrategy(api.sql, client, 'NORDIC')
  const debtorGuid = await makeDebtor(api, debtor)
  const currencyCode = { SE: 'SEK', FI: 'EUR', NO: 'NOK' }[country]
  const whole = {
    clientGuid: client,
    debtorGuid,
    principal: 1000,
    currencyCode,
    dueDate: '2026-01-02',
    ...input,
  }
  const { caseGuid } = await registerCase(api.sql, agencyCaller, whole, contextOn(start))
  return { debtorGuid, caseGuid }
}
type Opened = Awaited<ReturnType<typeof open>>

async function runNights(nights: number) {
  for (let night = 0; night < nights; night++) {
    const date = addDays(start, night)
    await api.setDate(date)
    await runChunks(api.sql, applyStrategies(), { ...contextOn(date).origin, operation: 'day-end' })
  }
}
const letters = async ({ caseGuid }: Opened) =>
  (await api.sql<{ kind: string }[]>`select kind from document where case_id = ${caseGuid} order by id`).map(
    ({ kind }) => kind,
  )
const reason = async ({ debtorGuid, caseGuid }: Opened, action: string) => {
  const { body } = await api.call<CasePermissions>(
    'GET',
    `/debtors/${debtorGuid}/cases/${caseGuid}/permissions`,
  )
  return body.actions.find((one) => one.action === action)!.reasonCode
}
const object = (caseGuid: string, words: string) =>
  api.call('POST', `/system/forms/objection/create?id=${caseGuid}`, {
    body: { matter: 'OBJECTION', reason: words },
  })
const addFee = (caseGuid: string, body: object) =>
  api.call('POST', `/system/forms/fee/add?id=${caseGuid}`, { body })

test('demands sent after an objection (Inkassonämnden 208-2020, https://svenskinkasso.se/inkassoatgarder-efter-bestridande/)', async () => {
  const one = await open('SE')
  await runNights(1)
  const sent = await letters(one)
  assert.ok(sent.length > 0, 'it was demanded before')
  assert.ok((await object(one.caseGuid, 'I never ordered it.')).status < 300)
  await runNights(40)
  assert.deepEqual(await letters(one), sent)
  assertProblem(await addFee(one.caseGuid, { feeType: 'collectionDemand' }), 'unprocessable', /SE-DISPUTED/)
})

test('a consumer credit demanded although the goods were disputed (Inkassonämnden, May 2023, https://svenskinkasso.se/2023/05/)', async () => {
  const one = await open('SE', { claimKind: 'CONSUMER_CREDIT' })
  assert.ok((await object(one.caseGuid, 'The sofa was never delivered.')).status < 300)
  await runNights(40)
  assert.deepEqual(await letters(one), [])
  for (const action of ['letter:demand', 'letter:legal']) assert.equal(await reason(one, action), 'disputed')
})

test('enforcement prepared while a payment plan held (Inkassonämnden, March 2021, https://svenskinkasso.se/2021/03/)', async () => {
  const one = await open('SE')
  const plan = await api.call('POST', `/debtors/${one.debtorGuid}/paymentplans`, {
    body: { cases: [one.caseGuid], paymentPlanType: 1, numberOfPayments: 4, active: 1 },
  })
  assert.ok(plan.status < 300, plan.text)
  await runNights(25)
  assert.deepEqual(await letters(one), [])
  for (const action of ['letter:demand', 'letter:legal', 'fee:collectionDemand'])
    assert.equal(await reason(one, action), 'plan')
})

test('claims on minors collected without a check of their ground (Datainspektionen, Inkasso AB Marginalen, http://docplayer.se/1170030)', async () => {
  const minor = await open('SE', {}, { dateOfBirth: '2012-05-05' })
  const guarded = await open('SE', {}, { dateOfBirth: '2012-05-05' })
  const guardian = await makeDebtor(api)
  await addCaseDebtor(
    api.sql,
    agencyCaller,
    { caseGuid: guarded.caseGuid, input: { debtorGuid: guardian, debtorRole: 'GUARDIAN' } },
    contextOn(start),
  )
  await runNights(40)
  for (const one of [minor, guarded]) {
    assert.deepEqual(await letters(one), [])
    assertProblem(await addFee(one.caseGuid, { feeType: 'collectionDemand' }), 'unprocessable', /SE-MINOR/)
  }
  const statement = await api.call('POST', `/debtors/${minor.debtorGuid}/documents`, { body: {} })
  assertProblem(statement, 'unprocessable', /no guardian/)
})

test('a demand without a check of a doubtful claim (Finanstilsynet, Norkreditt AS, 2016, http://docplayer.me/23791659)', async () => {
  const one = await open('NO', { noticeDeadline: '2026-02-20' })
  assert.ok((await object(one.caseGuid, 'I never used this telephone service.')).status < 300)
  await runNights(40)
  assert.deepEqual(await letters(one), [])
  assert.equal(await reason(one, 'letter:demand'), 'disputed')
})

test('a paid demand on the 14th day after the last one (kuluttaja-asiamies, Ropo Suomi Oy, KKV/378/14.08.01.05/2022, 21.10.2024)', async () => {
  const one = await open('FI', { principal: 500 })
  const fee = (feeType: string, valueDate: string) => addFee(one.caseGuid, { feeType, valueDate })
  await api.setDate('2026-05-01')
  const reminded = await fee('reminder', '2026-03-02')
  assert.ok(reminded.status < 300, reminded.text)
  const early = await fee('collectionDemand', '2026-03-16')
  assertProblem(early, 'unprocessable', /2026-03-17.*FI-FOURTEEN-DAYS/)
  const lawful = await fee('collectionDemand', '2026-03-17')
  assert.ok(lawful.status < 300, lawful.text)
})
