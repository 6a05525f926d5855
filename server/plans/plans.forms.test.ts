/** The form of a new payment plan: its initial values, recalculation, creation and errors. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { PaymentPlan } from '../../contract/plans/payment-plans.ts'
import type { FormDefinition } from '../../contract/metadata/forms.ts'
import { openPlanStage, type PlanStage } from '../testing/records/plans.ts'

const at = '2026-01-15'
let stage: PlanStage
before(async () => {
  stage = await openPlanStage(at)
  await stage.api
    .sql`update party set plan_registration_fee = 170, plan_invoice_fee = 60 where id = ${stage.client}`
})
after(() => stage.api.close())

type Values = Record<string, string | number | boolean>
const path = '/system/forms/paymentplan/create'
const call = <T = Values>(method: string, to: string, body?: object, token?: string) =>
  stage.api.call<T>(method, to, { ...(body && { body }), ...(token !== undefined && { token }) })
const rated = { principal: 5_000, interestRate: 10, interestFromDate: at }

test('the form starts with every open case and the client’s fees', async () => {
  const { debtorGuid, caseGuids } = await stage.debtorWith(rated, rated, { currencyCode: 'EUR' })
  const { body } = await call('GET', `${path}?initialValues=true&id=${debtorGuid}`)
  assert.deepEqual(
    [
      body['active'],
      body['paymentPlanType'],
      body['currencyCode'],
      body['registrationFee'],
      body['invoiceFee'],
    ],
    [2, 1, 'SEK', 170, 60],
  )
  assert.equal(body['cases'], caseGuids.slice(0, 2).join(','))
  const none = await call('GET', `${path}?initialValues=true&id=0190a6f2-7c1e-7d3a-8b4e-2f6a1c9d5e70`)
  assert.equal(none.status, 404)
})

test('calculate shows the plan that would be created, and stores nothing', async () => {
  const { debtorGuid, caseGuids } = await stage.debtorWith(rated, rated)
  const input = { paymentPlanType: 1, numberOfPayments: 10, cases: caseGuids.join(',') }
  const reader = await stage.api.signIn(5)
  const to = `${path}/recalculate?recalc=calculate&id=${debtorGuid}`
  const shown = await call('POST', to, input, reader)
  assert.equal(shown.status, 200, shown.text)
  const [count] = await stage.api
    .sql`select count(*)::int as n from payment_plan where debtor_id = ${debtorGuid}`
  assert.equal(count!['n'], 0)
  assert.equal((await call('POST', `${path}?id=${debtorGuid}`, input, reader)).status, 403)
  const made = await call('POST', `${path}?id=${debtorGuid}`, input)
  assert.equal(made.status, 201, made.text)
  const guid = String(made.body['paymentPlanGuid'])
  assert.equal(made.headers.get('location'), `/api/v1/debtors/${debtorGuid}/paymentplans/${guid}`)
  const plan: PaymentPlan = await stage.get(debtorGuid, guid)
  for (const [member, value] of [
    ['totalAmount', plan.totalAmount],
    ['totalInterest', plan.totalInterest],
    ['annualPercentage', plan.annualPercentage],
    ['paymentCount', 10],
    ['firstDueDate', plan.payments[0]!.dueDate],
    ['lastDueDate', plan.payments[9]!.dueDate],
    ['levelAmount', plan.periods[0]!.amount],
  ] as const) {
    assert.equal(shown.body[member], value, member)
    assert.equal(made.body[member], value, member)
  }
  assert.equal(shown.body['registrationFee'], 170, 'what was left out follows')
  assert.equal(made.body['cases'], caseGuids.join(','))
})

test('the form refuses what D14 refuses, by field code', async () => {
  const { debtorGuid } = await stage.debtorWith(rated)
  const refused = async (body: object, to = `${path}?id=${debtorGuid}`) => {
    const answer = await call<{ errors: Record<string, string[]> }>('POST', to, body)
    return [answer.status, ...Object.keys(answer.body.errors ?? {})]
  }
  assert.deepEqual(await refused({ numberOfPayments: 5 }), [400, 'paymentPlanType'])
  assert.deepEqual(await refused({ paymentPlanType: 1 }), [400, 'numberOfPayments', 'amount'])
  assert.deepEqual(await refused({ paymentPlanType: 1, amount: 1 }), [422, 'amount'])
  const recalculate = `${path}/recalculate?recalc=calculate&id=${debtorGuid}`
  assert.deepEqual(await refused({ paymentPlanType: 1, amount: 1 }, recalculate), [422, 'amount'])
})

test('the form definition names the recalculation, and its fields in the caller’s language', async () => {
  const { body } = await call<FormDefinition>('GET', '/system/formdefinitions/paymentplan/create')
  assert.deepEqual(
    body.recalc.map(({ recalcCode, btnText }) => [recalcCode, btnText]),
    [['calculate', 'Calculate']],
  )
  const fields = body.groups.flatMap((group) => group.fields)
  const field = (code: string) => fields.find((one) => one.code === code)!
  assert.deepEqual([field('cases').type, field('paymentPlanType').required], ['string', true])
  assert.equal(field('totalAmount').displayType, 'readonly')
  assert.equal(field('paymentPlanType').lookupCode, 'paymentplantype')
})
