/** Payment plans over HTTP (D13 to D19): answers, stored data and errors. */
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { PaymentPlan, PaymentPlanListItem } from '../../contract/plans/payment-plans.ts'
import { assertProven } from '../testing/records/cases.ts'
import { openPlanStage, type PlanStage } from '../testing/records/plans.ts'

let stage: PlanStage
const at = '2026-01-15'
before(async () => {
  stage = await openPlanStage(at)
})
after(() => stage.api.close())

const call = <T = Record<string, never>>(method: string, path: string, options?: object) =>
  stage.api.call<T>(method, path, options)
const plansPath = (debtorGuid: string) => `/debtors/${debtorGuid}/paymentplans`
const midnight = (date: string) => `${date}T00:00:00Z`
const sumAmounts = (rows: readonly number[]) => Number(rows.reduce((sum, one) => sum + one, 0).toFixed(2))
const ten = { principal: 10_000, interestRate: 10, interestFromDate: at }
const annuity = { paymentPlanType: 1, numberOfPayments: 12, registrationFee: 170, invoiceFee: 60 }

describe('calculating a plan (D18)', () => {
  test('shows what D14 would store, and stores nothing', async () => {
    const { debtorGuid, caseGuids } = await stage.debtorWith(ten, { ...ten, principal: 5_000, fee: 180 })
    const shown = await call<PaymentPlan>('POST', `${plansPath(debtorGuid)}/calculate`, { body: annuity })
    assert.equal(shown.status, 200, shown.text)
    assert.equal(shown.body.paymentPlanGuid, null)
    assert.equal(
      (await call<{ total: number }>('GET', plansPath(debtorGuid))).body.total,
      0,
      'nothing is stored',
    )
    const made = await stage.plan(debtorGuid, annuity)
    assert.equal(made.status, 201, made.text)
    const { paymentPlanGuid } = made.body
    assert.deepEqual({ ...made.body, paymentPlanGuid: null }, shown.body)
    assert.equal(made.headers.get('location'), `/api/v1${plansPath(debtorGuid)}/${paymentPlanGuid}`)
    assert.deepEqual(await stage.get(debtorGuid, paymentPlanGuid), made.body)
    const plan = made.body
    assert.equal(plan.active, 2)
    assert.deepEqual(
      plan.cases.map(({ caseGuid }) => caseGuid),
      caseGuids,
    )
    assert.equal(plan.payments.length, 12)
    assert.equal(plan.payments[0]!.dueDate, midnight('2026-02-14'))
    assert.equal(plan.totalPrincipal, 15_000)
    assert.equal(plan.totalFee, 180 + 170 + 12 * 60)
    assert.equal(plan.totalAmount, sumAmounts(plan.payments.map(({ amount }) => amount)))
    assert.equal(plan.totalInterest, sumAmounts(plan.payments.map(({ interest }) => interest)))
    assert.ok(plan.annualPercentage! > 10)
    assert.deepEqual(
      plan.payments.map(({ unpaid, amount, paidDate }) => [unpaid === amount, paidDate]),
      plan.payments.map(() => [true, null]),
    )
  })

  test('needs only the access code for reading', async () => {
    const { debtorGuid } = await stage.debtorWith(ten)
    const reader = await stage.api.signIn(5)
    const path = plansPath(debtorGuid)
    const ask = (method: string, to: string) =>
      call(method, to, { token: reader, ...(method !== 'GET' && { body: annuity }) })
    assert.equal((await ask('POST', `${path}/calculate`)).status, 200)
    assert.equal((await ask('GET', path)).status, 200)
    assert.equal((await ask('POST', path)).status, 403)
  })

  test('uses the client’s terms as defaults', async () => {
    const { api } = stage
    const client = await api.addParty('TERMS')
    await api.sql`update party set currency_code = 'SEK', plan_first_due_days = 10, plan_interval_type = 2,
      plan_registration_fee = 100, plan_invoice_fee = 25.5, plan_reminder_fee = 60 where id = ${client}`
    const { debtorGuid } = await stage.debtorWith({ clientGuid: client })
    const { body } = await call<PaymentPlan>('POST', `${plansPath(debtorGuid)}/calculate`, {
      body: { paymentPlanType: 3, numberOfPayments: 4 },
    })
    assert.deepEqual([body.registrationFee, body.invoiceFee, body.reminderFee], [100, 25.5, 60])
    assert.deepEqual(
      body.payments.map(({ dueDate }) => dueDate.slice(0, 10)),
      ['2026-01-25', '2026-02-01', '2026-02-08', '2026-02-15'],
    )
    assert.deepEqual(
      body.periods.map(({ intervalType, interval, paymentType, amount }) => [
        intervalType,
        interval,
        paymentType,
        amount,
      ]),
      [[2, 1, 2, 250]],
    )
  })
})

describe('listing and showing plans (D13 and D15)', () => {
  test('return the plans, each in its own shape', async () => {
    const { debtorGuid } = await stage.debtorWith(ten, ten)
    const { body: first } = await stage.plan(debtorGuid, annuity)
    await stage.plan(debtorGuid, { ...annuity, numberOfPayments: null, amount: 2_000, paymentPlanType: 3 })
    const list = (query = '') =>
      call<{ total: number; value: PaymentPlanListItem[] }>('GET', `${plansPath(debtorGuid)}${query}`)
    const { body } = await list()
    assert.equal(body.total, 2)
    assert.deepEqual(body.value[0], {
      paymentPlanGuid: first.paymentPlanGuid,
      registrationDate: midnight(at),
      startDate: midnight(at),
      active: 2,
      paymentPlanType: 1,
      numberOfPayments: 12,
      remainingNumberOfPayments: 12,
      amount: first.periods[0]!.amount,
      currencyCode: 'SEK',
      paymentType: 1,
      intervalType: 3,
      interval: 1,
    })
    const filtered = await list(
      '?$filter=paymentPlanType%20eq%203%20and%20amount%20eq%202000&$orderby=startDate',
    )
    assert.deepEqual(
      filtered.body.value.map(({ paymentType, amount }) => [paymentType, amount]),
      [[2, 2_000]],
    )
  })
})

describe('activating a plan (D17)', () => {
  test('recomputes the plan on the day, charges the fee, and puts the cases into the plan', async () => {
    const { debtorGuid, caseGuids } = await stage.debtorWith({ ...ten, interestFromDate: at })
    const [caseGuid] = caseGuids
    const { body: proposal } = await stage.plan(debtorGuid, annuity)
    await stage.setDate('2026-02-04')
    const path = `${plansPath(debtorGuid)}/${proposal.paymentPlanGuid}`
    const done = await call('POST', `${path}/activate`)
    assert.equal(done.status, 200, done.text)
    const plan = await stage.get(debtorGuid, proposal.paymentPlanGuid)
    assert.deepEqual([plan.active, plan.payments[0]!.dueDate], [1, midnight('2026-03-06')])
    // 20 days at 10 % on 10,000, then 30 days to the first payment.
    assert.equal(plan.payments[0]!.interest, Number((54.79 + 82.19).toFixed(2)))
    const detail = await stage.detail(debtorGuid, caseGuid!)
    assert.deepEqual(
      [detail.status, detail.subStatus, detail.remainingFee, detail.remainingInterest],
      ['AMICABLE', 'PAYMENT_PLAN', 170, 54.79],
    )
    assert.equal((await call('POST', `${path}/activate`)).status, 409)
    await assertProven(stage.api)
    await stage.setDate(at)
  })

  test('lets exactly one of two concurrent activations win when the plans share a case', async () => {
    const { debtorGuid } = await stage.debtorWith(ten, ten)
    const make = async () => (await stage.plan(debtorGuid, annuity)).body.paymentPlanGuid!
    const guids = [await make(), await make(), await make()]
    const answers = await Promise.all(
      guids.map((guid) => call('POST', `${plansPath(debtorGuid)}/${guid}/activate`)),
    )
    assert.deepEqual(answers.map(({ status }) => status).toSorted(), [200, 409, 409])
    const winner = guids[answers.findIndex(({ status }) => status === 200)]!
    for (const { status, text } of answers) if (status === 409) assert.ok(text.includes(winner), text)
    const [count] = await stage.api.sql`
      select count(*)::int as active from payment_plan where debtor_id = ${debtorGuid} and active = 1`
    assert.equal(count!['active'], 1)
    await assertProven(stage.api)
  })

  test('happens at creation when active is 1', async () => {
    const { debtorGuid, caseGuids } = await stage.debtorWith(ten)
    const made = await stage.plan(debtorGuid, { ...annuity, active: 1 })
    assert.deepEqual([made.status, made.body.active], [201, 1], made.text)
    assert.deepEqual(await stage.get(debtorGuid, made.body.paymentPlanGuid), made.body)
    assert.equal((await stage.detail(debtorGuid, caseGuids[0]!)).subStatus, 'PAYMENT_PLAN')
    const events = await stage.api.sql`
      select type, sequence from event where subject = ${made.body.paymentPlanGuid} order by sequence`
    assert.deepEqual(
      events.map((row) => [row['type'], Number(row['sequence'])]),
      [
        ['paymentplan.proposed', 1],
        ['paymentplan.activated', 2],
      ],
    )
  })
})

describe('cancelling a plan (D19)', () => {
  test('discards a proposal, and ends an active plan', async () => {
    const { debtorGuid, caseGuids } = await stage.debtorWith(ten)
    const { body: proposal } = await stage.plan(debtorGuid, annuity)
    const cancel = (guid: string | null) => call('POST', `${plansPath(debtorGuid)}/${guid}/cancel`)
    assert.equal((await cancel(proposal.paymentPlanGuid)).status, 200)
    const discarded = await stage.get(debtorGuid, proposal.paymentPlanGuid)
    assert.deepEqual(
      [discarded.active, discarded.endReason, discarded.endDate, discarded.remainingNumberOfPayments],
      [0, 'CANCELLED', midnight(at), 0],
    )
    assert.equal((await cancel(proposal.paymentPlanGuid)).status, 409)
    assert.equal(
      (await call('POST', `${plansPath(debtorGuid)}/${proposal.paymentPlanGuid}/activate`)).status,
      409,
    )
    const { body: active } = await stage.plan(debtorGuid, { ...annuity, active: 1 })
    assert.equal((await cancel(active.paymentPlanGuid)).status, 200)
    const detail = await stage.detail(debtorGuid, caseGuids[0]!)
    assert.deepEqual([detail.status, detail.subStatus], ['NEW', 'REGISTERED'])
    assert.equal((await cancel(active.paymentPlanGuid)).status, 409)
    await assertProven(stage.api)
  })
})
