/// <reference types="node" />
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { countDecimals, formatMinor } from '../money/money.ts'
import { buildRateSteps, type RateTable } from '../interest/interest.ts'
import { computePlan } from './plan.ts'
import type { PaymentPlan, PlanError, PlanTerms, PlanType } from './plan-terms.ts'

const at = (rate: string) => buildRateSteps({ kind: 'fixed', rate }, new Map())
const owed = (principal: bigint, rate = '10', interest = 0n, costs = 0n) => ({
  invoices: [{ principal, rates: at(rate) }],
  interest,
  costs,
})

/** Twelve payments on 10,000.00 at 10 %, with what had accrued and the usual fees. */
const terms: PlanTerms = {
  type: 1,
  startDate: '2026-01-15',
  firstDueDate: '2026-02-28',
  cases: [owed(1_000_000n, '10', 34_521n, 24_000n)],
  numberOfPayments: 12,
  amount: null,
  registrationFee: 17_000n,
  invoiceFee: 6_000n,
}

function makePlan(changes: Partial<PlanTerms> = {}): PaymentPlan {
  const outcome = computePlan({ ...terms, ...changes })
  if (!outcome.ok) throw new Error(outcome.error.code)
  return outcome.plan
}

function expectError(changes: Partial<PlanTerms>): PlanError {
  const outcome = computePlan({ ...terms, ...changes })
  if (outcome.ok) throw new Error('There is a plan.')
  return outcome.error
}

test('each type takes number, amount or both, and no more payments than 600', () => {
  const combinations: [PlanType, number | null, bigint | null, 'one' | 'both' | null][] = [
    [1, 12, null, null],
    [1, null, 100_000n, null],
    [1, 12, 100_000n, 'one'],
    [1, null, null, 'one'],
    [2, 12, 100_000n, null],
    [2, 12, null, 'both'],
    [2, null, 100_000n, 'both'],
    [3, 12, null, null],
    [3, null, 100_000n, null],
    [3, 12, 100_000n, 'one'],
    [3, null, null, 'one'],
    [4, 12, 80_000n, null],
    [4, 12, null, 'both'],
    [5, 12, 80_000n, null],
    [5, null, 80_000n, 'both'],
    [5, null, null, 'both'],
  ]
  for (const [type, numberOfPayments, amount, needs] of combinations) {
    const outcome = computePlan({ ...terms, type, numberOfPayments, amount })
    if (needs === null) assert.equal(outcome.ok, true, `${type} ${numberOfPayments} ${amount}`)
    else assert.deepEqual(outcome, { ok: false, error: { code: 'wrong-combination', needs } })
  }
  for (const numberOfPayments of [0, 601, -1, 1.5, Number.NaN]) {
    const error = { code: 'out-of-range', member: 'numberOfPayments', least: 1, most: 600 }
    assert.deepEqual(expectError({ numberOfPayments }), error)
  }
  assert.equal(makePlan({ numberOfPayments: 600 }).rows.length, 600)
  assert.equal(makePlan({ numberOfPayments: 1 }).rows.length, 1)
})

test('amounts and fees out of range, and nothing owed', () => {
  const both = { type: 2, amount: 0n } as const
  assert.deepEqual(expectError(both), { code: 'out-of-range', member: 'amount', least: 1n })
  assert.deepEqual(expectError({ invoiceFee: -1n }), {
    code: 'out-of-range',
    member: 'invoiceFee',
    least: 0n,
  })
  assert.deepEqual(expectError({ registrationFee: -1n }), {
    code: 'out-of-range',
    member: 'registrationFee',
    least: 0n,
  })
  assert.deepEqual(expectError({ deviations: [{ paymentNo: 2, amount: -1n }] }), {
    code: 'out-of-range',
    member: 'deviation-amount',
    index: 0,
    least: 0n,
  })
  assert.deepEqual(expectError({ cases: [] }), { code: 'nothing-owed' })
  assert.deepEqual(expectError({ cases: [owed(0n)] }), { code: 'nothing-owed' })
  assert.throws(() => makePlan({ startDate: '2026-02-30' }), RangeError)
  assert.throws(() => makePlan({ cases: [owed(-1n), owed(2n)] }), RangeError)
  assert.throws(() => makePlan({ firstDueDate: undefined, tail: { paidThrough: 1 } }), RangeError)
})

test('an amount that never repays is refused, with the least that does', () => {
  // 83.33 interest and 60.00 fee a month: 140.00 never pays a unit of principal.
  const error = expectError({ numberOfPayments: null, amount: 14_000n })
  assert.equal(error.code, 'never-repays')
  const { leastAmount } = error as { leastAmount: bigint }
  assert.equal(makePlan({ numberOfPayments: null, amount: leastAmount }).rows.length, 600)
  assert.equal(expectError({ numberOfPayments: null, amount: leastAmount - 1n }).code, 'never-repays')
  // Principal of 16.66 a month would take 601 payments.
  assert.deepEqual(expectError({ type: 3, numberOfPayments: null, amount: 1_666n }), {
    code: 'never-repays',
    leastAmount: 1_667n,
  })
  // Of a limited plan less has to be left than was owed.
  const limited = expectError({ type: 2, numberOfPayments: 6, amount: 10_000n })
  assert.equal(limited.code, 'never-repays')
  const least = (limited as { leastAmount: bigint }).leastAmount
  const plan = makePlan({ type: 2, numberOfPayments: 6, amount: least })
  assert.ok(plan.left.total < plan.claim)
  assert.deepEqual(expectError({ type: 2, numberOfPayments: 6, amount: least - 1n }), limited)
})

const unknown = (paymentNo: number, lastPaymentNo: number) =>
  ({ code: 'deviation-unknown', index: 0, paymentNo, lastPaymentNo }) as const

test('amounts too large to stay exact are refused, and large ones are exact', () => {
  const tooLarge = { code: 'too-large' }
  assert.deepEqual(expectError({ cases: [owed(2n ** 53n)] }), tooLarge)
  assert.deepEqual(expectError({ invoiceFee: 10n ** 15n, numberOfPayments: 600 }), tooLarge)
  assert.deepEqual(expectError({ type: 2, amount: 1n, invoiceFee: 10n ** 15n }), tooLarge)
  const plan = makePlan({ cases: [owed(10n ** 15n, '39.999999')], numberOfPayments: 24 })
  assert.equal(plan.totals.principal, 10n ** 15n)
  assert.equal(plan.rows[0]!.interest, (10n ** 15n * 39_999_999n * 44n + 18_250_000_000n) / 36_500_000_000n)
})

test('a level amount that is half a unit is rounded as the rounding says', () => {
  const free = { invoiceFee: 0n, registrationFee: 0n, cases: [owed(10_001n, '0')], numberOfPayments: 2 }
  assert.deepEqual(
    makePlan(free).rows.map(({ amount }) => amount),
    [5_001n, 5_000n],
  )
  assert.deepEqual(
    makePlan({ ...free, rounding: 'half-even' }).rows.map(({ amount }) => amount),
    [5_000n, 5_001n],
  )
  assert.deepEqual(
    makePlan({ ...free, type: 3 }).rows.map(({ amount }) => amount),
    [5_001n, 5_000n],
  )
  // 2.5 rounded up would end the plan after three payments.
  const few = {
    ...free,
    cases: [owed(10n, '0')],
    numberOfPayments: 5,
    deviations: [{ paymentNo: 5, amount: 0n }],
  }
  assert.deepEqual(
    makePlan(few).rows.map(({ amount }) => amount),
    [2n, 2n, 2n, 2n, 2n],
  )
  // Fewer units than payments: one each, as long as there are.
  assert.equal(makePlan({ ...free, cases: [owed(3n, '0')], numberOfPayments: 5 }).rows.length, 3)
})

test('deviations: unknown, twice, too late in the plan', () => {
  assert.deepEqual(expectError({ deviations: [{ paymentNo: 13, amount: 1n }] }), unknown(13, 12))
  assert.deepEqual(expectError({ deviations: [{ paymentNo: 0, amount: 1n }] }), unknown(0, 12))
  const given = { numberOfPayments: null, amount: 100_000n }
  assert.deepEqual(expectError({ ...given, deviations: [{ paymentNo: 14, amount: 1n }] }), unknown(14, 13))
  assert.deepEqual(expectError({ ...given, deviations: [{ paymentNo: 601, amount: 1n }] }), unknown(601, 600))
  const twice = [
    { paymentNo: 2, amount: 1n },
    { paymentNo: 2, dueDate: '2026-03-30' },
  ]
  assert.deepEqual(expectError({ deviations: twice }), { code: 'deviation-twice', index: 1, paymentNo: 2 })
})

const moved = (paymentNo: number, dueDate: string) => [{ paymentNo, dueDate }]
const disorder = (paymentNo: number, dueDate: string, after: string, before: string | null, orOn = false) =>
  ({ code: 'dates-out-of-order', index: 0, paymentNo, dueDate, after, orOn, before }) as const

test('deviating dates stay between their neighbours', () => {
  for (const wrong of ['2026-02-28', '2026-04-28', '2026-05-01', '2026-01-01']) {
    const expected = disorder(2, wrong, '2026-02-28', '2026-04-28')
    assert.deepEqual(expectError({ deviations: moved(2, wrong) }), expected)
  }
  assert.equal(makePlan({ deviations: moved(2, '2026-04-27') }).rows[1]!.dueDate, '2026-04-27')
  assert.equal(makePlan({ deviations: moved(12, '2027-12-31') }).rows[11]!.dueDate, '2027-12-31')
  const { firstDueDate: _, ...free } = terms
  const first = computePlan({ ...free, deviations: moved(1, '2026-01-14') })
  assert.deepEqual(first, { ok: false, error: disorder(1, '2026-01-14', '2026-01-15', '2026-02-14', true) })
  assert.equal(computePlan({ ...free, deviations: moved(1, '2026-01-15') }).ok, true)
  // The date of the last payment of a plan by amount may be moved as far as one likes, unless another follows.
  const given = { numberOfPayments: null, amount: 100_000n }
  assert.equal(makePlan({ ...given, deviations: moved(13, '2027-03-20') }).rows.length, 13)
})

test('due dates: 30 days on, or from the first payment, clamped to the month without drifting', () => {
  const { firstDueDate: _, ...free } = terms
  const listDueDates = (changes: Partial<PlanTerms>, count = 4) => {
    const outcome = computePlan({ ...free, ...changes })
    assert.ok(outcome.ok)
    return outcome.plan.rows.slice(0, count).map(({ dueDate }) => dueDate)
  }
  assert.deepEqual(listDueDates({}, 2), ['2026-02-14', '2026-03-14'])
  assert.deepEqual(listDueDates({ firstDueDays: 16 }), [
    '2026-01-31',
    '2026-02-28',
    '2026-03-31',
    '2026-04-30',
  ])
  const first = [{ paymentNo: 1, dueDate: '2026-01-30' }]
  assert.deepEqual(listDueDates({ deviations: first }, 3), ['2026-01-30', '2026-02-28', '2026-03-30'])
  const from = { firstDueDate: '2028-02-29', numberOfPayments: 3 }
  assert.deepEqual(listDueDates({ ...from, interval: { type: 4, count: 1 } }), [
    '2028-02-29',
    '2029-02-28',
    '2030-02-28',
  ])
  assert.deepEqual(listDueDates({ ...from, interval: { type: 3, count: 3 } }), [
    '2028-02-29',
    '2028-05-29',
    '2028-08-29',
  ])
  assert.deepEqual(listDueDates({ ...from, interval: { type: 2, count: 2 } }), [
    '2028-02-29',
    '2028-03-14',
    '2028-03-28',
  ])
  assert.deepEqual(listDueDates({ ...from, interval: { type: 1, count: 10 } }), [
    '2028-02-29',
    '2028-03-10',
    '2028-03-20',
  ])
  assert.throws(() => listDueDates({ interval: { type: 3, count: 0 } }), RangeError)
})

test('invoices are dated 14 days before, not before the start', () => {
  const rows = makePlan({ firstDueDate: '2026-01-20' }).rows
  assert.deepEqual(
    rows.slice(0, 3).map(({ invoiceDate }) => invoiceDate),
    ['2026-01-15', '2026-02-06', '2026-03-06'],
  )
  assert.equal(makePlan({ invoiceDaysBefore: 30 }).rows[1]!.invoiceDate, '2026-02-26')
})

test('what a payment cannot cover of costs and interest moves to the next', () => {
  const rows = makePlan({
    numberOfPayments: null,
    amount: 100_000n,
    deviations: [
      { paymentNo: 1, amount: 20_000n },
      { paymentNo: 2, amount: 0n },
    ],
  }).rows
  assert.deepEqual(
    rows
      .slice(0, 4)
      .map(({ fee, interest, instalment, paymentType }) => [fee, interest, instalment, paymentType]),
    [
      // 470.00 of costs, of which 200.00 are paid, and 345.21 + 120.55 of interest.
      [20_000n, 0n, 0n, 3],
      [0n, 0n, 0n, 3],
      // 270.00 + 60.00 + 60.00; then 465.76 + 76.71 + 84.93 of interest, of which 610.00 are paid.
      [39_000n, 61_000n, 0n, 1],
      // The 17.40 that were left, and 30 days on 10,000.00: no interest on interest.
      [6_000n, 1_740n + 8_219n, 100_000n - 6_000n - 9_959n, 1],
    ],
  )
})

test('a reference rate changes inside a plan, and is rounded once per period', () => {
  const table: RateTable = new Map([
    [
      'SE',
      [
        { from: '2025-07-01', rate: '2' },
        { from: '2026-07-01', rate: '3' },
      ],
    ],
  ])
  const rates = buildRateSteps({ kind: 'reference', series: 'SE', points: '8' }, table)
  const cases = [{ invoices: [{ principal: 1_000_000n, rates }], interest: 0n, costs: 0n }]
  const rows = makePlan({ cases, invoiceFee: 0n, registrationFee: 0n, type: 4, amount: 1n }).rows
  // 28 June to 28 July: two days at 10 %, 28 at 11 % on 9,999.95: 91.5064… , rounded once.
  assert.equal(rows[5]!.interest, 8_986n)
  assert.equal((999_995n * (10n * 2n + 11n * 28n) * 2n + 36_500n) / 73_000n, 8_986n)
})

test('there is no annual percentage of what is due at once, nor one without end', () => {
  const computePercentage = (firstDueDate: string, registrationFee: bigint) =>
    makePlan({ firstDueDate, registrationFee, numberOfPayments: 1 }).annualPercentage
  assert.equal(computePercentage('2026-01-15', 0n), null)
  assert.equal(computePercentage('2026-01-16', 100_000_000n), null)
  assert.ok(computePercentage('2026-01-16', 0n)! > 0)
  assert.equal(makePlan({ type: 5, amount: 10_000n }).annualPercentage, null)
})

test('a plan in the currency of each country, and in yen', () => {
  for (const currency of ['SEK', 'NOK', 'DKK', 'EUR', 'ISK', 'JPY']) {
    const unit = 10n ** BigInt(countDecimals(currency))
    const plan = makePlan({
      cases: [owed(48_000n * unit, '11.5', 1_200n * unit, 600n * unit)],
      registrationFee: 170n * unit,
      invoiceFee: 60n * unit,
      numberOfPayments: 24,
    })
    assert.equal(plan.left.total, 0n)
    const total = plan.rows.reduce((sum, { amount }) => sum + amount, 0n)
    assert.equal(plan.totals.amount, total)
    assert.match(formatMinor(plan.levelAmount, currency), unit === 1n ? /^2408$/ : /^2408\.13$/, currency)
  }
})
