/// <reference types="node" />
/** Plans paid on time, walked through the ledgers of their cases: every row is what the ledger says it is. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as fc from 'fast-check'
import { allocationOrders } from '../ledger/allocation.ts'
import { addDays } from '../calendar/calendar.ts'
import { deriveLedger } from '../ledger/case-ledger.ts'
import type { LedgerInput, Movement } from '../ledger/case-movement.ts'
import { buildRateSteps, type InterestTerms } from '../interest/interest.ts'
import { allocatePlanPayment, type CaseParts } from './plan-payment.ts'
import { computePlan } from './plan.ts'
import type { PaymentPlan, PlanTerms } from './plan-terms.ts'
import { rates } from '../testing/case-scenario.ts'

interface Owed {
  interest: bigint
  costs: bigint
  terms: InterestTerms
  invoices: { principal: bigint; interestFrom: string; terms: InterestTerms | null }[]
}

const startDate = '2026-03-10'
const minor = (min: number, max: number) => fc.integer({ min, max }).map(BigInt)
const interestTerms = fc.oneof(
  fc.constantFrom('8', '10', '11.25', '23.9').map((rate): InterestTerms => ({ kind: 'fixed', rate })),
  fc.constant<InterestTerms>({ kind: 'reference', series: 'SE', points: '8' }),
)
// Each bears interest in every period: a case that is paid nothing ends no period of its ledger.
const owedCase: fc.Arbitrary<Owed> = fc.record({
  interest: minor(0, 50_000),
  costs: minor(0, 30_000),
  terms: interestTerms,
  invoices: fc.array(
    fc.record({
      principal: minor(100_000, 3_000_000),
      interestFrom: fc.integer({ min: -400, max: 0 }).map((days) => addDays(startDate, days)),
      terms: fc.option(interestTerms, { nil: null }),
    }),
    { minLength: 1, maxLength: 3 },
  ),
})

const planTerms = (cases: readonly Owed[], shape: Partial<PlanTerms>): PlanTerms => ({
  type: 1,
  startDate,
  registrationFee: 17_000n,
  invoiceFee: 6_000n,
  ...shape,
  cases: cases.map(({ interest, costs, terms, invoices }) => ({
    interest,
    costs,
    invoices: invoices.map((invoice) => ({
      principal: invoice.principal,
      rates: buildRateSteps(invoice.terms ?? terms, rates),
      interestFrom: invoice.interestFrom,
    })),
  })),
})

/** A case registered on the day the plan starts, its interest until then among what was owed. */
const makeLedgerInput = ({
  interest,
  costs,
  terms,
  invoices,
}: Owed): LedgerInput & { movements: Movement[] } => ({
  opening: {
    registeredOn: startDate,
    interest,
    cost: costs,
    terms,
    claims: invoices.map(({ principal, terms: own }, index) => ({
      id: `invoice ${index}`,
      principal,
      dueDate: addDays('2020-01-01', index),
      interestFrom: startDate,
      terms: own,
    })),
  },
  movements: [],
  order: allocationOrders.COST_INTEREST_PRINCIPAL,
  tolerance: 0n,
  rates,
})

const sum = (parts: readonly CaseParts[], part: keyof CaseParts): bigint =>
  parts.reduce((whole, one) => whole + one[part], 0n)

/** Pays each row on its due date, and compares what the ledgers make of it with the row. */
function walk(
  plan: PaymentPlan,
  cases: readonly Owed[],
  fees: { registration: bigint; invoice: bigint },
): CaseParts[] {
  const ledgers = cases.map(makeLedgerInput)
  let booking = 0
  const book = (index: number, valueDate: string, kind: 'fee' | 'payment', amount: bigint): void => {
    if (amount > 0n)
      ledgers[index]!.movements.push({ id: `${booking}`, booking: booking++, valueDate, kind, amount })
  }
  const remaining = (date: string): CaseParts[] =>
    ledgers.map((input) => {
      const { principal, interest, cost } = deriveLedger(input, date).balances.remaining
      return { principal, interest, costs: cost }
    })
  book(0, startDate, 'fee', fees.registration)
  for (const row of plan.rows) {
    book(0, row.invoiceDate, 'fee', fees.invoice)
    const paid = allocatePlanPayment(row.amount, remaining(row.dueDate))
    assert.equal(paid.surplus, 0n)
    const found = {
      fee: sum(paid.cases, 'costs'),
      interest: sum(paid.cases, 'interest'),
      instalment: sum(paid.cases, 'principal'),
    }
    assert.deepEqual(
      found,
      { fee: row.fee, interest: row.interest, instalment: row.instalment },
      `row ${row.paymentNo}`,
    )
    for (const [index, { costs, interest, principal }] of paid.cases.entries()) {
      book(index, row.dueDate, 'payment', costs + interest + principal)
    }
    assert.equal(sum(remaining(row.dueDate), 'principal'), row.balance)
  }
  return remaining(plan.rows.at(-1)!.dueDate)
}

test('the ledger gives every row of a plan that is paid on time, and what is left', () => {
  let walked = 0
  const shape = fc.oneof(
    fc.record({ type: fc.constantFrom(1, 3 as const), numberOfPayments: fc.integer({ min: 1, max: 18 }) }),
    fc.record({
      type: fc.constantFrom(2, 4 as const),
      numberOfPayments: fc.integer({ min: 1, max: 12 }),
      amount: minor(80_000, 400_000),
    }),
  )
  fc.assert(
    fc.property(fc.array(owedCase, { minLength: 1, maxLength: 3 }), shape, (cases, chosen) => {
      const terms = planTerms(cases, chosen)
      const outcome = computePlan(terms)
      if (!outcome.ok) return
      // Where costs and interest take several rows the interest of a case may not be paid in each.
      if (outcome.plan.rows[0]!.instalment === 0n) return
      const fees = { registration: terms.registrationFee!, invoice: terms.invoiceFee! }
      const left = walk(outcome.plan, cases, fees)
      const { left: said } = outcome.plan
      assert.deepEqual(
        { principal: sum(left, 'principal'), interest: sum(left, 'interest'), fee: sum(left, 'costs') },
        { principal: said.principal, interest: said.interest, fee: said.fee },
      )
      assert.deepEqual(
        left.map(({ principal }) => principal),
        said.byCase,
      )
      walked++
    }),
    { numRuns: 60 },
  )
  assert.ok(walked > 20, `${walked} plans walked`)
})

test('a payment goes to costs of all cases, then interest, then principal of the oldest', () => {
  const owed = [
    { costs: 100n, interest: 20n, principal: 1000n },
    { costs: 50n, interest: 30n, principal: 500n },
  ]
  const none = { costs: 0n, interest: 0n, principal: 0n }
  const table: [bigint, CaseParts, CaseParts, bigint][] = [
    [0n, none, none, 0n],
    [120n, { ...none, costs: 100n }, { ...none, costs: 20n }, 0n],
    [210n, { costs: 100n, interest: 20n, principal: 10n }, { costs: 50n, interest: 30n, principal: 0n }, 0n],
    [
      1_201n,
      { costs: 100n, interest: 20n, principal: 1000n },
      { costs: 50n, interest: 30n, principal: 1n },
      0n,
    ],
    [2_000n, owed[0]!, owed[1]!, 300n],
  ]
  for (const [amount, first, second, surplus] of table) {
    assert.deepEqual(allocatePlanPayment(amount, owed), { cases: [first, second], surplus })
  }
  assert.throws(() => allocatePlanPayment(-1n, owed), RangeError)
})
