import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { AllPaymentsItem } from '../../../contract/payments/all-payments.ts'
import type { AllPlanPaymentsItem, AllPlansItem } from '../../../contract/plans/all-plans.ts'
import type {
  Collected,
  LiquidityForecast,
  PlanPerformance,
  Portfolio,
} from '../../../contract/insight/dashboard.ts'
import { openCases } from '../../testing/records/cases.ts'
import { startApi, type TestApi } from '../../testing/api.ts'
import { ageBands } from './portfolio.store.ts'

type Stage = Awaited<ReturnType<typeof openCases>>
interface Page<T> {
  total: number
  value: T[]
}

let api: TestApi
let stage: Stage
/** The token of a user restricted to the first client. */
let creditor: string
let planGuids: string[]

const read = async <T>(path: string, token = api.token) => {
  const answer = await api.call<T>('GET', path, { token })
  assert.equal(answer.status, 200, answer.text)
  return answer.body
}
const listed = async <T>(path: string, filter: string, token = api.token) =>
  read<Page<T>>(`${path}?$top=100&$filter=${encodeURIComponent(filter)}`, token)

/** Sets up 15 June 2026: cases of two clients in two currencies, some paid or closed, and four plans. */
before(async () => {
  api = await startApi()
  stage = await openCases(api)
  creditor = await api.signIn(6, stage.client)
  const { register, pay } = stage
  const paid = await register({ principal: 100 })
  await pay({ caseGuid: paid.caseGuid, amount: 100, valueDate: '2026-06-15' })
  const half = await register({ principal: 500 })
  await pay({ caseGuid: half.caseGuid, amount: 200, valueDate: '2026-06-15' })
  await pay({ caseGuid: half.caseGuid, amount: 50, valueDate: '2026-06-15', toThirdParty: true })
  const wrong = await pay({ caseGuid: half.caseGuid, amount: 70, valueDate: '2026-06-15' })
  const { paymentGuid } = wrong as unknown as { paymentGuid: string }
  const reversed = await api.call('PATCH', `/system/forms/payment/reverse?id=${paymentGuid}`, {
    body: { reason: 'Wrong case' },
  })
  assert.equal(reversed.status, 200, reversed.text)
  await register({ principal: 40, currencyCode: 'EUR', clientGuid: stage.other })
  const plans = []
  for (const active of [1, 1, 2]) {
    const { debtorGuid } = await register({ principal: 1200 })
    const made = await api.call<{ paymentPlanGuid: string }>('POST', `/debtors/${debtorGuid}/paymentplans`, {
      body: { active, paymentPlanType: 1, numberOfPayments: 3, registrationFee: 0, invoiceFee: 0 },
    })
    assert.equal(made.status, 201, made.text)
    plans.push({ debtorGuid, planGuid: made.body.paymentPlanGuid })
  }
  planGuids = plans.map(({ planGuid }) => planGuid)
  const [first] = plans
  const ended = await api.call('POST', `/debtors/${first!.debtorGuid}/paymentplans/${first!.planGuid}/cancel`)
  assert.equal(ended.status, 200, ended.text)
})
after(() => api.close())

test('the age bands follow each other without gaps', () => {
  const ages = ageBands('2026-06-15')
  assert.equal(ages[0]!.registeredFrom, '2026-05-16T00:00:00Z')
  for (const [index, age] of ages.entries()) {
    assert.equal(age.registeredBefore, ages[index - 1]?.registeredFrom ?? null)
    assert.equal(age.fromDays, index === 0 ? 0 : ages[index - 1]!.toDays! + 1)
  }
})

describe('getPortfolio', () => {
  test('matches the list of cases by status, age and currency', async () => {
    const { value, ages, asOf } = await read<Portfolio>('/dashboard/portfolio')
    assert.equal(asOf, '2026-06-15T00:00:00Z')
    assert.deepEqual([...new Set(value.map(({ currencyCode }) => currencyCode))], ['EUR', 'SEK'])
    for (const row of value) {
      const { registeredFrom, registeredBefore } = ages[row.age]!
      const conditions = [
        `closureDate eq null and status eq '${row.status}' and currencyCode eq '${row.currencyCode}'`,
        ...(registeredFrom === null ? [] : [`registrationDate ge ${registeredFrom}`]),
        ...(registeredBefore === null ? [] : [`registrationDate lt ${registeredBefore}`]),
      ]
      const page = await listed<{ remainingSum: number }>('/cases', conditions.join(' and '))
      assert.equal(page.total, row.cases)
      assert.equal(
        row.sum,
        page.value.reduce((sum, one) => sum + one.remainingSum, 0),
      )
      assert.equal(row.sum, row.principal + row.interest + row.fee)
    }
    assert.equal(value.find(({ currencyCode }) => currencyCode === 'EUR')!.sum, 40)
  })

  test('puts a case on the border of an age band into the right one', async () => {
    await api.setDate('2026-07-15')
    const young = await read<Portfolio>('/dashboard/portfolio')
    assert.ok(young.value.every(({ age }) => age === 0))
    await api.setDate('2026-07-16')
    const older = await read<Portfolio>('/dashboard/portfolio')
    assert.ok(older.value.every(({ age }) => age === 1))
    await api.setDate('2026-06-15')
  })

  test('shows creditors only their own cases, and requires a session', async () => {
    const { value } = await read<Portfolio>('/dashboard/portfolio', creditor)
    assert.deepEqual([...new Set(value.map(({ currencyCode }) => currencyCode))], ['SEK'])
    assert.equal((await api.call('GET', '/dashboard/portfolio', { token: null })).status, 401)
  })
})

describe('getCollected', () => {
  test('sums the payments from a month on without reversed ones, matching listAllPayments', async () => {
    const { value, from } = await read<Collected>('/dashboard/collected?months=2')
    assert.equal(from, '2026-05-01T00:00:00Z')
    const june = { currencyCode: 'SEK', month: '2026-06-01T00:00:00Z' }
    assert.deepEqual(value, [{ ...june, payments: 3, amount: 350, toThirdParty: 50 }])
    const page = await listed<AllPaymentsItem>(
      '/payments',
      "reversed eq false and valueDate ge 2026-06-01 and valueDate lt 2026-07-01 and currencyCode eq 'SEK'",
    )
    assert.equal(page.total, 3)
    assert.equal(
      page.value.reduce((sum, { amount }) => sum + amount, 0),
      350,
    )
    assert.equal((await listed('/payments', 'reversed eq true')).total, 1)
    assert.equal((await listed('/payments', 'toThirdParty eq true')).total, 1)
  })

  test('includes a month only once it has begun', async () => {
    await api.setDate('2026-05-31')
    assert.deepEqual((await read<Collected>('/dashboard/collected')).value, [])
    await api.setDate('2026-06-15')
  })

  test('excludes payments of other clients', async () => {
    const stranger = await api.signIn(7, stage.other)
    assert.deepEqual((await read<Collected>('/dashboard/collected', stranger)).value, [])
    assert.equal((await read<Page<AllPaymentsItem>>('/payments', stranger)).total, 0)
  })

  for (const months of ['0', '37', 'x'])
    test(`refuses ${months} months`, async () => {
      assert.equal((await api.call('GET', `/dashboard/collected?months=${months}`)).status, 400)
    })
})

describe('getPlanPerformance and getLiquidityForecast', () => {
  test('match listAllPlans by state, and show expected payments', async () => {
    const { states, months } = await read<PlanPerformance>('/dashboard/plans')
    assert.deepEqual(
      states.map(({ state, plans }) => [state, plans]),
      [
        ['ACTIVE', 1],
        ['CANCELLED', 1],
        ['PROPOSED', 1],
      ],
    )
    assert.deepEqual(months, [])
    const active = await listed<AllPlansItem>('/paymentplans', 'active eq 1 and latePayments eq 0')
    assert.deepEqual(
      active.value.map(({ paymentPlanGuid }) => paymentPlanGuid),
      [planGuids[1]],
    )
    assert.equal(states[0]!.unpaid, active.value[0]!.unpaid)
    const forecast = await read<LiquidityForecast>('/dashboard/liquidity')
    const whole = forecast.value.reduce((sum, { amount }) => sum + amount, 0)
    assert.equal(whole.toFixed(2), active.value[0]!.unpaid.toFixed(2))
    assert.deepEqual([forecast.overdue, forecast.later], [[], []])
    const short = await read<LiquidityForecast>('/dashboard/liquidity?months=1')
    assert.deepEqual(short.value, [])
    assert.equal(short.later[0]!.payments, 3)
  })

  test('show overdue payments, matching listAllPlanPayments', async () => {
    await api.setDate('2026-08-20')
    const { states, months } = await read<PlanPerformance>('/dashboard/plans')
    assert.equal(states.find(({ plans }) => plans === 1)!.state, 'CANCELLED')
    const late = states.find(({ state }) => state === 'LATE')
    assert.equal(late?.plans, 1)
    const rows = await listed<AllPlanPaymentsItem>('/paymentplans/payments', 'dueDate lt 2026-08-21')
    assert.equal(
      months.reduce((sum, { payments }) => sum + payments, 0),
      rows.total,
    )
    assert.ok(rows.total > 0 && months.every(({ unpaid, payments }) => unpaid === payments))
    assert.ok(rows.value.every(({ paymentPlanGuid }) => paymentPlanGuid === planGuids[1]))
    const forecast = await read<LiquidityForecast>('/dashboard/liquidity')
    assert.equal(forecast.overdue[0]!.payments, rows.total)
    const overdue = await listed<AllPlansItem>('/paymentplans', 'latePayments gt 0')
    assert.equal(overdue.value[0]!.latePayments, rows.total)
    await api.setDate('2026-06-15')
  })

  test('count a payment within the grace period as in time, and a later one as late', async () => {
    const { caseGuid } = (await listed<{ caseGuid: string }>('/cases', "subStatus eq 'PAYMENT_PLAN'"))
      .value[0]!
    const [first] = (await listed<AllPlanPaymentsItem>('/paymentplans/payments', 'paymentNo eq 1')).value
    await api.setDate(first!.dueDate!.slice(0, 10))
    const body = { caseGuid, amount: first!.amount }
    const paid = await api.call('POST', '/system/forms/payment/register', { body })
    assert.equal(paid.status, 201, paid.text)
    const { months } = await read<PlanPerformance>('/dashboard/plans')
    assert.deepEqual([months[0]!.inTime, months[0]!.late, months[0]!.unpaid], [1, 0, 0])
    assert.equal(months[0]!.paid, first!.amount)
  })

  test('are restricted to the caller’s clients', async () => {
    const stranger = await api.signIn(7, stage.other)
    const performance = await read<PlanPerformance>('/dashboard/plans', stranger)
    assert.deepEqual([performance.states, performance.months], [[], []])
    assert.equal((await read<Page<AllPlansItem>>('/paymentplans', stranger)).total, 0)
    assert.equal((await read<Page<AllPlanPaymentsItem>>('/paymentplans/payments', stranger)).total, 0)
    assert.deepEqual((await read<LiquidityForecast>('/dashboard/liquidity', stranger)).value, [])
    assert.equal((await read<Page<AllPlansItem>>('/paymentplans', creditor)).total, 3)
  })

  test('support paging and sorting like every list', async () => {
    const page = await read<Page<AllPlanPaymentsItem>>(
      '/paymentplans/payments?$skip=1&$top=1&$orderby=dueDate desc&$filter=active eq 1',
    )
    assert.deepEqual([page.total, page.value[0]!.paymentNo], [3, 2])
    const deep = await read<Page<AllPlanPaymentsItem>>('/paymentplans/payments?$skip=250')
    assert.deepEqual(deep.value, [])
    const sorted = await read<Page<AllPlansItem>>('/paymentplans?$orderby=unpaid desc,debtorName')
    assert.equal(sorted.total, 3)
  })
})
