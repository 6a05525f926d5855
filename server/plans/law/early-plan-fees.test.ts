/** A payment plan costs nothing before the day after the due date of its claim, in every country. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { PaymentPlan } from '../../../contract/plans/payment-plans.ts'
import { addDays } from '../../../core/calendar/calendar.ts'
import { startApi, type TestApi } from '../../testing/api.ts'
import { assertProblem } from '../../testing/problem.ts'
import { assertProven, openCases, setTerms, today, type OpenedCases } from '../../testing/records/cases.ts'

let api: TestApi
let cases: OpenedCases
before(async () => {
  api = await startApi()
  cases = await openCases(api)
})
after(() => api.close())

/** A fee that is lawful once the claim is overdue. */
const countries = [
  ['SE', 'SEK', 170],
  ['NO', 'NOK', 1125],
  ['FI', 'EUR', 50],
  ['DK', 'DKK', 1000],
  ['DE', 'EUR', 94.15],
] as const

/** A claim of 3,000, demanded and told of the costs of a plan: only its due date is missing. */
async function registerIn(governingCountry: string, currencyCode: string, dueDate: string) {
  const made = await cases.register({ principal: 3000, currencyCode, dueDate })
  const { caseGuid } = made
  const law = await api.call('PATCH', `/system/forms/case/law?id=${caseGuid}`, { body: { governingCountry } })
  assert.equal(law.status, 200, law.text)
  await api.sql`
    insert into document (id, debtor_id, case_id, client_ids, kind, language, title, business_date, data, due_date)
    select gen_random_uuid(), main_debtor_id, id, array[client_id], 'demand', 'da', 'Inkasso',
      ${addDays(today, -30)}, '{}', ${addDays(today, -20)} from debt_case where id = ${caseGuid}`
  return made
}

const propose = (debtorGuid: string, registrationFee?: number) =>
  api.call<PaymentPlan>('POST', `/debtors/${debtorGuid}/paymentplans`, {
    body: {
      paymentPlanType: 1,
      numberOfPayments: 6,
      invoiceFee: 0,
      reminderFee: 0,
      active: 2,
      ...(registrationFee !== undefined && { registrationFee }),
    },
  })

/** A letter about the plan leaves the outbox. */
async function tell(debtorGuid: string, paymentPlanGuid: string): Promise<void> {
  const body = { kind: 'plan', paymentPlanGuid, channel: 'letter' }
  const written = await api.call('POST', `/debtors/${debtorGuid}/letters`, { body })
  assert.equal(written.status, 201, written.text)
  await api.sql`update message set sent_at = now(), body = null where debtor_id = ${debtorGuid}`
}

for (const [country, currency, fee] of countries) {
  test(`${country}: a plan costs nothing on the due date, and its fee the day after`, async () => {
    const { debtorGuid, caseGuid } = await registerIn(country, currency, today)
    const early = await propose(debtorGuid, fee)
    assertProblem(early, 'unprocessable', /./)
    const { errors, rule } = early.body as unknown as { errors: object; rule: string }
    assert.deepEqual([Object.keys(errors), rule], [['registrationFee'], `${country}-DUE`])
    await api.setDate(addDays(today, 1))
    try {
      const plan = await propose(debtorGuid, fee)
      assert.equal(plan.status, 201, plan.text)
      const guid = plan.body.paymentPlanGuid!
      await tell(debtorGuid, guid)
      const path = `/debtors/${debtorGuid}/paymentplans/${guid}/activate`
      const activated = await api.call('POST', path)
      assert.equal(activated.status, 200, activated.text)
      const booked = await api.sql<{ amount: number }[]>`
        select amount::float8 / 100 as amount from movement where case_id = ${caseGuid} and kind = 'fee'`
      assert.deepEqual([...booked], [{ amount: fee }])
    } finally {
      await api.setDate(today)
    }
    await assertProven(api)
  })

  test(`${country}: the fee of the client’s terms is left out of a plan for a claim that is not overdue`, async () => {
    await setTerms(api, cases.client, { currency_code: currency, plan_registration_fee: fee })
    const { debtorGuid } = await registerIn(country, currency, addDays(today, 20))
    const plan = await propose(debtorGuid)
    assert.equal(plan.status, 201, plan.text)
    assert.equal(plan.body.registrationFee, 0)
    await setTerms(api, cases.client, { currency_code: null, plan_registration_fee: null })
  })
}
