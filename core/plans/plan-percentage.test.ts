/// <reference types="node" />
/** The annual percentage of a plan, and what else a plan says as a whole. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  solveAnnualRate,
  intervalBetween,
  roundPercentage,
  type Frequency,
} from '../interest/annual-percentage.ts'
import { buildRateSteps } from '../interest/interest.ts'
import { computeAnnualPercentage, computePlan } from './plan.ts'
import type { PaymentPlan, PlanError, PlanInterval, PlanTerms } from './plan-terms.ts'

const startDate = '2026-01-15'
const paid = (...payments: [dueDate: string, amount: bigint][]) =>
  payments.map(([dueDate, amount]) => ({ dueDate, amount }))

test('annual percentages that need no search', () => {
  const yearly: PlanInterval = { type: 4, count: 1 }
  const table: [string, bigint, ReturnType<typeof paid>, bigint, PlanInterval | undefined, number | null][] =
    [
      ['10 % after a year', 10_000n, paid(['2027-01-15', 11_000n]), 0n, yearly, 10],
      ['the same in months', 10_000n, paid(['2027-01-15', 11_000n]), 0n, undefined, 10],
      ['21 % after two years', 10_000n, paid(['2028-01-15', 12_100n]), 0n, yearly, 10],
      // 1.1 in a month is 1.1^12 in a year.
      ['10 % after a month', 10_000n, paid(['2026-02-15', 11_000n]), 0n, undefined, 213.84],
      ['1 % after a week', 10_000n, paid(['2026-01-22', 10_100n]), 0n, { type: 2, count: 1 }, 67.77],
      ['nothing is charged', 10_000n, paid(['2026-02-15', 4_000n], ['2026-03-15', 6_000n]), 0n, undefined, 0],
      [
        'what is left is as though paid at the end',
        10_000n,
        paid(['2027-01-15', 4_000n]),
        7_000n,
        yearly,
        10,
      ],
      [
        'and only then: 100 a year at 10 %',
        100_000n,
        paid(['2027-01-15', 10_000n], ['2028-01-15', 10_000n]),
        100_000n,
        yearly,
        10,
      ],
      ['golden ratio', 10_000n, paid(['2027-01-15', 10_000n], ['2028-01-15', 10_000n]), 0n, yearly, 61.8],
      ['all flows at once', 10_000n, paid(['2026-01-15', 11_000n]), 0n, undefined, null],
      ['a rate beyond all', 1n, paid(['2026-01-16', 1_000_000n]), 0n, undefined, null],
    ]
  for (const [what, claim, payments, left, interval, percentage] of table) {
    const found = computeAnnualPercentage({ startDate, claim, payments, left, ...(interval && { interval }) })
    assert.equal(found, percentage, what)
  }
})

test('times are those of the interval, by whatever days payments are due', () => {
  const days = [
    ['2026-02-15', '2026-03-15', '2026-04-15'],
    ['2026-02-28', '2026-03-31', '2026-04-30'],
    ['2026-02-20', '2026-03-20', '2026-05-21', '2026-06-21', '2026-07-03'],
    ['2026-01-16', '2026-12-15', '2027-01-14', '2027-01-15', '2028-02-29'],
    ['2026-12-31', '2027-01-31', '2027-12-31', '2028-01-31'],
  ]
  for (const type of [1, 2, 3, 4] as Frequency[]) {
    for (const dates of days) {
      const payments = dates.map((dueDate, index) => ({ dueDate, amount: 3000n + 100n * BigInt(index) }))
      const flows = payments.map(({ dueDate, amount }, index) => ({
        amount: Number(amount) + (index === payments.length - 1 ? 500 : 0),
        years: intervalBetween(startDate, dueDate, type).years,
      }))
      const rate = solveAnnualRate([{ amount: 8000, years: 0 }], flows)!
      const found = computeAnnualPercentage({
        startDate,
        claim: 8000n,
        payments,
        left: 500n,
        interval: { type, count: 1 },
      })
      assert.equal(found, roundPercentage(rate * 100, 2), `${type} ${dates.join()}`)
    }
  }
})

const rates = buildRateSteps({ kind: 'fixed', rate: '10' }, new Map())
const free = buildRateSteps({ kind: 'none' }, new Map())
const terms: PlanTerms = {
  type: 1,
  startDate,
  firstDueDate: '2026-02-15',
  cases: [{ invoices: [{ principal: 100_000n, rates }], interest: 700n, costs: 300n }],
  numberOfPayments: 4,
}

function makePlan(changes: Partial<PlanTerms>): PaymentPlan {
  const outcome = computePlan({ ...terms, ...changes })
  if (!outcome.ok) throw new Error(outcome.error.code)
  return outcome.plan
}
function expectError(changes: Partial<PlanTerms>): PlanError {
  const outcome = computePlan({ ...terms, ...changes })
  if (outcome.ok) throw new Error('There is a plan.')
  return outcome.error
}

test('a plan has the percentage of its payments, whatever its interval', () => {
  const intervals: (PlanInterval | undefined)[] = [
    undefined,
    { type: 1, count: 20 },
    { type: 2, count: 3 },
    { type: 3, count: 2 },
    { type: 4, count: 1 },
  ]
  for (const interval of intervals) {
    for (const more of [{}, { type: 2, amount: 20_000n }] as Partial<PlanTerms>[]) {
      const plan = makePlan({ ...(interval && { interval }), ...more, invoiceFee: 60n })
      const { rows, claim, left } = plan
      const given = { startDate, claim, payments: rows, left: left.total, ...(interval && { interval }) }
      assert.equal(plan.annualPercentage, computeAnnualPercentage(given))
      assert.ok(plan.annualPercentage! > 10)
      const { type, count } = interval ?? { type: 3, count: 1 }
      for (const period of plan.periods)
        assert.deepEqual([period.intervalType, period.interval], [type, count])
    }
  }
})

test('without rounding amounts are shown to the nearest minor unit', () => {
  const thirds = (principal: bigint, rounding: 'none' | 'half-up') =>
    makePlan({
      rounding,
      numberOfPayments: 3,
      cases: [{ invoices: [{ principal, rates: free }], interest: 0n, costs: 0n }],
    })
  // 333 333.33 and 333 333.67: what is paid together is rounded, so the öre comes where its half is passed.
  assert.equal(thirds(1_000_000n, 'none').levelAmount, 333_333n)
  assert.equal(thirds(1_000_001n, 'none').levelAmount, 333_334n)
  assert.deepEqual(
    thirds(1_000_001n, 'none').rows.map(({ amount }) => amount),
    [333_334n, 333_333n, 333_334n],
  )
  assert.deepEqual(
    thirds(1_000_001n, 'half-up').rows.map(({ amount }) => amount),
    [333_334n, 333_334n, 333_333n],
  )
  // The least that repays 6 000.01 within 600 payments is 10.000017, so 10.01.
  const error = expectError({
    rounding: 'none',
    numberOfPayments: null,
    amount: 1n,
    cases: [{ invoices: [{ principal: 600_001n, rates: free }], interest: 0n, costs: 0n }],
  })
  assert.deepEqual(error, { code: 'never-repays', leastAmount: 1001n })
})

test('dates out of order are told before an amount that is too small', () => {
  const deviations = [{ paymentNo: 3, dueDate: '2026-02-01' }]
  assert.equal(expectError({ type: 2, amount: 1n, invoiceFee: 60n, deviations }).code, 'dates-out-of-order')
  assert.equal(expectError({ type: 2, amount: 1n, invoiceFee: 60n }).code, 'never-repays')
})

test('a deviation of a payment that the plan does not come to', () => {
  const table: [Partial<PlanTerms>, number, number | null][] = [
    // 1 010.00 in payments of 400.00 are three.
    [{ numberOfPayments: null, amount: 40_000n }, 3, null],
    [{ numberOfPayments: null, amount: 40_000n }, 4, 3],
    [{ type: 5, numberOfPayments: 12, amount: 40_000n }, 3, null],
    [{ type: 5, numberOfPayments: 12, amount: 40_000n }, 4, 3],
    [{ type: 5, numberOfPayments: 12, amount: 40_000n }, 5, 3],
  ]
  for (const [changes, paymentNo, last] of table) {
    const given = { ...changes, deviations: [{ paymentNo, dueDate: `2026-0${paymentNo + 1}-20` }] }
    if (last === null) assert.equal(makePlan(given).rows.length, paymentNo)
    else {
      const error = { code: 'deviation-unknown', index: 0, paymentNo, lastPaymentNo: last }
      assert.deepEqual(expectError(given), error)
    }
  }
})

test('debt relief as a whole', () => {
  const relief: Partial<PlanTerms> = {
    type: 5,
    numberOfPayments: 3,
    amount: 30_000n,
    interval: { type: 3, count: 2 },
  }
  const { rows, periods, totals, left, numberOfPayments, claim, levelAmount } = makePlan(relief)
  assert.deepEqual(
    rows.map(({ dueDate, amount, balance }) => [dueDate, amount, balance]),
    [
      ['2026-02-15', 30_000n, 71_000n],
      ['2026-04-15', 30_000n, 41_000n],
      ['2026-06-15', 30_000n, 11_000n],
    ],
  )
  assert.deepEqual([numberOfPayments, claim, levelAmount], [3, 101_000n, 30_000n])
  assert.deepEqual(totals, { amount: 90_000n, principal: 90_000n, interest: 0n, fee: 0n })
  assert.deepEqual(left, { total: 11_000n, principal: 11_000n, interest: 0n, fee: 0n, byCase: [11_000n] })
  assert.deepEqual([periods[0]!.intervalType, periods[0]!.interval], [3, 2])
  const running = makePlan({ ...relief, tail: { paidThrough: 1, lastDueDate: '2026-01-15' } })
  assert.deepEqual([running.numberOfPayments, running.rows.length], [3, 2])
  assert.equal(
    expectError({ ...relief, deviations: [{ paymentNo: 2, dueDate: '2026-01-20' }] }).code,
    'dates-out-of-order',
  )
})
