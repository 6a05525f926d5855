/** The largest amount of a case: amounts that are allowed one by one can exceed it together. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { startApi, type TestApi } from '../../testing/api.ts'
import { assertProblem } from '../../testing/problem.ts'
import { makeDebtor, openCases, setTerms } from '../../testing/records/cases.ts'

let api: TestApi
let client: string
before(async () => {
  api = await startApi()
  client = (await openCases(api)).client
  await setTerms(api, client, { country_code: 'SE', currency_code: 'SEK' })
})
after(() => api.close())

const post = (name: string, id: string, body: object) =>
  api.call<Record<string, unknown>>('POST', `/system/forms/${name}${id === '' ? '' : `?id=${id}`}`, { body })

test('a case never exceeds the largest amount that is exact to the cent', async () => {
  const debtorGuid = await makeDebtor(api)
  const body = { clientGuid: client, debtorGuid, principal: 9e12, currencyCode: 'SEK' }
  const interest = { interestRate: 999, dueDate: '1900-01-01' }
  const beyond = await post('case/register', '', { ...body, ...interest })
  assertProblem(beyond, 'invalid', /principal.*15 digits/)
  const made = await post('case/register', '', { ...body, interestRate: 0 })
  const caseGuid = String(made.body['caseGuid'])
  const added = await post('invoice/create', caseGuid, { principal: 9e12 })
  assertProblem(added, 'unprocessable', /15 digits/)
  const paid = async (amount: number) => post('payment/register', '', { caseGuid, amount })
  assert.equal((await paid(9e12)).status, 201)
  assert.equal((await paid(9e12)).status, 201, 'all of it a credit')
  assertProblem(await paid(9e12), 'unprocessable', /15 digits/)
  const overview = await api.call<{ remainingSum: number }>('GET', `/debtors/${debtorGuid}/caseoverview`)
  assert.equal(overview.status, 200)
  for (let number = 0; number < 12; number++)
    assert.equal((await post('case/register', '', { ...body, interestRate: 0 })).status, 201)
  const report = await api.call<{ rows: { original: number }[] }>('GET', '/reports/portfolio')
  assert.equal(report.status, 200, report.text)
  const total = report.body.rows.reduce((sum, { original }) => sum + original, 0)
  assert.ok(total >= 13 * 9e12, String(total))
})
