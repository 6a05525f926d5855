/** Interest of claims whose due date stands on the invoice alone: by the client's terms, the case and the invoice. */
import assert from 'node:assert/strict'
import { after, before, beforeEach, test } from 'node:test'
import type { CaseExplanation } from '../../../contract/cases/case-explanation.ts'
import { startApi, type TestApi } from '../../testing/api.ts'
import { assertProblem } from '../../testing/problem.ts'
import {
  assertProven,
  makeDebtor,
  openCases,
  setTerms,
  type OpenedCases,
} from '../../testing/records/cases.ts'
import { insertCases } from '../insert-cases.ts'
import { prepareCase } from '../register-case.ts'
import { agencyCaller, contextOn, today } from '../../testing/records/cases.ts'

let api: TestApi
let cases: OpenedCases
let debtors: Record<'consumer' | 'business', string>
before(async () => {
  api = await startApi()
  cases = await openCases(api)
  debtors = {
    consumer: await makeDebtor(api),
    business: await makeDebtor(api, { fullName: 'Bolaget AB', lastname: undefined, juridicalType: 1 }),
  }
})
after(() => api.close())
beforeEach(() => setClient('SE'))

const setClient = (country: string, basis: string | null = 'INVOICE') =>
  setTerms(api, cases.client, {
    country_code: country,
    currency_code: 'EUR',
    interest_rate: 8,
    interest_series: null,
    interest_points: null,
    due_date_basis: basis,
  })

const dates = { invoiceDate: '2026-03-02', dueDate: '2026-03-17' }
const body = (more: object = {}) => ({
  clientGuid: cases.client,
  debtorGuid: debtors.consumer,
  principal: 1000,
  ...dates,
  ...more,
})
const register = (more: object = {}) =>
  api.call<{ caseGuid: string; debtorGuid: string }>('POST', '/system/forms/case/register', {
    body: body(more),
  })

const readStarts = async (caseGuid: string) =>
  (
    await api.sql<{ start: string; rule: string | null }[]>`
      select to_char(interest_from_date, 'YYYY-MM-DD') as start, interest_start_rule as rule from invoice
      where case_id = ${caseGuid} order by number`
  ).map(({ start, rule }) => [start, rule])
const startOf = async (more: object = {}) => {
  const made = await register(more)
  assert.equal(made.status, 201, made.text)
  return (await readStarts(made.body.caseGuid))[0]
}
const explain = async (caseGuid: string, debtorGuid = debtors.consumer) =>
  (await api.call<CaseExplanation>('GET', `/debtors/${debtorGuid}/cases/${caseGuid}/explain`)).body

for (const country of ['SE', 'NO', 'DK', 'FI'])
  test(`${country}: interest begins 30 days after the invoice where due dates stand on invoices alone`, async () => {
    await setClient(country)
    const rule = `${country}-INTEREST-START`
    for (const debtorGuid of Object.values(debtors))
      assert.deepEqual(await startOf({ debtorGuid }), ['2026-04-01', rule])
    assert.deepEqual(await startOf({ dueDate: '2026-04-20' }), ['2026-04-20', rule])
    await setClient(country, null)
    assert.deepEqual(await startOf(), ['2026-03-17', null], 'as ever, unless the client says otherwise')
  })

test('DE: a business owes interest 30 days after invoice and due date; a consumer needs the day of a reminder', async () => {
  await setClient('DE')
  assert.deepEqual(await startOf({ debtorGuid: debtors.business }), ['2026-04-16', 'DE-INTEREST-START'])
  const refused = await register()
  assertProblem(refused, 'unprocessable', /Enter the day on which the reminder came/)
  const { errors, rule } = refused.body as unknown as { errors: object; rule: string }
  assert.deepEqual([Object.keys(errors), rule], [['interestFromDate'], 'DE-INTEREST-REMINDER'])
  assert.deepEqual(await startOf({ interestFromDate: '2026-04-02' }), ['2026-04-02', null])
  assert.deepEqual(await startOf({ interestRate: 0 }), ['2026-03-17', null])
  assert.deepEqual(await startOf({ dueDateBasis: 'AGREED' }), ['2026-03-17', null])
})

test('DE: an import takes the claim of a consumer without interest, which terms begin from the day of a reminder', async () => {
  await setClient('DE')
  const prepared = await prepareCase(api.sql, agencyCaller, body(), today)
  const [made] = await api.sql.begin((tx) => insertCases(tx, [prepared], contextOn(today)))
  const [stored] = await api.sql`select interest_rate from debt_case where id = ${made!.caseGuid}`
  assert.equal(stored!['interest_rate'], null)
  assert.deepEqual(await readStarts(made!.caseGuid), [['2026-03-17', 'DE-INTEREST-REMINDER']])
  const terms = { interestRate: 8, valueDate: '2026-06-15T00:00:00Z' }
  const begun = await api.call('PATCH', `/system/forms/case/terms?id=${made!.caseGuid}`, { body: terms })
  assert.equal(begun.status, 200, begun.text)
  await api.setDate('2026-06-25')
  const { figures } = await explain(made!.caseGuid)
  const interest = figures.find(({ figure }) => figure === 'accruedInterest')!
  // 1,000 × 8 % × 10/365
  assert.equal(interest.amount, 2.19)
  await api.setDate(today)
})

test('a case and an invoice say it for themselves, and a given day is never moved', async () => {
  assert.deepEqual(await startOf({ dueDateBasis: 'AGREED' }), ['2026-03-17', null])
  assert.deepEqual(await startOf({ interestFromDate: '2026-03-20' }), ['2026-03-20', null])
  await setClient('SE', null)
  const made = await register({ dueDateBasis: 'invoice' })
  const { caseGuid } = made.body
  const add = async (more: object) => {
    const path = `/system/forms/invoice/create?id=${caseGuid}`
    const added = await api.call(`POST`, path, { body: { principal: 100, ...dates, ...more } })
    assert.equal(added.status, 201, added.text)
  }
  await add({})
  await add({ dueDateBasis: 'AGREED' })
  await add({ interestFromDate: '2026-03-25' })
  assert.deepEqual(await readStarts(caseGuid), [
    ['2026-04-01', 'SE-INTEREST-START'],
    ['2026-04-01', 'SE-INTEREST-START'],
    ['2026-03-17', null],
    ['2026-03-25', null],
  ])
  await assertProven(api)
})

test('DE: an invoice added to a case of a consumer needs the day of a reminder too', async () => {
  await setClient('DE', null)
  const made = await register()
  const path = `/system/forms/invoice/create?id=${made.body.caseGuid}`
  const refused = await api.call('POST', path, {
    body: { principal: 100, ...dates, dueDateBasis: 'INVOICE' },
  })
  assertProblem(refused, 'unprocessable', /Enter the day on which the reminder came/)
})

test('the explanation names the rule by which interest begins, and the preview reckons with it', async () => {
  const { body: made } = await register()
  const { figures } = await explain(made.caseGuid)
  const [line] = figures.find(({ figure }) => figure === 'accruedInterest')!.lines
  assert.deepEqual([line!.fromDate, line!.lawRule], ['2026-04-01T00:00:00Z', 'SE-INTEREST-START'])
  assert.match(line!.lawSource!, /Räntelag/)
  assert.match(line!.note!, /Start of interest without an agreed due date/)
  const path = '/system/forms/case/register/recalculate?recalc=totals'
  const { body: totals } = await api.call<{ remainingInterest: number }>('POST', path, { body: body() })
  // 1,000 × 8 % × 75/365, from 1 April to 15 June.
  assert.equal(totals.remainingInterest, 16.44)
})

test('an unknown word for what the due date rests on is refused', async () => {
  assertProblem(await register({ dueDateBasis: 'PERHAPS' }), 'invalid', /AGREED, INVOICE/)
})
