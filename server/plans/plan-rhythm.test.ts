/** When the payments of a plan fall due, and how rounding and late payment are settled. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { PaymentPlan } from '../../contract/plans/payment-plans.ts'
import { assertProven } from '../testing/records/cases.ts'
import { openPlanStage, type PlanStage } from '../testing/records/plans.ts'

let stage: PlanStage
before(async () => {
  stage = await openPlanStage('2026-01-15')
})
after(() => stage.api.close())

const dates = ({ payments }: PaymentPlan) => payments.map(({ dueDate }) => dueDate.slice(0, 10))
const base = { paymentPlanType: 1, numberOfPayments: 4 }

test('the rhythm, the pay day and the first due date are the plan’s own', async () => {
  await stage.setDate('2026-01-15')
  const { debtorGuid } = await stage.debtorWith({ principal: 1200 })
  const calculate = (body: object) =>
    stage.api.call<PaymentPlan & { errors?: object }>(
      'POST',
      `/debtors/${debtorGuid}/paymentplans/calculate`,
      {
        body: { ...base, ...body },
      },
    )
  const table: [object, string][] = [
    [{}, '2026-02-14 2026-03-14 2026-04-14 2026-05-14'],
    [{ intervalType: 2, interval: 2 }, '2026-02-14 2026-02-28 2026-03-14 2026-03-28'],
    [
      { intervalType: 2, interval: 4, firstDueDate: '2026-01-30' },
      '2026-01-30 2026-02-27 2026-03-27 2026-04-24',
    ],
    [{ interval: 3, payDay: 31 }, '2026-02-28 2026-05-31 2026-08-31 2026-11-30'],
    [{ payDay: 25, firstDueDate: '2026-02-02' }, '2026-02-02 2026-03-25 2026-04-25 2026-05-25'],
    [
      { businessDays: true, payments: [{ paymentNo: 3, specifiedDueDate: '2026-04-12' }] },
      '2026-02-16 2026-03-16 2026-04-12 2026-05-15',
    ],
  ]
  for (const [body, expected] of table) {
    const answer = await calculate(body)
    assert.equal(answer.status, 200, answer.text)
    assert.equal(dates(answer.body).join(' '), expected)
  }
  const refused: [object, number, string][] = [
    [{ firstDueDate: '2026-01-14' }, 422, 'firstDueDate'],
    [{ intervalType: 2, payDay: 25 }, 400, 'payDay'],
    [{ interval: 13 }, 400, 'interval'],
    [{ payDay: 32 }, 400, 'payDay'],
  ]
  for (const [body, status, member] of refused) {
    const answer = await calculate(body)
    assert.equal(answer.status, status, answer.text)
    assert.deepEqual(Object.keys(answer.body.errors!), [member])
  }
})

test('a stored plan keeps its rhythm when a payment is moved twice', async () => {
  await stage.setDate('2026-01-15')
  const { debtorGuid } = await stage.debtorWith({ principal: 1200 })
  const {
    body: made,
    status,
    text,
  } = await stage.plan(debtorGuid, {
    ...base,
    active: 1,
    payDay: 14,
    businessDays: true,
    evenPayments: true,
    closingPayment: true,
  })
  assert.equal(status, 201, text)
  assert.deepEqual(
    [made.payDay, made.businessDays, made.evenPayments, made.closingPayment],
    [14, true, true, true],
  )
  assert.deepEqual(dates(made), ['2026-02-16', '2026-03-16', '2026-04-14', '2026-05-15'])
  for (const date of ['2026-02-20', '2026-02-24']) {
    const changed = await stage.api.call(
      'PATCH',
      `/debtors/${debtorGuid}/paymentplans/${made.paymentPlanGuid}`,
      {
        body: { payments: [{ paymentNo: 1, specifiedDueDate: date }] },
      },
    )
    assert.equal(changed.status, 200, changed.text)
    const plan = await stage.get(debtorGuid, made.paymentPlanGuid)
    assert.deepEqual(dates(plan), [date, '2026-03-16', '2026-04-14', '2026-05-15'])
  }
})

/** Both payments come late; what the delay cost is left. */
async function payLate(closingPayment: boolean) {
  await stage.setDate('2026-01-15')
  const { debtorGuid, caseGuids } = await stage.debtorWith({
    principal: 10_000,
    interestRate: 24,
    interestFromDate: '2026-01-15',
  })
  const made = await stage.plan(debtorGuid, {
    paymentPlanType: 1,
    numberOfPayments: 2,
    active: 1,
    registrationFee: 0,
    invoiceFee: 0,
    reminderFee: 0,
    closingPayment,
  })
  assert.equal(made.status, 201, made.text)
  for (const [index, date] of ['2026-02-17', '2026-03-17'].entries()) {
    await stage.setDate(date)
    await stage.pay({
      caseGuid: caseGuids[0],
      amount: made.body.payments[index]!.amount,
      currencyCode: 'SEK',
    })
  }
  const read = async () => ({
    plan: await stage.get(debtorGuid, made.body.paymentPlanGuid),
    detail: await stage.detail(debtorGuid, caseGuids[0]!),
  })
  return { caseGuid: caseGuids[0]!, read }
}

test('a closing payment takes what late payment left, and the case stays out of collection', async () => {
  const without = await (await payLate(false)).read()
  assert.deepEqual([without.plan.active, without.plan.endReason], [0, 'COMPLETED'])
  assert.equal(without.detail.subStatus, 'REGISTERED')
  assert.ok(without.detail.remainingSum > 10)

  const { caseGuid, read } = await payLate(true)
  const late = await read()
  assert.deepEqual([late.plan.active, late.plan.numberOfPayments], [1, 3])
  assert.equal(late.detail.subStatus, 'PAYMENT_PLAN')
  const closing = late.plan.payments[2]!
  assert.deepEqual([closing.dueDate.slice(0, 10), closing.fee], ['2026-04-16', 0])
  // What was left, and its interest until it is due.
  assert.equal(closing.instalment, late.detail.remainingSum)
  assert.equal(closing.interest, Math.round(closing.instalment * 0.24 * (30 / 365) * 100) / 100)
  await stage.setDate('2026-04-16')
  await stage.pay({ caseGuid, amount: closing.amount, currencyCode: 'SEK' })
  const paid = await read()
  assert.deepEqual([paid.plan.active, paid.plan.endReason], [0, 'COMPLETED'])
  assert.deepEqual([paid.detail.closureCode, paid.detail.remainingSum], ['PAID_IN_FULL', 0])
  await assertProven(stage.api)
})
