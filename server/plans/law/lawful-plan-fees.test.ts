/** The fees of a payment plan are held to the law of the case, when it is proposed, created active and activated. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { PaymentPlan } from '../../../contract/plans/payment-plans.ts'
import { startApi, type TestApi } from '../../testing/api.ts'
import { assertProblem } from '../../testing/problem.ts'
import { assertProven, openCases, type OpenedCases } from '../../testing/records/cases.ts'

let api: TestApi
let cases: OpenedCases
before(async () => {
  api = await startApi()
  cases = await openCases(api)
})
after(() => api.close())

/** A case of 3,000 that the law of the country governs. */
async function registerIn(governingCountry: string, currencyCode: string) {
  const made = await cases.register({ principal: 3000, currencyCode })
  const body = { governingCountry }
  const { status, text } = await api.call('PATCH', `/system/forms/case/law?id=${made.caseGuid}`, { body })
  assert.equal(status, 200, text)
  return made
}

/** D14 */
const create = (debtorGuid: string, input: object) =>
  api.call<PaymentPlan>('POST', `/debtors/${debtorGuid}/paymentplans`, {
    body: { paymentPlanType: 1, numberOfPayments: 6, ...input },
  })

for (const [country, currency, input, member, rule, message] of [
  ['SE', 'SEK', { registrationFee: 170.01 }, 'registrationFee', 'SE-PLAN-CEILING', /170/],
  ['SE', 'SEK', { reminderFee: 60.01 }, 'reminderFee', 'SE-PLAN-REMINDER-CEILING', /60/],
  ['NO', 'NOK', { registrationFee: 5000 }, 'registrationFee', 'NO-PLAN-CEILING', /1,125/],
  ['DK', 'DKK', { registrationFee: 1 }, 'registrationFee', 'DK-OTHER-COSTS', /./],
  ['DK', 'DKK', { reminderFee: 500 }, 'reminderFee', 'DK-REMINDER-CEILING', /100/],
  ['FI', 'EUR', { registrationFee: 20.01 }, 'registrationFee', 'FI-PLAN-CEILING', /20/],
  ['DE', 'EUR', { registrationFee: 1 }, 'registrationFee', 'DE-OTHER-COSTS', /./],
] as const)
  test(`${country}: ${JSON.stringify(input)} is refused, as a proposal and active`, async () => {
    const { debtorGuid, caseGuid } = await registerIn(country, currency)
    for (const active of [1, 2]) {
      const answer = await create(debtorGuid, { ...input, active })
      assertProblem(answer, 'unprocessable', message)
      const { errors, rule: named } = answer.body as unknown as { errors: object; rule: string }
      assert.deepEqual([Object.keys(errors), named], [[member], rule])
    }
    const { length } = await api.sql`select from payment_plan_case where case_id = ${caseGuid}`
    assert.equal(length, 0)
  })

test('SE: the highest fees are allowed, once for a claim', async () => {
  const { debtorGuid, caseGuid } = await registerIn('SE', 'SEK')
  const fees = { registrationFee: 170, invoiceFee: 60, reminderFee: 60, active: 1 }
  const first = await create(debtorGuid, fees)
  assert.equal(first.status, 201, first.text)
  const path = `/debtors/${debtorGuid}/paymentplans/${first.body.paymentPlanGuid}`
  assert.equal((await api.call('POST', `${path}/cancel`)).status, 200)
  assertProblem(await create(debtorGuid, fees), 'unprocessable', /SE-ONCE/)
  const second = await create(debtorGuid, { ...fees, registrationFee: 0 })
  assert.equal(second.status, 201, second.text)
  const booked = await api.sql<{ amount: number }[]>`
    select amount::float8 / 100 as amount from movement where case_id = ${caseGuid} and kind = 'fee'
      and details ->> 'feeType' = 'planRegistration'`
  assert.deepEqual(
    booked.map(({ amount }) => amount),
    [170],
  )
  await assertProven(api)
})

test('a proposal whose fee has become too high is not activated', async () => {
  const { debtorGuid, caseGuid } = await cases.register({ principal: 3000 })
  const proposed = await create(debtorGuid, { registrationFee: 300, active: 2 })
  assert.equal(proposed.status, 201, 'no law governs the case')
  await api.call('PATCH', `/system/forms/case/law?id=${caseGuid}`, { body: { governingCountry: 'SE' } })
  const path = `/debtors/${debtorGuid}/paymentplans/${proposed.body.paymentPlanGuid}/activate`
  assertProblem(await api.call('POST', path), 'unprocessable', /SE-PLAN-CEILING/)
})
