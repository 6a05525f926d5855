/** Payments on plans and their reversal, changes of active plans (D16), and the day-end of plans. */
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { addDays } from '../../core/calendar/calendar.ts'
import { holdCase, resumeCase } from '../cases/holds/hold-case.ts'
import { agencyCaller, runDayEnd } from '../testing/records/cases.ts'
import { useCredit } from './credit.ts'
import { registerWriteOff } from '../cases/movements.ts'
import { previewPayment } from './payments.ts'
import { reversePayment } from './reverse-payment.ts'
import { assertProven, contextOn } from '../testing/records/cases.ts'
import { assertProblem } from '../testing/problem.ts'
import { openPlanStage, type PlanStage } from '../testing/records/plans.ts'

const at = '2026-01-15'
let stage: PlanStage
before(async () => {
  stage = await openPlanStage(at)
})
after(() => stage.api.close())

const reverse = (paymentGuid: string) =>
  reversePayment(
    stage.api.sql,
    agencyCaller,
    { paymentGuid, input: { reason: 'bounced' } },
    contextOn(stage.today),
  )
const dayEnd = () => runDayEnd(stage.api.sql, contextOn(stage.today).origin)
const four = { paymentPlanType: 1, numberOfPayments: 4, active: 1 }
const rated = { principal: 4_000, interestRate: 10, interestFromDate: at }

async function begin(body: object, ...cases: object[]) {
  const made = await stage.debtorWith(...cases)
  const { body: plan, status, text } = await stage.plan(made.debtorGuid, body)
  assert.equal(status, 201, text)
  const planGuid = plan.paymentPlanGuid!
  return {
    ...made,
    planGuid,
    plan,
    path: `/debtors/${made.debtorGuid}/paymentplans/${planGuid}`,
    get: () => stage.get(made.debtorGuid, planGuid),
    unpaid: async () => (await stage.get(made.debtorGuid, planGuid)).payments.map(({ unpaid }) => unpaid),
    readStatus: async (index = 0) => {
      const { status: now, subStatus } = await stage.detail(made.debtorGuid, made.caseGuids[index]!)
      return `${now} ${subStatus}`
    },
  }
}

describe('a payment on a plan', () => {
  test('fills the oldest unpaid payments first, and its reversal empties them', async () => {
    const one = await begin(four, { principal: 600 }, { principal: 400 })
    assert.deepEqual(await one.unpaid(), [250, 250, 250, 250])
    await stage.pay({ caseGuid: one.caseGuids[1], amount: 100 })
    assert.deepEqual(await one.unpaid(), [150, 250, 250, 250])
    const over = await stage.pay({ debtorGuid: one.debtorGuid, amount: 300 })
    assert.deepEqual(await one.unpaid(), [0, 100, 250, 250])
    const { payments } = await one.get()
    assert.deepEqual(
      payments.map(({ paidDate }) => paidDate),
      [`${at}T00:00:00Z`, null, null, null],
    )
    // All of it went to the oldest case, although another was named.
    assert.equal((await stage.detail(one.debtorGuid, one.caseGuids[0]!)).remainingSum, 200)
    await reverse(over)
    assert.deepEqual(await one.unpaid(), [150, 250, 250, 250])
    await assertProven(stage.api)
  })

  test('is previewed as it is then booked, and stays on its case when paid to a third party', async () => {
    const one = await begin(four, { principal: 600 }, { principal: 400 })
    const input = { caseGuid: one.caseGuids[1]!, amount: 700 }
    const shown = await previewPayment(stage.api.sql, agencyCaller, input, contextOn(at))
    assert.deepEqual(
      shown.map(({ principal }) => principal),
      [600, 100],
    )
    assert.deepEqual(await one.unpaid(), [250, 250, 250, 250])
    await stage.pay({ ...input, amount: 300, toThirdParty: true })
    assert.deepEqual(await one.unpaid(), [0, 200, 250, 250])
    assert.equal((await stage.detail(one.debtorGuid, one.caseGuids[1]!)).paidToThirdParty, 300)
    await assertProven(stage.api)
  })

  test('from the debtor’s credit counts immediately', async () => {
    const { debtorGuid, caseGuids } = await stage.debtorWith({ principal: 100 }, { principal: 600 })
    await stage.pay({ caseGuid: caseGuids[0], amount: 350 })
    const { body: plan } = await stage.plan(debtorGuid, four)
    const use = (amount: number) =>
      useCredit(stage.api.sql, agencyCaller, { caseGuid: caseGuids[1]!, input: { amount } }, contextOn(at))
    await use(200)
    const { payments } = await stage.get(debtorGuid, plan.paymentPlanGuid)
    assert.deepEqual(
      payments.map(({ unpaid }) => unpaid),
      [0, 100, 150, 150],
    )
    await assertProven(stage.api)
  })

  test('that completes the plan closes the cases, and its reversal reactivates the plan', async () => {
    const one = await begin(four, { principal: 600 }, { principal: 400 })
    await stage.pay({ debtorGuid: one.debtorGuid, amount: 800 })
    const last = await stage.pay({ debtorGuid: one.debtorGuid, amount: 200 })
    const done = await one.get()
    assert.deepEqual([done.active, done.endReason, done.remainingNumberOfPayments], [0, 'COMPLETED', 0])
    assert.equal(await one.readStatus(1), 'CLOSED PAID')
    await reverse(last)
    const again = await one.get()
    assert.deepEqual([again.active, again.endReason, again.remainingNumberOfPayments], [1, undefined, 1])
    assert.equal(await one.readStatus(1), 'AMICABLE PAYMENT_PLAN')
    await stage.pay({ debtorGuid: one.debtorGuid, amount: 200 })
    assert.equal((await one.get()).endReason, 'COMPLETED')
    await assertProven(stage.api)
  })

  test('is matched among concurrent ones, and a concurrent cancellation leaves nothing half done', async () => {
    const one = await begin(four, { principal: 600 }, { principal: 400 })
    const guids = Array.from({ length: 8 }, (_, index) => one.caseGuids[index % 2]!)
    await Promise.all(guids.map((caseGuid) => stage.pay({ caseGuid, amount: 60 })))
    assert.deepEqual(await one.unpaid(), [0, 20, 250, 250])
    const cancel = stage.api.call('POST', `${one.path}/cancel`)
    await Promise.all([cancel, ...guids.map((caseGuid) => stage.pay({ caseGuid, amount: 10 }))])
    assert.equal((await one.get()).endReason, 'CANCELLED')
    await assertProven(stage.api)
  })

  test('on debt relief is shared by claim, and cancelling restores interest as if it had never stopped', async () => {
    const relief = { paymentPlanType: 5, numberOfPayments: 3, amount: 100, active: 1 }
    const one = await begin(relief, { ...rated, principal: 3_000 }, { ...rated, principal: 1_000 })
    await stage.pay({ caseGuid: one.caseGuids[0], amount: 100 })
    const paid = async () =>
      Promise.all(one.caseGuids.map(async (guid) => (await stage.detail(one.debtorGuid, guid)).paidSum))
    assert.deepEqual(await paid(), [75, 25])
    await stage.setDate(addDays(at, 73))
    const interest = async () => (await stage.detail(one.debtorGuid, one.caseGuids[0]!)).remainingInterest
    assert.equal(await interest(), 0)
    assert.equal((await stage.api.call('POST', `${one.path}/cancel`)).status, 200)
    assert.equal(await interest(), 58.5, '73 days of 10 % on 2,925')
    await assertProven(stage.api)
    await stage.setDate(at)
  })
})

describe('changing a plan’s payments (D16)', () => {
  test('recomputes a proposal and keeps what the input leaves out', async () => {
    const one = await begin({ ...four, active: 2 }, rated)
    const untouched = await one.get()
    const change = (body: object, headers = {}) => stage.api.call('PATCH', one.path, { body, headers })
    assert.equal((await change({})).status, 200)
    assert.deepEqual(await one.get(), untouched)
    const payments = [{ paymentNo: 2, specifiedAmount: 100, specifiedDueDate: '2026-03-20' }]
    assert.equal((await change({ payments }, { 'if-match': '"99"' })).status, 412)
    assert.equal((await change({ payments })).status, 200)
    const { payments: rows } = await one.get()
    assert.deepEqual([rows[1]!.amount, rows[1]!.dueDate], [100, '2026-03-20T00:00:00Z'])
    assert.equal((await change({ payments: [] })).status, 200)
    assert.deepEqual((await one.get()).payments, untouched.payments)
  })

  test('keeps the paid payments of an active plan, and computes the others from the balance', async () => {
    const one = await begin(four, rated)
    const { payments: rows } = await one.get()
    await stage.setDate(rows[0]!.dueDate.slice(0, 10))
    await stage.pay({ caseGuid: one.caseGuids[0], amount: Number((rows[0]!.amount + 50).toFixed(2)) })
    const change = (payments: object[]) => stage.api.call('PATCH', one.path, { body: { payments } })
    assertProblem(
      await change([{ paymentNo: 1, specifiedAmount: 1 }]),
      'conflict',
      /paid and cannot be changed/,
    )
    const low = await change([{ paymentNo: 2, specifiedAmount: 20 }])
    assertProblem(low, 'unprocessable', /partly paid/)
    assert.equal((await change([{ paymentNo: 3, specifiedAmount: 0 }])).status, 200)
    const { payments: now, totalPrincipal, annualPercentage } = await one.get()
    assert.deepEqual(now[0], { ...rows[0], unpaid: 0, paidDate: rows[0]!.dueDate })
    assert.equal(now[2]!.amount, 0)
    assert.equal(now[1]!.unpaid, Number((now[1]!.amount - 50).toFixed(2)))
    assert.deepEqual([totalPrincipal, typeof annualPercentage], [4_000, 'number'])
    for (const { dueDate } of now.slice(1)) {
      await stage.setDate(dueDate.slice(0, 10))
      await dayEnd()
      const due = (await one.get()).payments.find((row) => row.dueDate === dueDate)!
      if (due.unpaid > 0) await stage.pay({ caseGuid: one.caseGuids[0], amount: due.unpaid })
    }
    const done = await one.get()
    assert.deepEqual([done.endReason, await one.readStatus()], ['COMPLETED', 'CLOSED PAID'])
    await assertProven(stage.api)
    await stage.setDate(at)
  })
})

describe('taking back a deviating amount of debt relief', () => {
  const relief = { paymentPlanType: 5, numberOfPayments: 2, amount: 500, active: 1 }
  const begun = async (paymentNo: number, amount: number) => {
    const one = await begin(relief, { principal: 3_000 })
    const change = (payments: object[]) => stage.api.call('PATCH', one.path, { body: { payments } })
    assert.equal((await change([{ paymentNo, specifiedAmount: amount }])).status, 200)
    return { ...one, change }
  }

  test('never makes a partly paid payment less than what is paid of it', async () => {
    const one = await begun(1, 2_000)
    await stage.pay({ caseGuid: one.caseGuids[0], amount: 614.42 })
    const answer = await one.change([])
    assert.equal(answer.status, 200, answer.text)
    const { payments, active } = await one.get()
    assert.deepEqual(
      payments.map(({ amount, unpaid, paidDate }) => [amount, unpaid, paidDate]),
      [
        [614.42, 0, `${at}T00:00:00Z`],
        [500, 500, null],
      ],
    )
    assert.equal(active, 1)
    await assertProven(stage.api)
  })

  test('completes the plan when it leaves no unpaid payment', async () => {
    const one = await begun(2, 2_000)
    await stage.pay({ caseGuid: one.caseGuids[0], amount: 1_100 })
    const { status, text } = await one.change([])
    assert.equal(status, 200, text)
    const { endReason, payments } = await one.get()
    assert.deepEqual([endReason, payments.map(({ unpaid }) => unpaid)], ['COMPLETED', [0, 0]])
    assert.match(await one.readStatus(), /^CLOSED/)
    await assertProven(stage.api)
  })
})

describe('the day-end', () => {
  before(async () => {
    const active = await stage.api.sql`select id, debtor_id as debtor from payment_plan where active = 1`
    for (const { id, debtor } of active)
      await stage.api.call('POST', `/debtors/${debtor}/paymentplans/${id}/cancel`)
  })

  test('marks a late payment once, breaches the plan at the second, and changes nothing when repeated', async () => {
    const one = await begin({ ...four, reminderFee: 60 }, { principal: 1_000 })
    const due = one.plan.payments.map(({ dueDate }) => dueDate.slice(0, 10))
    const checkOn = async (date: string) => {
      await stage.setDate(date)
      return (await dayEnd()).plans
    }
    const none = { missed: 0, breached: 0, completed: 0 }
    const seen = ({ missed, breached, completed }: Awaited<ReturnType<typeof checkOn>>) => ({
      missed,
      breached,
      completed,
    })
    assert.deepEqual(seen(await checkOn(addDays(due[0]!, 5))), none)
    assert.deepEqual(seen(await checkOn(addDays(due[0]!, 6))), { ...none, missed: 1 })
    assert.deepEqual(await checkOn(addDays(due[0]!, 6)), { ...none, checked: 0 })
    assert.equal((await stage.detail(one.debtorGuid, one.caseGuids[0]!)).remainingFee, 60)
    await stage.pay({ caseGuid: one.caseGuids[0], amount: 250 })
    assert.deepEqual(
      seen(await checkOn(addDays(due[1]!, 6))),
      { ...none, missed: 1 },
      'the first was made good',
    )
    assert.deepEqual(seen(await checkOn(addDays(due[2]!, 6))), { ...none, missed: 1, breached: 1 })
    const ended = await one.get()
    assert.deepEqual([ended.active, ended.endReason], [0, 'BREACHED'])
    const events = await stage.api
      .sql`select type from event where subject = ${one.planGuid} order by sequence`
    assert.deepEqual(
      events.map(({ type }) => (type as string).slice('paymentplan.'.length)),
      ['proposed', 'activated', 'instalment_missed', 'instalment_missed', 'instalment_missed', 'breached'],
    )
    await assertProven(stage.api)
    await stage.setDate(at)
  })

  test('skips a plan while one of its cases is on hold', async () => {
    const one = await begin(four, { principal: 1_000 })
    const caseGuid = one.caseGuids[0]!
    const hold = { caseGuid, input: { reason: 'HOLD_HARDSHIP' } }
    await holdCase(stage.api.sql, agencyCaller, hold, contextOn(at))
    await stage.setDate('2026-12-01')
    await dayEnd()
    assert.equal((await one.get()).active, 1)
    await resumeCase(stage.api.sql, agencyCaller, { caseGuid }, contextOn(stage.today))
    assert.equal((await dayEnd()).plans.breached, 1)
    assert.equal((await one.get()).endReason, 'BREACHED')
    await stage.setDate(at)
  })

  test('completes plans whose cases have no balance', async () => {
    const one = await begin(four, { principal: 1_000 })
    const input = { caseGuid: one.caseGuids[0]!, input: { amount: 1_000 } }
    await registerWriteOff(stage.api.sql, agencyCaller, input, contextOn(at))
    assert.equal((await dayEnd()).plans.completed, 1)
    assert.equal((await one.get()).endReason, 'COMPLETED')
    assert.equal((await dayEnd()).plans.checked, 0)
    await assertProven(stage.api)
  })
})
