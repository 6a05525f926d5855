/**
 * Published decisions of supervisors, boards and courts, as scenarios: the product refuses what was criticised. Each
 * names its source, as found and read on 2026-11-25. Only decisions whose outcome could be read are here.
 */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { addDays } from '../../../core/calendar/calendar.ts'
import { registerPayment } from '../../payments/payments.ts'
import { startApi, type TestApi } from '../../testing/api.ts'
import { assertProblem } from '../../testing/problem.ts'
import { agencyCaller, contextOn } from '../../testing/records/cases.ts'
import { makeDemands, notified } from '../../testing/records/demands.ts'
import { makeScenarios, start, type Scenarios } from '../../testing/records/decision-scenarios.ts'
import type { LetterData } from '../letters/letter-data.ts'

let api: TestApi
let scenarios: Scenarios
before(async () => {
  api = await startApi({ FORDRA_SERVICES: '' })
  scenarios = makeScenarios(api)
})
after(() => api.close())

const refuse = async (caseGuid: string, body: object, detail: RegExp) =>
  assertProblem(await scenarios.addFee(caseGuid, body), 'unprocessable', detail)
async function charge(caseGuid: string, body: object) {
  const answer = await scenarios.addFee(caseGuid, body)
  assert.ok(answer.status < 300, answer.text)
}

const demand = (valueDate: string, amount?: number) => ({
  feeType: 'collectionDemand',
  valueDate,
  ...(amount !== undefined && { amount }),
})

test('each of several claims demanded by itself, with a fee each (Finanstilsynet, Norkreditt AS, 2016, point 2.1, http://docplayer.me/23791659)', async () => {
  const demands = makeDemands(api)
  const { debtorGuid, register } = await demands.open('NO')
  const cases: string[] = []
  for (const principal of [600, 700, 800]) cases.push(await register({ ...notified, principal }))
  await demands.runNights(0, 14)
  assert.deepEqual(await demands.listLetters(debtorGuid), ['0 demand 3'])
  assert.equal((await demands.listFees(cases)).flat().length, 1)
  for (const caseGuid of cases.slice(1))
    await refuse(caseGuid, { feeType: 'collectionFee' }, /collection fee/)
})

test('reminder fees and salær charged against the regulation (Kredittilsynet, Intrum Justitia AS, 07/7944, 2007, http://docplayer.me/3016263)', async () => {
  const { caseGuid } = await scenarios.open('NO', { dueDate: addDays(start, -10) })
  await refuse(caseGuid, { feeType: 'reminder' }, /Waiting time before a reminder fee/)
  await refuse(caseGuid, { feeType: 'collectionFee' }, /Waiting time before a collection fee/)
  const late = await scenarios.open('NO', { principal: 1000 })
  await refuse(late.caseGuid, { feeType: 'reminder', amount: 70 }, /Highest reminder fee/)
  await charge(late.caseGuid, { feeType: 'reminder' })
  await refuse(late.caseGuid, { feeType: 'reminder' }, /Time between two fees/)
})

test('too short a time to pay (Finanstilsynet, Collectia, told by e24.no/boers-og-finans/i/LlLkzJ)', async () => {
  const one = await scenarios.open('NO', { noticeDeadline: '2026-02-20' })
  const short = await scenarios.write(one, { kind: 'demand', dueDate: addDays(start, 13) })
  assertProblem(short, 'unprocessable', /at least 14 days.*Deadline of a demand/)
  const lawful = await scenarios.write(one, { kind: 'demand', dueDate: addDays(start, 14) })
  assert.ok(lawful.status < 300, lawful.text)
})

test('an overpayment kept as income (Finanstilsynet, Collectia, told by e24.no/boers-og-finans/i/LlLkzJ)', async () => {
  const { caseGuid } = await scenarios.open('NO', { interestRate: 0 })
  await registerPayment(api.sql, agencyCaller, { caseGuid, amount: 1500, valueDate: start }, contextOn(start))
  const [row] = await api.sql`select credit::float8 as credit from debt_case where id = ${caseGuid}`
  assert.equal(row!['credit'], 50_000)
})

test('a time to pay of less than ten days from the receipt (kuluttaja-asiamies, Ropo Suomi Oy, KKV/378/14.08.01.05/2022, 21.10.2024)', async () => {
  const one = await scenarios.open('FI', { principal: 500 })
  const short = await scenarios.write(one, { kind: 'demand', dueDate: addDays(start, 10) })
  assertProblem(short, 'unprocessable', /Deadline of a demand/)
})

test('fees for more than two demands, and a second one above half of the first (markkinaoikeus MAO:290/19, Alektum Oy)', async () => {
  const { caseGuid } = await scenarios.open('FI', { principal: 500 })
  await api.setDate('2026-06-01')
  await charge(caseGuid, demand('2026-03-02', 24))
  await refuse(caseGuid, demand('2026-04-01', 24), /€12\.00/)
  await charge(caseGuid, demand('2026-04-01', 12))
  await refuse(caseGuid, demand('2026-05-01', 1), /Two demand fees at most/)
})

test('external costs without the demand that warns of them (Forbrugerombudsmanden, 09/05412, 9 June 2010)', async () => {
  const one = await scenarios.open('DK')
  await refuse(
    one.caseGuid,
    { feeType: 'externalCollection' },
    /Waiting time before external collection costs/,
  )
  // A reminder, with its fee, warns of the fee for collection only.
  assert.ok((await scenarios.write(one, { kind: 'reminder', dueDate: addDays(start, 10) })).status < 300)
  await charge(one.caseGuid, { feeType: 'reminder' })
  await refuse(
    one.caseGuid,
    { feeType: 'externalCollection' },
    /Waiting time before external collection costs/,
  )
})

test('a demand with its costs in one sum (Datainspektionen, Transcom Credit Management Services AB, http://docplayer.se/1919470)', async () => {
  const one = await scenarios.open('SE', {
    fee: 60,
    feeType: 'reminder',
    courtCosts: 300,
    reminderFeeAgreed: true,
  })
  await charge(one.caseGuid, { feeType: 'collectionDemand' })
  const sent = await scenarios.write(one, { kind: 'demand', dueDate: addDays(start, 10), languageCode: 'en' })
  assert.ok(sent.status < 300, sent.text)
  const [letter] = await api.sql<
    { data: LetterData }[]
  >`select data from document where case_id = ${one.caseGuid}`
  assert.deepEqual(letter!.data.costs, [
    ['Reminder', '60.00 SEK'],
    ['Costs set by a court', '300.00 SEK'],
    ['Collection demand', '180.00 SEK'],
  ])
  assert.equal(letter!.data.cases[0]!.fee, '540.00')
})

test('a claim from the time when the debtor was a minor, without a check of its ground (Datainspektionen, Visma and Pay Solutions, 2016, datainspektionen.se/nyheter/2016/inkassobolag-lyssnar-pa-datainspektionens-kritik)', async () => {
  // Eighteen on 1 February: a minor when the claim fell due, not when it is demanded.
  const one = await scenarios.open('SE', {}, { dateOfBirth: '2008-02-01' })
  await scenarios.runNights(20)
  assert.deepEqual(await scenarios.letters(one), [])
  assert.equal(await scenarios.reason(one, 'letter:demand'), 'minorClaim')
  await refuse(one.caseGuid, { feeType: 'collectionDemand' }, /Claims from before the age of 18/)
  const checked = await api.call('PATCH', `/system/forms/case/law?id=${one.caseGuid}`, {
    body: { minorClaimChecked: true },
  })
  assert.ok(checked.status < 300, checked.text)
  assert.equal(await scenarios.reason(one, 'letter:demand'), null)
  const grown = await scenarios.open('SE', {}, { dateOfBirth: '2007-02-01' })
  assert.equal(await scenarios.reason(grown, 'letter:demand'), null)
})

test('a debtor who disputes the claim pressed further (BGH, 19 March 2015, I ZR 157/13, told by dahag.de)', async () => {
  const one = await scenarios.open('DE')
  assert.ok((await scenarios.object(one.caseGuid, 'I cancelled the contract.')).status < 300)
  await scenarios.runNights(40)
  assert.deepEqual(await scenarios.letters(one), [])
  for (const action of ['letter:reminder', 'letter:demand', 'letter:legal'])
    assert.equal(await scenarios.reason(one, action), 'disputed')
})

test('salær although the debtor had reason to have an objection looked at (Finansklagenemnda 2021-601, https://rapport.finkn.no/book/omrade-2)', async () => {
  const { caseGuid } = await scenarios.open('NO', { noticeDeadline: '2026-02-20' })
  assert.ok((await scenarios.object(caseGuid, 'The gym was closed for three months.')).status < 300)
  await refuse(caseGuid, { feeType: 'collectionFee' }, /Disputed claims/)
})
