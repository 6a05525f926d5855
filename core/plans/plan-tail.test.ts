/// <reference types="node" />
/** Plans of which some payments are made: only the unpaid ones are computed, from what is owed then. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as fc from 'fast-check'
import { buildRateSteps } from '../interest/interest.ts'
import { computePlan } from './plan.ts'
import type { PaymentPlan, PlanOutcome, PlanTerms } from './plan-terms.ts'
import { levelByHand, scheduleByHand } from '../testing/reference-plan.ts'
import { termsWithCount } from '../testing/plan-terms-arbitrary.ts'

function expectPlan(outcome: PlanOutcome): PaymentPlan {
  if (!outcome.ok) throw new Error(outcome.error.code)
  return outcome.plan
}

const rates = buildRateSteps({ kind: 'fixed', rate: '10' }, new Map())
const terms: PlanTerms = {
  type: 1,
  startDate: '2026-01-15',
  firstDueDate: '2026-02-28',
  cases: [{ invoices: [{ principal: 1_000_000n, rates }], interest: 34_521n, costs: 24_000n }],
  numberOfPayments: 12,
  registrationFee: 17_000n,
  invoiceFee: 6_000n,
}
const plan = expectPlan(computePlan(terms))

/** The same plan after so many payments on time, on the due date of the last. */
const after = (paid: number, changes: Partial<PlanTerms> = {}): PlanTerms => ({
  ...terms,
  startDate: plan.rows[paid - 1]!.dueDate,
  cases: [{ invoices: [{ principal: plan.rows[paid - 1]!.balance, rates }], interest: 0n, costs: 0n }],
  registrationFee: 0n,
  tail: { paidThrough: paid, lastDueDate: plan.rows[paid - 1]!.dueDate },
  ...changes,
})

test('a plan that is paid on time goes on as it was', () => {
  const given = { numberOfPayments: null, amount: 100_000n }
  const byAmount = expectPlan(computePlan({ ...terms, ...given }))
  for (const paid of [1, 5, 12]) {
    const { dueDate, balance } = byAmount.rows[paid - 1]!
    const cases = [{ invoices: [{ principal: balance, rates }], interest: 0n, costs: 0n }]
    const tail = expectPlan(
      computePlan(
        after(Math.min(paid, 11), {
          ...given,
          tail: { paidThrough: paid, lastDueDate: dueDate },
          startDate: dueDate,
          cases,
        }),
      ),
    )
    assert.deepEqual(tail.rows, byAmount.rows.slice(paid))
    assert.equal(tail.annualPercentage, null)
  }
  for (const type of [2, 4] as const) {
    const amounts = { type, numberOfPayments: 6, amount: 90_000n }
    const whole = expectPlan(computePlan({ ...terms, ...amounts }))
    const third = whole.rows[2]!
    const tail = expectPlan(
      computePlan(
        after(3, {
          ...amounts,
          cases: [{ invoices: [{ principal: third.balance, rates }], interest: 0n, costs: 0n }],
        }),
      ),
    )
    assert.deepEqual(tail.rows, whole.rows.slice(3))
    assert.deepEqual(tail.left, whole.left)
  }
})

test('new deviations of unpaid payments give the rest a new level amount', () => {
  const tail = expectPlan(
    computePlan(
      after(4, {
        deviations: [
          { paymentNo: 6, amount: 20_000n },
          { paymentNo: 7, dueDate: '2026-09-10' },
        ],
      }),
    ),
  )
  assert.deepEqual(
    tail.rows.map(({ paymentNo }) => paymentNo),
    [5, 6, 7, 8, 9, 10, 11, 12],
  )
  assert.equal(tail.numberOfPayments, 12)
  assert.equal(tail.rows[1]!.amount, 20_000n)
  assert.equal(tail.rows[2]!.dueDate, '2026-09-10')
  assert.ok(tail.levelAmount > plan.levelAmount)
  assert.equal(tail.left.total, 0n)
})

test('the last payments of a running plan may be put off', () => {
  const limited = { type: 2, numberOfPayments: 6, amount: 90_000n } as const
  const tail = expectPlan(computePlan(after(5, { ...limited, deviations: [{ paymentNo: 6, amount: 0n }] })))
  assert.deepEqual(
    tail.rows.map(({ paymentNo, amount }) => [paymentNo, amount]),
    [[6, 0n]],
  )
  assert.ok(tail.left.total > tail.claim)
})

test('a paid payment cannot be changed, and no date goes back before the last paid one', () => {
  assert.deepEqual(computePlan(after(4, { deviations: [{ paymentNo: 4, amount: 1n }] })), {
    ok: false,
    error: { code: 'deviation-paid', index: 0, paymentNo: 4, paidThrough: 4 },
  })
  const dueDate = plan.rows[3]!.dueDate
  assert.deepEqual(computePlan(after(4, { deviations: [{ paymentNo: 5, dueDate }] })), {
    ok: false,
    error: {
      code: 'dates-out-of-order',
      index: 0,
      paymentNo: 5,
      dueDate,
      after: dueDate,
      orOn: false,
      before: plan.rows[5]!.dueDate,
    },
  })
})

test('of a payment partly paid the rest is unpaid, and its invoice fee is not charged twice', () => {
  const fifth = plan.rows[4]!
  const partlyPaid = { fee: fifth.fee, interest: 1_000n, instalment: 0n }
  const tail = expectPlan(
    computePlan(
      after(4, {
        startDate: fifth.dueDate,
        numberOfPayments: null,
        amount: plan.levelAmount,
        cases: [
          {
            invoices: [{ principal: plan.rows[3]!.balance, rates }],
            interest: fifth.interest - 1_000n,
            costs: 0n,
          },
        ],
        tail: { paidThrough: 4, lastDueDate: plan.rows[3]!.dueDate, partlyPaid, invoicedThrough: 5 },
      }),
    ),
  )
  assert.deepEqual(tail.rows[0], { ...fifth, unpaid: fifth.amount - fifth.fee - 1_000n, days: 0 })
  assert.deepEqual(tail.rows.slice(1, 7), plan.rows.slice(5, 11))
})

test('overdue payments keep their dates and bear no interest a second time', () => {
  const tail = expectPlan(computePlan(after(4, { startDate: '2026-08-10' })))
  assert.deepEqual(
    tail.rows.slice(0, 3).map(({ dueDate, days, invoiceDate }) => [invoiceDate, dueDate, days]),
    [
      ['2026-06-28', '2026-06-28', 0],
      ['2026-07-28', '2026-07-28', 0],
      ['2026-08-14', '2026-08-28', 18],
    ],
  )
  assert.equal(tail.rows[0]!.interest, 0n)
  assert.equal(tail.left.total, 0n)
})

test('tails are those reckoned by hand, to the unit', () => {
  let compared = 0
  const tails = fc.record({
    paidThrough: fc.integer({ min: 1, max: 6 }),
    partlyPaid: fc.option(
      fc.record({
        fee: fc.integer({ min: 0, max: 6000 }).map(BigInt),
        interest: fc.integer({ min: 0, max: 6000 }).map(BigInt),
        instalment: fc.integer({ min: 0, max: 200_000 }).map(BigInt),
      }),
      { nil: undefined },
    ),
    invoiced: fc.boolean(),
  })
  fc.assert(
    fc.property(termsWithCount([1, 3], 14), tails, (plain, { paidThrough, partlyPaid, invoiced }) => {
      const all: PlanTerms = {
        ...plain,
        firstDueDate: '2024-11-30',
        deviations: plain.deviations!.filter(({ paymentNo }) => paymentNo > paidThrough),
        tail: {
          paidThrough,
          ...(partlyPaid && { partlyPaid }),
          ...(invoiced && { invoicedThrough: paidThrough + 1 }),
        },
      }
      const outcome = computePlan(all)
      if (!outcome.ok) return
      const last = all.numberOfPayments!
      const rows = outcome.plan.rows.map(({ paymentNo, dueDate, instalment, interest, fee, balance }) => ({
        paymentNo,
        dueDate,
        fee,
        interest,
        instalment,
        balance,
      }))
      assert.deepEqual(rows, scheduleByHand(all, outcome.plan.levelAmount, last, true))
      compared++
      if (rows.at(-1)!.paymentNo < last || outcome.plan.rows.every(({ paymentType }) => paymentType === 3))
        return
      const level = levelByHand(all, last)
      if (scheduleByHand(all, level, last, true).at(-1)!.paymentNo === last) {
        assert.equal(outcome.plan.levelAmount, level)
      }
    }),
    { numRuns: 200 },
  )
  assert.ok(compared > 60, `${compared} tails compared`)
})

test('what running debt relief leaves is what its cases are left with, a payment being partly paid or not', () => {
  const cases = [3_000n, 1_000n].map((costs) => ({ invoices: [], interest: 0n, costs }))
  for (const instalment of [0n, 150n]) {
    const relief = expectPlan(
      computePlan({
        type: 5,
        startDate: '2026-03-01',
        firstDueDate: '2026-02-01',
        cases,
        numberOfPayments: 4,
        amount: 500n,
        tail: { paidThrough: 1, partlyPaid: { fee: 0n, interest: 0n, instalment }, claims: [4_000n, 1_500n] },
      }),
    )
    const left = relief.left.byCase.reduce((sum, one) => sum + one, 0n)
    assert.deepEqual([relief.left.total, left], [4_000n - 1_500n + instalment, 4_000n - 1_500n + instalment])
  }
})
