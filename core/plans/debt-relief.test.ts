/// <reference types="node" />
import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as fc from 'fast-check'
import { sharePayments, shareOut } from './debt-relief.ts'
import { buildRateSteps } from '../interest/interest.ts'
import { computePlan } from './plan.ts'
import type { PlanTerms } from './plan-terms.ts'

const rates = buildRateSteps({ kind: 'fixed', rate: '8' }, new Map())
const terms: PlanTerms = {
  type: 5,
  startDate: '2026-01-01',
  firstDueDate: '2026-05-31',
  cases: [26_000_00n, 9_000_00n, 5_000_00n].map((principal) => ({
    invoices: [{ principal: principal - 700n, rates }],
    interest: 500n,
    costs: 200n,
  })),
  numberOfPayments: 4,
  amount: 250_00n,
  registrationFee: 17_000n,
  invoiceFee: 6_000n,
  freeMonths: [6, 12],
}

test('free months are left out, nothing is charged, and the rest is to be written off', () => {
  const outcome = computePlan(terms)
  assert.ok(outcome.ok)
  const { rows, totals, left, claim, periods, annualPercentage } = outcome.plan
  assert.deepEqual(
    rows.map(({ dueDate, shares }) => [dueDate, shares]),
    ['2026-05-31', '2026-07-31', '2026-08-31', '2026-09-30'].map((date) => [date, [162_50n, 56_25n, 31_25n]]),
  )
  assert.deepEqual(totals, { amount: 1_000_00n, principal: 1_000_00n, interest: 0n, fee: 0n })
  assert.equal(claim, 40_000_00n)
  assert.deepEqual(left.byCase, [26_000_00n - 650_00n, 9_000_00n - 225_00n, 5_000_00n - 125_00n])
  assert.equal(left.total, 39_000_00n)
  assert.equal(annualPercentage, null)
  assert.equal(periods.length, 1)
})

test('a first payment in a free month waits for the next', () => {
  const outcome = computePlan({ ...terms, firstDueDate: '2026-06-15' })
  assert.ok(outcome.ok)
  assert.equal(outcome.plan.rows[0]!.dueDate, '2026-07-15')
  const all = Array.from({ length: 12 }, (_, index) => index + 1)
  assert.throws(() => computePlan({ ...terms, freeMonths: all }), RangeError)
})

test('payments deviate in date and amount, and end when the claims are paid', () => {
  const deviations = [
    { paymentNo: 2, amount: 39_000_00n },
    { paymentNo: 3, dueDate: '2026-09-02' },
  ]
  const outcome = computePlan({ ...terms, amount: 600_00n, deviations })
  assert.ok(outcome.ok)
  assert.deepEqual(
    outcome.plan.rows.map(({ dueDate, amount, paymentType }) => [dueDate, amount, paymentType]),
    [
      ['2026-05-31', 600_00n, 1],
      ['2026-07-31', 39_000_00n, 3],
      ['2026-09-02', 400_00n, 1],
    ],
  )
  assert.deepEqual(outcome.plan.left.byCase, [0n, 0n, 0n])
})

test('what is left of a running debt relief is shared by the claims at the decision', () => {
  const outcome = computePlan({
    ...terms,
    cases: [{ invoices: [], interest: 0n, costs: 100n }, ...terms.cases.slice(1)],
    tail: {
      paidThrough: 1,
      claims: [26_000_00n, 9_000_00n, 5_000_00n],
      partlyPaid: { fee: 0n, interest: 0n, instalment: 50_00n },
    },
  })
  assert.ok(outcome.ok)
  const [row] = outcome.plan.rows
  assert.equal(row!.paymentNo, 2)
  assert.equal(row!.amount, 250_00n)
  assert.equal(row!.unpaid, 200_00n)
  // The first case has 1.00 left; what it would have had is shared by 9 to 5.
  assert.deepEqual(row!.shares, [1_00n, 127_93n, 71_07n])
})

test('shares are whole, largest remainder first, never above what is left, and sum to the payment', () => {
  assert.deepEqual(shareOut(100n, [1n, 1n, 1n], [50n, 50n, 50n]), [34n, 33n, 33n])
  assert.deepEqual(shareOut(100n, [1n, 1n, 1n], [10n, 50n, 60n]), [10n, 45n, 45n])
  // First 50 each, then 20 of what the first leaves, of which the second can take 10.
  assert.deepEqual(shareOut(150n, [1n, 1n, 1n], [10n, 60n, 200n]), [10n, 60n, 80n])
  // Of equal payments the second finds one claim nearly paid.
  assert.deepEqual(
    sharePayments([50n, 50n], [10n, 10n], [7n, 93n]).map(({ shares }) => shares),
    [
      [5n, 5n],
      [2n, 8n],
    ],
  )
  const claims = fc.array(fc.integer({ min: 0, max: 10_000_000 }).map(BigInt), { minLength: 1, maxLength: 8 })
  const amounts = fc.array(fc.integer({ min: 0, max: 2_000_000 }).map(BigInt), { maxLength: 60 })
  fc.assert(
    fc.property(claims, amounts, (owed, asked) => {
      const left = owed.slice()
      const whole = owed.reduce((sum, claim) => sum + claim, 0n)
      const payments = sharePayments(owed, asked)
      for (const { amount, shares } of payments) {
        assert.equal(
          shares.reduce((sum, share) => sum + share, 0n),
          amount,
        )
        for (const [index, share] of shares.entries()) {
          const room = left[index]!
          left[index] = room - share
          assert.ok(share >= 0n && share <= room)
          // As long as no claim runs out, a share is the exact one rounded down or up.
          if (left.every((rest) => rest > 0n)) {
            const apart = share * whole - amount * owed[index]!
            assert.ok(apart < whole && apart > -whole)
          }
        }
      }
      const paid = payments.reduce((sum, { amount }) => sum + amount, 0n)
      const wanted = asked.reduce((sum, amount) => sum + amount, 0n)
      assert.equal(paid, wanted < whole ? wanted : whole)
    }),
  )
})
