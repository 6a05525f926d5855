/// <reference types="node" />
/** Level amounts where they are hard to find: at exactly a half, of a few units, and where other payments decide. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { buildRateSteps, type RateSteps } from '../../interest/interest.ts'
import { computePlan } from '../plan.ts'
import type { PaymentPlan, PlanDeviation, PlanError, PlanTerms } from '../plan-terms.ts'

const at = (rate: string): RateSteps => buildRateSteps({ kind: 'fixed', rate }, new Map())
const owed = (principal: bigint, rates = at('0')) => ({
  invoices: [{ principal, rates }],
  interest: 0n,
  costs: 0n,
})

const plain: PlanTerms = {
  type: 1,
  startDate: '2026-01-15',
  firstDueDate: '2026-02-15',
  cases: [owed(1_000_000n)],
  numberOfPayments: 12,
}

function makePlan(changes: Partial<PlanTerms>): PaymentPlan {
  const outcome = computePlan({ ...plain, ...changes })
  if (!outcome.ok) throw new Error(outcome.error.code)
  return outcome.plan
}

function expectError(changes: Partial<PlanTerms>): PlanError {
  const outcome = computePlan({ ...plain, ...changes })
  if (outcome.ok) throw new Error('There is a plan.')
  return outcome.error
}

const formatAmounts = ({ rows }: PaymentPlan): string => rows.map(({ amount }) => String(amount)).join(' ')

/** Half up takes the larger of two equally near amounts, half even the even one. */
test('a level amount at exactly a half', () => {
  const table: [string, Partial<PlanTerms>, up: bigint, even: bigint][] = [
    ['500 000.5', { numberOfPayments: 2, cases: [owed(1_000_001n)] }, 500_001n, 500_000n],
    ['500 001.5', { numberOfPayments: 2, cases: [owed(1_000_003n)] }, 500_002n, 500_002n],
    ['of principal', { type: 3, numberOfPayments: 2, cases: [owed(1_000_001n)] }, 500_001n, 500_000n],
    ['a fourth of it', { numberOfPayments: 4, cases: [owed(1_000_002n)] }, 250_001n, 250_000n],
    ['with fees', { numberOfPayments: 2, cases: [owed(1_000_001n)], invoiceFee: 7n }, 500_008n, 500_008n],
    [
      'a fee once',
      { numberOfPayments: 2, cases: [owed(1_000_000n)], registrationFee: 1n },
      500_001n,
      500_000n,
    ],
    [
      'with interest and costs',
      { numberOfPayments: 2, cases: [{ ...owed(1_000_000n), interest: 4n, costs: 1n }] },
      500_003n,
      500_002n,
    ],
    ['of two cases', { numberOfPayments: 2, cases: [owed(400_000n), owed(600_001n)] }, 500_001n, 500_000n],
    // 0.5 of interest on the first and only day: 365 × 50 % / 365.
    [
      'interest',
      { numberOfPayments: 1, firstDueDate: '2026-01-16', cases: [owed(730n, at('25'))] },
      731n,
      730n,
    ],
    [
      'interest',
      { numberOfPayments: 1, firstDueDate: '2026-01-16', cases: [owed(365n, at('50'))] },
      366n,
      366n,
    ],
    [
      'beside a specified payment',
      { numberOfPayments: 3, cases: [owed(1_000_101n)], deviations: [{ paymentNo: 2, amount: 100n }] },
      500_001n,
      500_000n,
    ],
  ]
  for (const [what, changes, up, even] of table) {
    assert.equal(makePlan(changes).levelAmount, up, what)
    assert.equal(makePlan({ ...changes, rounding: 'half-even' }).levelAmount, even, what)
  }
})

const off = (rate: string, principal: bigint) =>
  makePlan({ numberOfPayments: 2, cases: [owed(principal, at(rate))] }).levelAmount

const third = (principal: bigint) => makePlan({ numberOfPayments: 3, cases: [owed(principal)] }).levelAmount

test('a level amount just beside a half', () => {
  // A third of the principal, and interest that moves it off the half by less than a millionth.
  assert.equal(off('0.000001', 1_000_001n), 500_001n)
  assert.equal(off('0.000001', 1_000_003n), 500_002n)
  assert.deepEqual([1_000_000n, 1_000_001n, 1_000_002n].map(third), [333_333n, 333_334n, 333_334n])
})

test('a level amount of a few units leaves something for every payment', () => {
  const table: [bigint, number, level: bigint, rows: string][] = [
    // 1.5 rounded up would be repaid in nine payments.
    [18n, 12, 1n, '1 1 1 1 1 1 1 1 1 1 1 7'],
    [24n, 12, 2n, '2 2 2 2 2 2 2 2 2 2 2 2'],
    // 2.75 rounded up would be repaid in eleven.
    [33n, 12, 2n, '2 2 2 2 2 2 2 2 2 2 2 11'],
    [13n, 12, 1n, '1 1 1 1 1 1 1 1 1 1 1 2'],
    // Less than one is one, and there are fewer payments.
    [1n, 12, 1n, '1'],
    [7n, 12, 1n, '1 1 1 1 1 1 1'],
    [4n, 3, 1n, '1 1 2'],
  ]
  for (const [principal, numberOfPayments, level, rows] of table) {
    const plan = makePlan({ numberOfPayments, cases: [owed(principal)] })
    assert.equal(plan.levelAmount, level, String(principal))
    assert.equal(formatAmounts(plan), rows)
  }
})

test('where every payment has its own amount the last clears the rest, and that is the level amount', () => {
  const deviations: PlanDeviation[] = [
    { paymentNo: 1, amount: 300_000n },
    { paymentNo: 2, amount: 200_000n },
    { paymentNo: 3, amount: 1n },
  ]
  const free = makePlan({ numberOfPayments: 3, deviations })
  assert.equal(formatAmounts(free), '300000 200000 500000')
  assert.equal(free.levelAmount, 500_000n)
  const dear = makePlan({
    numberOfPayments: 3,
    deviations,
    cases: [owed(1_000_000n, at('10'))],
    invoiceFee: 6000n,
    registrationFee: 17_000n,
  })
  const last = dear.rows.at(-1)!
  assert.deepEqual([dear.rows[0]!.fee, last.fee], [23_000n, 6000n])
  assert.ok(last.interest > 0n)
  assert.equal(dear.levelAmount, last.amount)
  assert.equal(dear.left.total, 0n)
})

const partlyPaid = (fee: bigint, interest: bigint, instalment: bigint) => ({
  paidThrough: 4,
  lastDueDate: '2026-01-15',
  partlyPaid: { fee, interest, instalment },
})

test('a plan for interest and costs alone, their principal being paid', () => {
  const cases = [{ invoices: [], interest: 700n, costs: 30_000n }]
  const table: [Partial<PlanTerms>, string][] = [
    [{ type: 1, numberOfPayments: 4 }, '7675 7675 7675 7675'],
    [{ type: 1, numberOfPayments: 3 }, '10233 10233 10234'],
    // 15 350.5 is rounded up, or to the even amount.
    [{ type: 1, numberOfPayments: 2, registrationFee: 1n }, '15351 15350'],
    [{ type: 1, numberOfPayments: 2, registrationFee: 1n, rounding: 'half-even' }, '15350 15351'],
    [{ type: 1, numberOfPayments: null, amount: 20_000n }, '20000 10700'],
    [{ type: 2, numberOfPayments: 2, amount: 10_000n }, '10000 10000'],
    // Of principal nothing is to be paid: interest and costs are due at once.
    [{ type: 3, numberOfPayments: 4 }, '30700'],
    [{ type: 5, numberOfPayments: 2, amount: 10_000n }, '10000 10000'],
  ]
  for (const [changes, rows] of table) {
    const plan = makePlan({ ...changes, cases })
    assert.equal(formatAmounts(plan), rows)
    const paid = plan.rows.reduce((sum, { amount }) => sum + amount, 0n)
    assert.equal(plan.left.total, 30_700n + (changes.registrationFee ?? 0n) - paid)
    assert.deepEqual(plan.left.byCase.length, 1)
  }
  // The same beside a case that has principal, and without rounding.
  const both = [...cases, owed(69_300n)]
  assert.equal(formatAmounts(makePlan({ numberOfPayments: 4, cases: both })), '25000 25000 25000 25000')
  assert.equal(formatAmounts(makePlan({ numberOfPayments: 3, cases, rounding: 'none' })), '10233 10234 10233')
})

test('what is paid of the first payment already counts towards it', () => {
  const table: [string, Partial<PlanTerms>, up: bigint, even: bigint][] = [
    // Of two payments together 7 are paid: 2 × level - 7 is what is owed.
    ['7', { cases: [owed(1_000_002n)], tail: partlyPaid(1n, 2n, 4n) }, 500_005n, 500_004n],
    ['1', { cases: [owed(1_000_000n)], tail: partlyPaid(1n, 0n, 0n) }, 500_001n, 500_000n],
    ['1', { cases: [owed(1_000_000n)], tail: partlyPaid(0n, 1n, 0n) }, 500_001n, 500_000n],
    ['1', { cases: [owed(1_000_000n)], tail: partlyPaid(0n, 0n, 1n) }, 500_001n, 500_000n],
    // Of principal only the instalment counts.
    ['4', { type: 3, cases: [owed(1_000_005n)], tail: partlyPaid(1n, 2n, 4n) }, 500_005n, 500_004n],
    ['1', { type: 3, cases: [owed(1_000_000n)], tail: partlyPaid(0n, 0n, 1n) }, 500_001n, 500_000n],
  ]
  for (const [what, changes, up, even] of table) {
    const given = { numberOfPayments: 6, ...changes }
    assert.equal(makePlan(given).levelAmount, up, what)
    assert.equal(makePlan({ ...given, rounding: 'half-even' }).levelAmount, even, what)
  }
})

const instalmentPaid = (instalment: bigint) => ({
  paidThrough: 3,
  lastDueDate: '2026-01-15',
  partlyPaid: { fee: 0n, interest: 0n, instalment },
})

test('where more is paid of the first payment than it comes to, the others share the rest', () => {
  const table: [bigint, paid: bigint, up: bigint, even: bigint, rows: string][] = [
    // The first of three payments is done: 101 in two.
    [101n, 1000n, 51n, 50n, '1000 51 50'],
    [103n, 1000n, 52n, 52n, '1000 52 51'],
    [200n, 1000n, 100n, 100n, '1000 100 100'],
    // Paid is just what the level amount comes to.
    [200n, 100n, 100n, 100n, '100 100 100'],
    [200n, 101n, 100n, 100n, '101 100 100'],
    [200n, 98n, 99n, 99n, '99 99 100'],
  ]
  for (const type of [1, 3] as const) {
    for (const [principal, paid, up, even, rows] of table) {
      const given: Partial<PlanTerms> = {
        type,
        numberOfPayments: 6,
        cases: [owed(principal)],
        tail: instalmentPaid(paid),
      }
      assert.equal(makePlan(given).levelAmount, up, `${principal} after ${paid}`)
      assert.equal(
        makePlan({ ...given, rounding: 'half-even' }).levelAmount,
        even,
        `${principal} after ${paid}`,
      )
      assert.equal(formatAmounts(makePlan(given)), rows)
    }
  }
})

const findLeastAmount = (changes: Partial<PlanTerms>): bigint => {
  const error = expectError(changes)
  assert.equal(error.code, 'never-repays')
  return (error as { leastAmount: bigint }).leastAmount
}

test('the least amount that would do is told, and one less does not', () => {
  const table: [string, Partial<PlanTerms>, least: bigint][] = [
    ['600 payments', { cases: [owed(600_000n)], amount: 1n }, 1000n],
    ['600 payments and one öre', { cases: [owed(600_001n)], amount: 1n }, 1001n],
    ['two öre each', { cases: [owed(601n)], amount: 1n }, 2n],
    ['principal', { type: 3, cases: [owed(600_001n)], amount: 1n }, 1001n],
    ['a fee each time', { cases: [owed(600_000n)], amount: 1n, invoiceFee: 50n }, 1050n],
    // 10 000 a month for a year at no interest and no fee: any amount lowers what is owed.
    ['shrinking: the fee and one öre', { type: 2, numberOfPayments: 12, invoiceFee: 50n, amount: 1n }, 51n],
  ]
  for (const [what, changes, least] of table) {
    const given = { numberOfPayments: null, ...changes }
    assert.equal(findLeastAmount(given), least, what)
    assert.equal(makePlan({ ...given, amount: least }).levelAmount, least)
    assert.equal(expectError({ ...given, amount: least - 1n }).code, 'never-repays', what)
  }
  for (const rate of ['1', '10', '24', '100']) {
    const given = { cases: [owed(1_000_000n, at(rate))], numberOfPayments: null, invoiceFee: 60n }
    const least = findLeastAmount({ ...given, amount: 1n })
    assert.ok(makePlan({ ...given, amount: least }).rows.length <= 600)
    assert.equal(expectError({ ...given, amount: least - 1n }).code, 'never-repays')
  }
})

test('amounts too large for doubles are rounded all the same', () => {
  // 25 days at 10 % are 1/146 of the principal: 650 000 000 000.5.
  const given: Partial<PlanTerms> = {
    numberOfPayments: 1,
    firstDueDate: '2026-02-09',
    cases: [owed(73n * 1_300_000_000_001n, at('10'))],
  }
  assert.equal(makePlan(given).rows[0]!.interest, 650_000_000_001n)
  assert.equal(makePlan({ ...given, rounding: 'half-even' }).rows[0]!.interest, 650_000_000_000n)
  const odd = { ...given, cases: [owed(73n * 1_300_000_000_003n, at('10'))] }
  assert.equal(makePlan(odd).rows[0]!.interest, 650_000_000_002n)
  assert.equal(makePlan({ ...odd, rounding: 'half-even' }).rows[0]!.interest, 650_000_000_002n)
})
