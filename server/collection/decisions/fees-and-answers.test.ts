/**
 * More published decisions of supervisors and courts, as scenarios: the product refuses what was criticised. Each names
 * its source, as found and read on 2026-11-26. Only decisions whose outcome could be read are here.
 */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { addCaseDebtor } from '../../cases/case-debtors.ts'
import { addDays } from '../../../core/calendar/calendar.ts'
import { startApi, type TestApi } from '../../testing/api.ts'
import { assertProblem } from '../../testing/problem.ts'
import { agencyCaller, contextOn, makeDebtor } from '../../testing/records/cases.ts'
import {
  makeScenarios,
  start,
  type Opened,
  type Scenarios,
} from '../../testing/records/decision-scenarios.ts'

let api: TestApi
let scenarios: Scenarios
before(async () => {
  api = await startApi({ FORDRA_SERVICES: '' })
  scenarios = makeScenarios(api)
})
after(() => api.close())

const refuse = async ({ caseGuid }: Opened, body: object, detail: RegExp) =>
  assertProblem(await scenarios.addFee(caseGuid, body), 'unprocessable', detail)
async function charge({ caseGuid }: Opened, body: object) {
  const answer = await scenarios.addFee(caseGuid, body)
  assert.ok(answer.status < 300, answer.text)
}

/** Reminders may follow each other after ten days. */
const day = (number: number) => addDays(start, 10 * number)

test('more than three reminder fees in one arrear, each above 100 kroner (Forbrugerombudsmanden 22/10276, https://forbrugerombudsmanden.dk/find-sager/sager/markedsfoeringsloven/sager-efter-markedsfoeringsloven/gebyrer/optikerkaede-opkraevede-ulovlige-rykkergebyrer/)', async () => {
  const one = await scenarios.open('DK')
  await api.setDate(day(4))
  const fee = (number: number, amount: number) => ({ feeType: 'reminder', amount, valueDate: day(number) })
  await refuse(one, fee(0, 105.5), /DKK.100\.00.*Highest reminder fee/)
  for (const number of [0, 1, 2]) await charge(one, fee(number, 100))
  await refuse(one, fee(3, 100), /Three reminder fees at most/)
})

test('reminder fees of the creditor, and three more of the agency (the same arrear, Forbrugerombudsmanden 22/10276)', async () => {
  const one = await scenarios.open('DK', { fee: 100, feeType: 'reminder', feeDate: '2026-01-20' })
  await api.setDate(addDays(start, 30))
  for (const days of [0, 10]) await charge(one, { feeType: 'reminder', valueDate: addDays(start, days) })
  await refuse(one, { feeType: 'reminder', valueDate: addDays(start, 20) }, /Three reminder fees at most/)
})

test('fees for payment slips and address searches beyond the ceiling of collection costs (Højesteret in Forbrugerombudsmanden 12/00317, https://www.forbrugerombudsmanden.dk/find-sager/sager/markedsfoeringsloven/sager-efter-markedsfoeringsloven/inkasso/fo-kompetent-til-at-foere-tilsyn-paa-omraadet-for-inkassogebyrer/)', async () => {
  const one = await scenarios.open('DK')
  await api.sql`
    update party set fees = '{"paymentSlip": 25, "addressSearch": 52}'
    where id = (select client_id from debt_case where id = ${one.caseGuid})`
  await refuse(one, { feeType: 'paymentSlip' }, /Other collection costs/)
  await refuse(one, { feeType: 'addressSearch' }, /Other collection costs/)
})

test('fees and collection although the debtor objected several times (Forbrugerombudsmanden on parking charges, told by https://danskfjernvarme.dk/aktuelt/nyheder/2026/rykkergebyrer-og-inkasso-maa-ikke-bruges-ved-indsigelser)', async () => {
  const one = await scenarios.open('DK')
  await charge(one, { feeType: 'reminder' })
  assert.ok((await scenarios.object(one.caseGuid, 'I had a ticket.')).status < 300)
  await scenarios.runNights(40)
  assert.deepEqual(await scenarios.letters(one), [])
  const later = { valueDate: addDays(start, 30) }
  for (const feeType of ['reminder', 'collectionDemand', 'externalCollection'])
    await refuse(one, { feeType, ...later }, /Disputed claims/)
})

test('questions of debtors answered late or never (IMY on Sergel, 15 October 2020, https://www.imy.se/nyheter/kritik-mot-inkassobolag-som-det-ar-svart-att-komma-i-kontakt-med/)', async () => {
  const one = await scenarios.open('SE')
  const body = { matter: 'COMPLAINT', reason: 'Nobody answers my messages on the pages of the agency.' }
  const made = await api.call('POST', `/system/forms/objection/create?id=${one.caseGuid}`, { body })
  assert.ok(made.status < 300, made.text)
  const due = addDays(start, 14)
  await api.setDate(due)
  assert.equal(await scenarios.reason(one, 'letter:demand'), null, 'there is still time to answer')
  await api.setDate(addDays(due, 1))
  assert.equal(await scenarios.reason(one, 'letter:demand'), 'unanswered')
  await refuse(one, { feeType: 'collectionDemand' }, /Objections not answered in time/)
})

test('costs of collection charged to a minor, also through the guardian (Lovavdelingen 2006/01456, 5 May 2006, https://www.regjeringen.no/no/dokumenter/-37---om-inndriving-av-krav-mot-umyndige/id455100/)', async () => {
  const one = await scenarios.open('NO', { noticeDeadline: '2026-02-20' }, { dateOfBirth: '2012-05-05' })
  await refuse(one, { feeType: 'reminder' }, /Debtors under 18/)
  const guardian = { debtorGuid: await makeDebtor(api), debtorRole: 'GUARDIAN' }
  const { caseGuid } = one
  await addCaseDebtor(api.sql, agencyCaller, { caseGuid, input: guardian }, contextOn(start))
  for (const feeType of ['reminder', 'collectionFee']) await refuse(one, { feeType }, /Debtors under 18/)
})

test('a demand with collection fee on the day on which a direct debit failed (LG Düsseldorf, 8 June 2017, 14c O 169/15, https://openjur.de/u/973007.html)', async () => {
  const one = await scenarios.open('DE', { dueDate: start })
  for (const feeType of ['collectionDemand', 'collectionFee'])
    await refuse(one, { feeType, amount: 20 }, /From the day after the due date/)
  const demanded = await scenarios.write(one, { kind: 'demand', dueDate: addDays(start, 20) })
  assertProblem(demanded, 'unprocessable', /From the day after the due date/)
})
