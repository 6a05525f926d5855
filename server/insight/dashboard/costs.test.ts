/** The cost per case: what letters, calls and outlays cost, and the cases that it is divided by. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { CaseCosts } from '../../../contract/insight/case-costs.ts'
import type { Page } from '../../platform/database/list.ts'
import { openPlanStage, type PlanStage } from '../../testing/records/plans.ts'
import { assertProblem } from '../../testing/problem.ts'

let stage: PlanStage
const cases: string[] = []

/**
 * February 2026: two cases with a letter, one of them with two calls and costs of a court, a third one with a reversed
 * outlay, one case closed. March: a letter that has not left, a call about a case in EUR.
 */
before(async () => {
  stage = await openPlanStage('2026-02-03')
  const { api } = stage
  const debtors: string[] = []
  for (const currencyCode of ['SEK', 'SEK', 'SEK', 'EUR']) {
    const made = await stage.debtorWith({ dueDate: '2026-01-01', currencyCode })
    debtors.push(made.debtorGuid)
    cases.push(made.caseGuids[0]!)
  }
  const [first, second, third, foreign] = cases as [string, string, string, string]
  await letter(debtors[0]!, first)
  await letter(debtors[1]!, second)
  // About all that the debtor owes: it works no case.
  await letter(debtors[1]!)
  await api.sql`update message set sent_at = now() where document_id is not null`
  await call(first)
  await call(first)
  await fee(first, 'courtCost', 90)
  await fee(first, 'reminder', 60)
  await fee(third, 'enforcementCost', 70)
  await reverseFee(third)
  await stage.pay({ caseGuid: second, amount: 1000, valueDate: '2026-02-03' })
  await stage.setDate('2026-03-02')
  await letter(debtors[0]!, first)
  await call(foreign)
})
after(() => stage.api.close())

async function send(method: string, path: string, body: object) {
  const answer = await stage.api.call<Record<string, string>>(method, path, { body })
  assert.ok(answer.status < 300, answer.text)
  return answer.body
}
const form = (method: string, path: string, body: object) => send(method, `/system/forms/${path}`, body)
const letter = (debtorGuid: string, caseGuid?: string) =>
  send('POST', `/debtors/${debtorGuid}/letters`, { kind: 'statement', channel: 'letter', caseGuid })
const call = (caseGuid: string) =>
  send('POST', `/cases/${caseGuid}/calls`, { outcome: 'REACHED', rightParty: true })
const fee = (caseGuid: string, feeType: string, amount: number) =>
  form('POST', `fee/add?id=${caseGuid}`, { feeType, amount })
/** As a correction by a review of the law does. */
const reverseFee = (caseGuid: string) => stage.api.sql`
  insert into movement (id, case_id, number, kind, value_date, booked_date, reverses_id, allocation_order, tolerance_minor)
  select gen_random_uuid(), case_id, number + 1, 'reversal', value_date, booked_date, id, allocation_order, tolerance_minor
  from movement where case_id = ${caseGuid} and kind = 'fee'`
const setPrices = (body: object) => form('PATCH', 'systemsettings/edit', body)
const read = async (months = 2) =>
  (await stage.api.call<CaseCosts>('GET', `/dashboard/costs?months=${months}`)).body

const sek = { currencyCode: 'SEK', emails: 0, sms: 0 }
const february = { ...sek, month: '2026-02-01T00:00:00Z', letters: 3, calls: 2, outlays: 90 }

test('getCaseCosts without prices counts outlays alone and says what has no price', async () => {
  const { asOf, from, prices, value } = await read()
  assert.deepEqual([asOf, from], ['2026-03-02T00:00:00Z', '2026-02-01T00:00:00Z'])
  assert.deepEqual(prices, { currencyCode: 'SEK', letter: null, email: null, sms: null, call: null })
  assert.deepEqual(
    value.find(({ currencyCode }) => currencyCode === 'SEK'),
    {
      ...february,
      unpriced: 5,
      cost: 90,
      workedCases: 2,
      closedCases: 1,
      perWorkedCase: 45,
      perClosedCase: 90,
    },
  )
})

test('getCaseCosts prices letters and calls by the settings, in their currency alone', async () => {
  await setPrices({ letterPrice: 12.5, callPrice: 25.01 })
  const { prices, value } = await read()
  assert.deepEqual([prices.letter, prices.call, prices.sms], [12.5, 25.01, null])
  assert.deepEqual(value, [
    {
      currencyCode: 'EUR',
      month: '2026-03-01T00:00:00Z',
      letters: 0,
      emails: 0,
      sms: 0,
      calls: 1,
      outlays: 0,
      unpriced: 1,
      cost: 0,
      workedCases: 1,
      closedCases: 0,
      perWorkedCase: 0,
      perClosedCase: null,
    },
    {
      ...february,
      unpriced: 0,
      cost: 177.52,
      workedCases: 2,
      closedCases: 1,
      perWorkedCase: 88.76,
      perClosedCase: 177.52,
    },
  ])
})

test('the list of cases has the closed ones behind the figure', async () => {
  const { value } = await read()
  const filter = "currencyCode eq 'SEK' and closureDate ge 2026-02-01 and closureDate lt 2026-03-01"
  const { body } = await stage.api.call<Page<{ caseGuid: string }>>(
    'GET',
    `/cases?$filter=${encodeURIComponent(filter)}`,
  )
  assert.deepEqual(
    body.value.map(({ caseGuid }) => caseGuid),
    [cases[1]],
  )
  assert.equal(value.find(({ currencyCode }) => currencyCode === 'SEK')!.closedCases, body.total)
})

const countLetters = async () =>
  (await read(1)).value.find(({ currencyCode }) => currencyCode === 'SEK')?.letters ?? 0

test('a letter counts from when it has left, in the month of its day', async () => {
  assert.equal(await countLetters(), 0)
  await stage.api.sql`update message set sent_at = now() where sent_at is null and document_id is not null`
  assert.equal(await countLetters(), 1)
})

test('getCaseCosts is the agency’s: refused to creditors and to staff who are restricted to clients', async () => {
  const { api, client } = stage
  const creditor = await api.signIn(7, client)
  assertProblem(
    await api.call('GET', '/dashboard/costs', { token: creditor }),
    'forbidden',
    /restricted to certain clients/,
  )
  assert.equal((await api.call('GET', '/dashboard/costs', { token: null })).status, 401)
})

for (const months of ['0', '37', 'x'])
  test(`getCaseCosts refuses ${months} months`, async () => {
    assert.equal((await stage.api.call('GET', `/dashboard/costs?months=${months}`)).status, 400)
  })
