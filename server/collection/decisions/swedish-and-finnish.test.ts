/**
 * Published decisions of supervisors and of the industry's board, as scenarios: the product refuses what was
 * criticised. Each names its source, as found and read on 2026-11-23
 * or, where it says so, 2026-11-25.
 */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { addCaseDebtor } from '../../cases/case-debtors.ts'
import { startApi, type TestApi } from '../../testing/api.ts'
import { assertProblem } from '../../testing/problem.ts'
import { agencyCaller, contextOn, makeDebtor } from '../../testing/records/cases.ts'
import { makeScenarios, start, type Scenarios } from '../../testing/records/decision-scenarios.ts'

let api: TestApi
let scenarios: Scenarios
before(async () => {
  api = await startApi({ FORDRA_SERVICES: '' })
  scenarios = makeScenarios(api)
})
after(() => api.close())

test('demands sent after an objection (Inkassonämnden 208-2020, https://svenskinkasso.se/inkassoatgarder-efter-bestridande/)', async () => {
  const one = await scenarios.open('SE')
  await scenarios.runNights(1)
  const sent = await scenarios.letters(one)
  assert.ok(sent.length > 0, 'it was demanded before')
  assert.ok((await scenarios.object(one.caseGuid, 'I never ordered it.')).status < 300)
  await scenarios.runNights(40)
  assert.deepEqual(await scenarios.letters(one), sent)
  assertProblem(
    await scenarios.addFee(one.caseGuid, { feeType: 'collectionDemand' }),
    'unprocessable',
    /Disputed claims/,
  )
})

test('a consumer credit demanded although the goods were disputed (Inkassonämnden, May 2023, https://svenskinkasso.se/2023/05/)', async () => {
  const one = await scenarios.open('SE', { claimKind: 'CONSUMER_CREDIT' })
  assert.ok((await scenarios.object(one.caseGuid, 'The sofa was never delivered.')).status < 300)
  await scenarios.runNights(40)
  assert.deepEqual(await scenarios.letters(one), [])
  for (const action of ['letter:demand', 'letter:legal'])
    assert.equal(await scenarios.reason(one, action), 'disputed')
})

test('enforcement prepared while a payment plan held (Inkassonämnden, March 2021, https://svenskinkasso.se/2021/03/)', async () => {
  const one = await scenarios.open('SE')
  const plan = await api.call('POST', `/debtors/${one.debtorGuid}/paymentplans`, {
    body: { cases: [one.caseGuid], paymentPlanType: 1, numberOfPayments: 4, active: 1 },
  })
  assert.ok(plan.status < 300, plan.text)
  await scenarios.runNights(25)
  assert.deepEqual(await scenarios.letters(one), [])
  for (const action of ['letter:demand', 'letter:legal', 'fee:collectionDemand'])
    assert.equal(await scenarios.reason(one, action), 'plan')
})

test('claims on minors collected without a check of their ground (Datainspektionen, Inkasso AB Marginalen, http://docplayer.se/1170030)', async () => {
  const minor = await scenarios.open('SE', {}, { dateOfBirth: '2012-05-05' })
  const guarded = await scenarios.open('SE', {}, { dateOfBirth: '2012-05-05' })
  const guardian = await makeDebtor(api)
  await addCaseDebtor(
    api.sql,
    agencyCaller,
    { caseGuid: guarded.caseGuid, input: { debtorGuid: guardian, debtorRole: 'GUARDIAN' } },
    contextOn(start),
  )
  await scenarios.runNights(40)
  for (const one of [minor, guarded]) {
    assert.deepEqual(await scenarios.letters(one), [])
    assertProblem(
      await scenarios.addFee(one.caseGuid, { feeType: 'collectionDemand' }),
      'unprocessable',
      /Debtors under 18/,
    )
  }
  const statement = await api.call('POST', `/debtors/${minor.debtorGuid}/documents`, { body: {} })
  assertProblem(statement, 'unprocessable', /no guardian/)
})

test('a demand without a check of a doubtful claim (Finanstilsynet, Norkreditt AS, 2016, http://docplayer.me/23791659)', async () => {
  const one = await scenarios.open('NO', { noticeDeadline: '2026-02-20' })
  assert.ok((await scenarios.object(one.caseGuid, 'I never used this telephone service.')).status < 300)
  await scenarios.runNights(40)
  assert.deepEqual(await scenarios.letters(one), [])
  assert.equal(await scenarios.reason(one, 'letter:demand'), 'disputed')
})

test('a paid demand on the 14th day after the last one (kuluttaja-asiamies, Ropo Suomi Oy, KKV/378/14.08.01.05/2022, 21.10.2024)', async () => {
  const one = await scenarios.open('FI', { principal: 500 })
  const fee = (feeType: string, valueDate: string) => scenarios.addFee(one.caseGuid, { feeType, valueDate })
  await api.setDate('2026-05-01')
  const reminded = await fee('reminder', '2026-03-02')
  assert.ok(reminded.status < 300, reminded.text)
  const early = await fee('collectionDemand', '2026-03-16')
  assertProblem(early, 'unprocessable', /17 Mar 2026.*Fourteen days between fees/)
  const lawful = await fee('collectionDemand', '2026-03-17')
  assert.ok(lawful.status < 300, lawful.text)
})
