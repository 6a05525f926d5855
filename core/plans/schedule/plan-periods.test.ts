/// <reference types="node" />
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { buildRateSteps } from '../../interest/interest.ts'
import { findPeriods } from './plan-periods.ts'
import { computePlan } from '../plan.ts'
import type { PaymentPlan, PlanTerms } from '../plan-terms.ts'

type Row = Parameters<typeof findPeriods>[0][number]
/** Payment type, amount and what of it is principal, due in the months from January on. */
const makeRows = (...rows: [Row['paymentType'], bigint, bigint][]): Row[] =>
  rows.map(([paymentType, amount, instalment], index) => ({
    paymentType,
    amount,
    instalment,
    dueDate: `2026-0${index + 1}-28`,
  }))

test('payments of one type and amount in a row are a period', () => {
  const table: [Row[], string][] = [
    [[], ''],
    [makeRows([1, 100n, 80n]), '1: 1 of 100, 01 to 01'],
    [makeRows([1, 100n, 80n], [1, 100n, 81n], [1, 100n, 82n]), '1: 1 of 100, 01 to 03'],
    [makeRows([1, 100n, 80n], [1, 100n, 81n], [1, 57n, 57n]), '1: 1 of 100, 01 to 02; 2: 1 of 57, 03 to 03'],
    // Of principal the instalment counts, whatever interest and fees are on top.
    [
      makeRows([2, 120n, 100n], [2, 110n, 100n], [2, 90n, 90n]),
      '1: 2 of 100, 01 to 02; 2: 2 of 90, 03 to 03',
    ],
    [
      makeRows([1, 100n, 80n], [3, 100n, 80n], [1, 100n, 80n]),
      '1: 1 of 100, 01 to 01; 2: 3 of 100, 02 to 02; 3: 1 of 100, 03 to 03',
    ],
    [makeRows([3, 120n, 100n], [3, 110n, 100n]), '1: 3 of 120, 01 to 01; 2: 3 of 110, 02 to 02'],
  ]
  for (const [rows, periods] of table) {
    const shown = findPeriods(rows, { type: 2, count: 3 }).map((period) => {
      assert.deepEqual([period.intervalType, period.interval], [2, 3])
      const [from, to] = [period.startDate.slice(5, 7), period.endDate.slice(5, 7)]
      return `${period.periodNo}: ${period.paymentType} of ${period.amount}, ${from} to ${to}`
    })
    assert.equal(shown.join('; '), periods)
  }
})

const terms: PlanTerms = {
  type: 1,
  startDate: '2026-01-15',
  firstDueDate: '2026-02-15',
  cases: [
    {
      invoices: [{ principal: 100_000n, rates: buildRateSteps({ kind: 'fixed', rate: '10' }, new Map()) }],
      interest: 700n,
      costs: 300n,
    },
  ],
  numberOfPayments: 4,
  invoiceFee: 50n,
}

function makePlan(changes: Partial<PlanTerms>): PaymentPlan {
  const outcome = computePlan({ ...terms, ...changes })
  if (!outcome.ok) throw new Error(outcome.error.code)
  return outcome.plan
}

const formatPaymentTypes = (changes: Partial<PlanTerms>) =>
  makePlan(changes)
    .rows.map(({ paymentType }) => paymentType)
    .join('')

test('payments are of a total, of principal, or specified', () => {
  const deviations = [{ paymentNo: 2, amount: 40_000n }]
  const both = { numberOfPayments: 3, amount: 30_000n }
  const table: [Partial<PlanTerms>, string][] = [
    [{}, '1111'],
    [{ deviations }, '1311'],
    [{ type: 2, ...both }, '111'],
    [{ type: 3 }, '2222'],
    [{ type: 3, deviations }, '2322'],
    [{ type: 4, ...both, deviations }, '232'],
    [{ type: 5, ...both, deviations }, '131'],
    [{ deviations: [{ paymentNo: 2, dueDate: '2026-03-20' }] }, '1111'],
  ]
  for (const [changes, types] of table) assert.equal(formatPaymentTypes(changes), types)
})

test('of a payment that is partly made, the rest is unpaid', () => {
  const tail = {
    paidThrough: 1,
    lastDueDate: '2026-01-15',
    partlyPaid: { fee: 50n, interest: 700n, instalment: 1000n },
  }
  for (const rounding of ['half-up', 'half-even', 'none'] as const) {
    for (const type of [1, 3] as const) {
      const { rows } = makePlan({ type, rounding, tail })
      const [first, second, third] = rows
      assert.equal(first!.unpaid, first!.amount - 1750n)
      assert.equal(second!.unpaid, second!.amount)
      assert.equal(first!.balance, 100_000n - (first!.instalment - 1000n))
      assert.equal(second!.balance, first!.balance - second!.instalment)
      assert.equal(third!.balance, 0n)
    }
  }
  const least = makePlan({ tail: { ...tail, partlyPaid: { fee: 0n, interest: 0n, instalment: 1n } } })
    .rows[0]!
  assert.equal(least.unpaid, least.amount - 1n)
  const claims = [120_000n]
  const relief = makePlan({ type: 5, amount: 30_000n, tail: { ...tail, claims } })
  assert.deepEqual(
    relief.rows.map(({ amount, unpaid, balance }) => [amount, unpaid, balance]),
    [
      [30_000n, 29_000n, 72_000n],
      [30_000n, 30_000n, 42_000n],
      [30_000n, 30_000n, 12_000n],
    ],
  )
})

test('what a limited plan leaves, by its parts', () => {
  // Nothing is paid in the end: the last interest and fee stay. 28, 31 and 30 days.
  const limited: Partial<PlanTerms> = {
    type: 2,
    numberOfPayments: 3,
    amount: 30_000n,
    deviations: [{ paymentNo: 3, amount: 0n }],
  }
  for (const rounding of ['half-up', 'half-even', 'none'] as const) {
    const { left, rows, totals, claim } = makePlan({ ...limited, rounding })
    const last = rows.at(-1)!
    assert.deepEqual([last.amount, last.instalment, last.balance], [0n, 0n, left.principal])
    assert.equal(left.fee, 50n)
    // 31 March to 15 April: the interest of 31 days on what is left, to the nearest öre.
    assert.equal(left.interest, (2n * left.principal * 10n * 31n + 36_500n) / 73_000n)
    assert.equal(left.total, left.principal + left.interest + left.fee)
    assert.equal(totals.principal + left.principal, 100_000n)
    assert.equal(claim, 101_000n)
    assert.deepEqual(left.byCase, [left.principal])
  }
})

const formatInvoiceDates = (changes: Partial<PlanTerms>) =>
  makePlan({ type: 5, amount: 30_000n, ...changes })
    .rows.map(({ invoiceDate }) => invoiceDate)
    .join(' ')

test('invoices of debt relief are dated as those of other plans', () => {
  assert.equal(formatInvoiceDates({}), '2026-02-01 2026-03-01 2026-04-01 2026-05-01')
  assert.equal(formatInvoiceDates({ invoiceDaysBefore: 5 }), '2026-02-10 2026-03-10 2026-04-10 2026-05-10')
  assert.equal(
    formatInvoiceDates({ firstDueDate: '2026-01-20', numberOfPayments: 2 }),
    '2026-01-15 2026-02-06',
  )
  const tail = { paidThrough: 1, lastDueDate: '2026-02-15' }
  const running = { startDate: '2026-03-05', tail }
  assert.equal(formatInvoiceDates(running), '2026-03-05 2026-04-01 2026-05-01')
  assert.equal(
    formatInvoiceDates({ ...running, tail: { ...tail, invoicedThrough: 1 } }),
    '2026-03-05 2026-04-01 2026-05-01',
  )
  assert.equal(
    formatInvoiceDates({ ...running, tail: { ...tail, invoicedThrough: 2 } }),
    '2026-03-01 2026-04-01 2026-05-01',
  )
})

test('the least fee and the least debt are shown', () => {
  const one = { invoices: [], interest: 0n, costs: 1n }
  const [only] = makePlan({ cases: [one], invoiceFee: 0n }).rows
  assert.deepEqual([only!.fee, only!.amount, only!.unpaid], [1n, 1n, 1n])
  assert.ok(
    makePlan({ invoiceFee: 1n, cases: [{ ...terms.cases[0]!, costs: 0n }] }).rows.every(
      ({ fee }) => fee === 1n,
    ),
  )
})
