/// <reference types="node" />
/** The rounding of a level amount, spread over the payments. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as fc from 'fast-check'
import { buildRateSteps } from '../../interest/interest.ts'
import { termsWithCount } from '../../testing/plan-terms-arbitrary.ts'
import { computePlan } from '../plan.ts'
import type { PaymentPlan, PlanTerms } from '../plan-terms.ts'

function makePlan(terms: PlanTerms): PaymentPlan | null {
  const outcome = computePlan(terms)
  return outcome.ok ? outcome.plan : null
}
const claim = (principal: bigint, rate: string | null) => ({
  invoices: [
    {
      principal,
      rates: buildRateSteps(rate === null ? { kind: 'none' } : { kind: 'fixed', rate }, new Map()),
    },
  ],
  interest: 0n,
  costs: 0n,
})
const terms = (principal: bigint, rate: string | null, changes: Partial<PlanTerms> = {}): PlanTerms => ({
  type: 1,
  startDate: '2026-01-15',
  cases: [claim(principal, rate)],
  numberOfPayments: 600,
  ...changes,
})
const sum = (amounts: readonly bigint[]): bigint => amounts.reduce((whole, amount) => whole + amount, 0n)
const amounts = ({ rows }: PaymentPlan) => rows.map(({ amount }) => amount)
const size = (amount: bigint) => (amount < 0n ? -amount : amount)

test('without it the last payment of a long plan takes the whole rounding', () => {
  const plain = makePlan(terms(87_000n, null))!
  assert.deepEqual([plain.levelAmount, amounts(plain).at(-1)], [145n, 145n])
  // 145.49 each: the last one pays half a unit for each of 599.
  const uneven = makePlan(terms(87_294n, null))!
  assert.deepEqual([uneven.levelAmount, amounts(uneven).at(-1)], [145n, 439n])
  const even = makePlan(terms(87_294n, null, { evenPayments: true }))!
  assert.deepEqual([even.levelAmount, amounts(even)[0], amounts(even).at(-1)], [145n, 146n, 145n])
  assert.equal(sum(amounts(even)), 87_294n)
  assert.equal(even.rows.length, 600)
  // What a person sees: so many payments of 1.46, then so many of 1.45.
  assert.deepEqual(
    even.periods.map(({ amount }) => amount),
    [146n, 145n],
  )
})

test('it divides an amount without interest as whole numbers divide', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 600 }),
      fc.integer({ min: 1, max: 50_000_000 }),
      fc.constantFrom(1, 3 as const),
      (count, owed, type) => {
        fc.pre(owed >= count)
        const plan = makePlan(
          terms(BigInt(owed), null, { type, numberOfPayments: count, evenPayments: true }),
        )!
        const least = BigInt(Math.floor(owed / count))
        assert.equal(plan.rows.length, count)
        assert.equal(sum(amounts(plan)), BigInt(owed))
        for (const amount of amounts(plan)) assert.ok(amount === least || amount === least + 1n, `${amount}`)
      },
    ),
    { numRuns: 300 },
  )
})

const long = fc
  .record({
    principal: fc.integer({ min: 5000, max: 20_000_000 }),
    rate: fc.constantFrom('8', '11.25', '24', '39.5'),
    count: fc.integer({ min: 120, max: 600 }),
    type: fc.constantFrom(1, 3 as const),
  })
  .map(({ principal, rate, count, type }) =>
    terms(BigInt(principal), rate, { type, numberOfPayments: count }),
  )

/** Interest is rounded by half a unit at most for each case and payment. Each level payment can take a unit of it. */
function canAbsorbRounding({ cases, numberOfPayments, deviations = [] }: PlanTerms): boolean {
  const specified = deviations.filter(({ amount }) => amount !== undefined && amount !== null).length
  return numberOfPayments! - specified > (cases.length * numberOfPayments!) / 2
}

test('no payment is more than one unit off the level amount, and nothing is lost', () => {
  let spread = 0
  let asked = 0
  fc.assert(
    fc.property(fc.oneof(termsWithCount([1, 3], 60), long), (plain) => {
      const before = makePlan(plain)
      const plan = makePlan({ ...plain, evenPayments: true })
      assert.ok(plan !== null || before === null)
      if (!plan || !before) return
      assert.ok(size(plan.levelAmount - before.levelAmount) <= 1n)
      assert.equal(plan.left.total, 0n)
      assert.equal(plan.totals.amount, sum(amounts(plan)))
      assert.equal(plan.totals.amount, plan.totals.principal + plan.totals.interest + plan.totals.fee)
      assert.equal(plan.totals.principal, before.totals.principal)
      assert.ok(plan.rows.every(({ balance }) => balance >= 0n))
      // Amounts of a few units, and plans that specified amounts end before their last payment.
      if (before.rows.length < plain.numberOfPayments! || before.levelAmount < 3n) return
      if (before.rows.every(({ paymentType }) => paymentType === 3)) return
      if (!canAbsorbRounding(plain)) return
      asked++
      for (const row of plan.rows) {
        if (row.paymentType === 3) continue
        const paid = row.paymentType === 2 ? row.instalment : row.amount
        assert.ok(
          size(paid - plan.levelAmount) <= 1n,
          `payment ${row.paymentNo} is ${paid}, the level amount ${plan.levelAmount}`,
        )
      }
      if (amounts(plan).some((amount, index) => amount !== before.rows[index]!.amount)) spread++
    }),
    { numRuns: 400 },
  )
  assert.ok(asked > 150 && spread > 80, `${spread} of ${asked} spread`)
})

test('of a plan whose amount is given nothing is spread', () => {
  const given = terms(100_000n, '8', { numberOfPayments: null, amount: 3333n })
  assert.deepEqual(makePlan({ ...given, evenPayments: true }), makePlan(given))
})
