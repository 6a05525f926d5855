/// <reference types="node" />
/** What holds for every plan, and the fast reckoning in doubles against the plain one in whole numbers of any length. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as fc from 'fast-check'
import { intervalBetween, presentValue } from '../interest/annual-percentage.ts'
import { computeAnnualPercentage, computePlan } from './plan.ts'
import type { PaymentPlan, PlanOutcome, PlanPeriod, PlanTerms } from './plan-terms.ts'
import { levelByHand, scheduleByHand } from '../testing/reference-plan.ts'
import { termsWithAmount, termsWithCount } from '../testing/plan-terms-arbitrary.ts'

const text = (value: unknown): string =>
  JSON.stringify(value, (_, part: unknown) => (typeof part === 'bigint' ? `${part}n` : part))

function expectPlan(outcome: PlanOutcome): PaymentPlan {
  assert.ok(outcome.ok, text(outcome))
  return outcome.plan
}

/** The plan, if these terms give one. */
const planIfAny = (terms: PlanTerms): PaymentPlan | null => {
  const outcome = computePlan(terms)
  return outcome.ok ? outcome.plan : null
}

const sum = (amounts: readonly bigint[]): bigint => amounts.reduce((whole, amount) => whole + amount, 0n)
const sumPrincipal = (terms: PlanTerms): bigint =>
  sum(terms.cases.flatMap(({ invoices }) => invoices.map(({ principal }) => principal)))

const shown = (plan: PaymentPlan) =>
  plan.rows.map(({ paymentNo, dueDate, instalment, interest, fee, balance }) => ({
    paymentNo,
    dueDate,
    fee,
    interest,
    instalment,
    balance,
  }))

test('plans of a given number are those reckoned by hand, to the unit', () => {
  let compared = 0
  fc.assert(
    fc.property(termsWithCount([1, 3], 14), (terms) => {
      const plan = planIfAny(terms)
      if (!plan) return
      const last = terms.numberOfPayments!
      assert.deepEqual(shown(plan), scheduleByHand(terms, plan.levelAmount, last, true))
      // Where a specified amount pays all there is before the last payment, no level amount follows from the number.
      if (plan.rows.length < last || plan.rows.every(({ paymentType }) => paymentType === 3)) return
      const level = levelByHand(terms, last)
      // An amount of a few units, rounded up, would end the plan early: then it is rounded down.
      const early = level > 1n && scheduleByHand(terms, level, last, true).length < last
      assert.equal(plan.levelAmount, early ? level - 1n : level)
      compared++
    }),
    { numRuns: 250 },
  )
  assert.ok(compared > 150, `${compared} plans compared`)
})

test('plans of a given amount are those reckoned by hand, to the unit', () => {
  let compared = 0
  fc.assert(
    fc.property(termsWithAmount([1, 2, 3, 4]), (terms) => {
      const plan = planIfAny(terms)
      if (!plan) return
      const last = terms.numberOfPayments ?? 600
      assert.deepEqual(shown(plan), scheduleByHand(terms, terms.amount!, last, false))
      compared++
    }),
    { numRuns: 200 },
  )
  assert.ok(compared > 50, `${compared} plans compared`)
})

test('rows sum to the totals, and totals with what is left to what was owed, accrued and charged', () => {
  const terms = fc.oneof(termsWithCount([1, 3], 60), termsWithAmount([1, 2, 3, 4, 5]))
  const rounding = fc.constantFrom('half-up', 'half-even', 'none' as const)
  const dayCount = fc.constantFrom('actual/365', '30/360', 'actual/actual' as const)
  fc.assert(
    fc.property(terms, rounding, dayCount, (plain, round, count) => {
      const all = { ...plain, rounding: round, dayCount: count }
      const plan = planIfAny(all)
      if (!plan) return
      const { rows, totals, left } = plan
      assert.equal(sum(rows.map(({ amount }) => amount)), totals.amount)
      assert.equal(sum(rows.map(({ instalment }) => instalment)), totals.principal)
      assert.equal(sum(rows.map(({ interest }) => interest)), totals.interest)
      assert.equal(sum(rows.map(({ fee }) => fee)), totals.fee)
      for (const row of rows) {
        assert.equal(row.instalment + row.interest + row.fee, row.amount)
        assert.ok(row.instalment >= 0n && row.interest >= 0n && row.fee >= 0n && row.balance >= 0n)
        assert.ok(row.invoiceDate <= row.dueDate)
      }
      assert.equal(rows.at(-1)!.balance, left.principal)
      assert.equal(sum(left.byCase), left.principal)
      if (plan.type === 5) {
        for (const row of rows) assert.equal(sum(row.shares!), row.amount)
        assert.equal(totals.amount + left.total, plan.claim)
        assert.equal(plan.annualPercentage, null)
        return
      }
      assert.equal(totals.principal + left.principal, sumPrincipal(all))
      const costs = sum(all.cases.map((one) => one.costs)) + all.registrationFee!
      assert.equal(totals.fee + left.fee, costs + all.invoiceFee! * BigInt(rows.length))
      if (plan.type === 1 || plan.type === 3) assert.equal(left.total, 0n)
    }),
    { numRuns: 400 },
  )
})

test('level payments differ only where specified and in the last', () => {
  fc.assert(
    fc.property(fc.oneof(termsWithCount([1, 3], 60), termsWithAmount([1, 2, 3, 4, 5])), (terms) => {
      const plan = planIfAny(terms)
      for (const row of plan?.rows.slice(0, -1) ?? []) {
        if (row.paymentType === 3) continue
        assert.equal(row.paymentType === 2 ? row.instalment : row.amount, plan!.levelAmount)
      }
    }),
    { numRuns: 300 },
  )
})

test('periods are the runs of rows of one type and amount', () => {
  fc.assert(
    fc.property(fc.oneof(termsWithCount([1, 3], 24), termsWithAmount([1, 2, 3, 4, 5])), (terms) => {
      const plan = planIfAny(terms)
      if (!plan) return
      let previous = ''
      let no = 0
      for (const row of plan.rows) {
        const kind = `${row.paymentType} ${row.paymentType === 2 ? row.instalment : row.amount}`
        if (kind !== previous) no++
        previous = kind
        const period: PlanPeriod = plan.periods[no - 1]!
        assert.equal(period.periodNo, no)
        assert.equal(`${period.paymentType} ${period.amount}`, kind)
        assert.ok(period.startDate <= row.dueDate && row.dueDate <= period.endDate)
      }
      assert.equal(plan.periods.length, no)
    }),
  )
})

test('the annual percentage discounts the payments to what was owed', () => {
  let compared = 0
  fc.assert(
    fc.property(fc.oneof(termsWithCount([1, 3], 36), termsWithAmount([1, 2, 3, 4])), (terms) => {
      const plan = planIfAny(terms)
      if (!plan) return
      const { startDate, claim, rows, left, annualPercentage } = plan
      const { interval } = terms
      assert.equal(
        computeAnnualPercentage({ startDate, claim, payments: rows, left: left.total, interval }),
        annualPercentage,
      )
      if (annualPercentage === null || annualPercentage > 10_000) return
      const flows = rows.map((row, index) => ({
        amount: Number(row.amount) + (index === rows.length - 1 ? Number(left.total) : 0),
        years: intervalBetween(startDate, row.dueDate, interval?.type ?? 3).years,
      }))
      const slack = 1e-9 * Number(claim)
      assert.ok(presentValue(flows, (annualPercentage - 0.00501) / 100) >= Number(claim) - slack)
      assert.ok(presentValue(flows, (annualPercentage + 0.00501) / 100) <= Number(claim) + slack)
      compared++
    }),
    { numRuns: 300 },
  )
  assert.ok(compared > 100, `${compared} plans compared`)
})

test('a plan without interest and fees has 0 per cent', () => {
  fc.assert(
    fc.property(termsWithCount([1, 3], 60, true), (terms) => {
      const plan = planIfAny(terms)
      if (plan && plan.rows.some(({ dueDate }) => dueDate > terms.startDate))
        assert.equal(plan.annualPercentage, 0)
      if (plan) assert.equal(plan.totals.amount, plan.claim)
    }),
  )
})

test('the least amount that repays does, and one unit less does not', () => {
  let refused = 0
  fc.assert(
    fc.property(termsWithAmount([1, 2, 3]), (terms) => {
      const outcome = computePlan({ ...terms, deviations: [] })
      if (outcome.ok || outcome.error.code !== 'never-repays') return
      const { leastAmount } = outcome.error
      expectPlan(computePlan({ ...terms, deviations: [], amount: leastAmount }))
      if (leastAmount > 1n) {
        assert.equal(computePlan({ ...terms, deviations: [], amount: leastAmount - 1n }).ok, false)
      }
      refused++
    }),
    { numRuns: 150 },
  )
  assert.ok(refused > 15, `${refused} refused`)
})
