/// <reference types="node" />
/** Plans on their way: payments matched to rows, what a day brings, and what is owed on a case. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as fc from 'fast-check'
import { allocationOrders } from '../ledger/allocation.ts'
import type { LedgerInput } from '../ledger/case-movement.ts'
import { matchPayments, nextStepDate, planSteps, splitPaid, type PlanCourse } from './plan-progress.ts'
import { computeOwed, computePaid } from './plan-balances.ts'

const sum = (list: bigint[]) => list.reduce((all, one) => all + one, 0n)
const makeRows = (...amounts: bigint[]) => amounts.map((amount) => ({ amount }))
const paidOn = (...payments: [amount: bigint, valueDate: string][]) =>
  payments.map(([amount, valueDate]) => ({ amount, valueDate }))

test('payments go to the oldest unpaid, in part and beyond, and none is lost', () => {
  const { rows, surplus } = matchPayments(
    makeRows(100n, 0n, 100n, 50n),
    paidOn([60n, '2026-01-01'], [70n, '2026-01-05'], [200n, '2026-02-01']),
  )
  assert.deepEqual(
    rows.map(({ paid, paidDate }) => [paid, paidDate]),
    [
      [100n, '2026-01-05'],
      [0n, null],
      [100n, '2026-02-01'],
      [50n, '2026-02-01'],
    ],
  )
  assert.equal(surplus, 80n)
  // The least there is, and no more than that is left over.
  assert.deepEqual(matchPayments(makeRows(1n, 2n), paidOn([1n, '2026-01-01'], [3n, '2026-01-02'])), {
    rows: [
      { paid: 1n, paidDate: '2026-01-01' },
      { paid: 2n, paidDate: '2026-01-02' },
    ],
    surplus: 1n,
  })
  const minor = fc.integer({ min: 0, max: 500 }).map(BigInt)
  fc.assert(
    fc.property(fc.array(minor), fc.array(minor), (due, paid) => {
      const matched = matchPayments(
        makeRows(...due),
        paidOn(...paid.map((one): [bigint, string] => [one, 'x'])),
      )
      assert.equal(sum(matched.rows.map((row) => row.paid)) + matched.surplus, sum(paid))
      const open = matched.rows.findIndex((row, index) => row.paid < due[index]!)
      assert.ok(open < 0 || matched.rows.slice(open + 1).every((row) => row.paid === 0n))
    }),
  )
})

test('of a row paid in part the ledger says which part, and what differs is principal', () => {
  const taken = { fee: 30n, interest: 50n, instalment: 120n }
  const row = { fee: 20n, interest: 45n, instalment: 100n }
  assert.deepEqual(splitPaid(35n, taken, [row]), { fee: 10n, interest: 5n, instalment: 20n })
  assert.deepEqual(splitPaid(35n, { ...taken, interest: 40n }, [row]), {
    fee: 10n,
    interest: 0n,
    instalment: 25n,
  })
  // The ledger took one less of fees and interest than the rows before say.
  assert.deepEqual(splitPaid(35n, { ...taken, fee: 19n, interest: 44n }, [row]), {
    fee: 0n,
    interest: 0n,
    instalment: 35n,
  })
  assert.deepEqual(splitPaid(35n, { ...taken, fee: 21n, interest: 46n }, [row]), {
    fee: 1n,
    interest: 1n,
    instalment: 33n,
  })
  assert.deepEqual(splitPaid(4n, taken, [row]), { fee: 4n, interest: 0n, instalment: 0n })
})

const course: PlanCourse = {
  invoicedThrough: 1,
  graceDays: 5,
  missesToBreach: 2,
  rows: [1, 2, 3].map((no) => ({
    paymentNo: no,
    invoiceDate: `2026-0${no}-14`,
    dueDate: `2026-0${no}-28`,
    amount: 100n,
    paid: 0n,
    missedDate: null,
  })),
}
const withRow = (index: number, change: Partial<PlanCourse['rows'][number]>): PlanCourse => ({
  ...course,
  rows: course.rows.map((row, at) => (at === index ? { ...row, ...change } : row)),
})

const kinds = (one: PlanCourse, today: string) =>
  planSteps(one, today).map((step) => `${step.date} ${step.kind}`)

test('a payment is missed after the days of grace, and the second that is still unpaid is a breach', () => {
  assert.deepEqual(kinds(course, '2026-02-02'), [])
  assert.equal(nextStepDate(course), '2026-02-03')
  const all = ['2026-02-03 miss', '2026-02-14 invoice', '2026-03-06 miss', '2026-03-06 breach']
  assert.deepEqual(kinds(course, '2027-01-01'), all, 'nothing follows the breach')
  const madeGood = withRow(0, { missedDate: '2026-02-03', paid: 100n })
  assert.deepEqual(kinds(madeGood, '2026-03-06'), ['2026-02-14 invoice', '2026-03-06 miss'])
  const paid = withRow(0, { paid: 100n })
  assert.equal(nextStepDate(paid), '2026-02-14')
  const reversed = { ...withRow(0, { missedDate: '2026-02-03' }), missesToBreach: 1 }
  assert.deepEqual(kinds(reversed, '2026-02-10'), ['2026-02-10 breach'])
  assert.equal(nextStepDate(reversed), '2026-02-03')
})

test('what comes about next, and nothing where nothing does', () => {
  const [first, second, third] = course.rows
  const missed = (row: typeof first, missedDate: string) => ({ ...row!, missedDate })
  const table: [string, Partial<PlanCourse>, string | null][] = [
    ['the first miss', {}, '2026-02-03'],
    ['an invoice', { rows: [{ ...first!, paid: 100n }, second!, third!] }, '2026-02-14'],
    [
      'a breach, on the day of the last miss',
      { rows: [missed(first, '2026-02-03'), missed(second, '2026-03-06'), third!] },
      '2026-03-06',
    ],
    ['all is paid', { invoicedThrough: 3, rows: course.rows.map((row) => ({ ...row, paid: 100n })) }, null],
    ['no payments', { rows: [] }, null],
  ]
  for (const [what, change, date] of table) assert.equal(nextStepDate({ ...course, ...change }), date, what)
})

test('steps of one day come in the order of the payments, an invoice before a miss', () => {
  const sameDay: PlanCourse = {
    ...course,
    invoicedThrough: 1,
    missesToBreach: 9,
    // The days of grace of the first end on the day on which the others are invoiced, and that of the second with them.
    rows: [
      { ...course.rows[0]!, dueDate: '2026-01-28' },
      { ...course.rows[1]!, dueDate: '2026-01-28', invoiceDate: '2026-02-03' },
      { ...course.rows[2]!, dueDate: '2026-03-28', invoiceDate: '2026-02-03' },
    ],
  }
  assert.deepEqual(
    planSteps(sameDay, '2026-02-03').map((step) =>
      step.kind === 'breach' ? step.kind : `${step.kind} ${step.paymentNo}`,
    ),
    ['miss 1', 'invoice 2', 'miss 2', 'invoice 3'],
  )
})

test('a payment is invoiced on its date, but not before the one before it is due', () => {
  const daily: PlanCourse = {
    ...course,
    invoicedThrough: 0,
    rows: [1, 2, 3].map((no) => ({
      ...course.rows[0]!,
      paymentNo: no,
      invoiceDate: '2026-01-01',
      dueDate: `2026-01-0${no}`,
    })),
  }
  const invoices = planSteps(daily, '2026-01-02').map(({ date, kind }) => `${kind} ${date}`)
  assert.deepEqual(invoices, ['invoice 2026-01-01', 'invoice 2026-01-02'])
})

const fixed = (rate: string) => ({ kind: 'fixed', rate }) as const

test('what is owed on a case is its claims by age, with the terms that each has', () => {
  const claim = (id: string, dueDate: string | null, terms: ReturnType<typeof fixed> | null = null) => ({
    id,
    principal: 100_000n,
    dueDate,
    interestFrom: '2026-01-01',
    terms,
  })
  const input: LedgerInput = {
    opening: {
      registeredOn: '2026-01-01',
      claims: [claim('b', '2025-12-01'), claim('a', '2025-06-01', fixed('24')), claim('c', null)],
      interest: 500n,
      cost: 1_000n,
      terms: fixed('10'),
    },
    movements: [
      { id: 'm1', booking: 1, valueDate: '2026-01-11', kind: 'terms', terms: fixed('12'), claim: null },
      { id: 'm2', booking: 2, valueDate: '2026-01-11', kind: 'payment', amount: 2_000n },
    ],
    order: allocationOrders.COST_INTEREST_PRINCIPAL,
    tolerance: 0n,
    rates: new Map(),
  }
  const owed = computeOwed(input, '2026-01-11')
  assert.deepEqual(
    owed.invoices.map(({ principal, rates }) => [principal, rates.rates[0]]),
    [
      [100_000n, 12_000_000],
      [100_000n, 24_000_000],
      [100_000n, 12_000_000],
    ],
  )
  // Ten days of 10, 24 and 10 % on 1,000.00: 1,205.48 with what there was, of which 1,000 is left after the costs.
  assert.deepEqual([owed.costs, owed.interest], [0n, 705n])
  assert.deepEqual(computePaid(input, '2026-01-11', 0), { costs: 1_000n, interest: 1_000n, principal: 0n })
  assert.deepEqual(computePaid(input, '2026-01-11', 2), { costs: 0n, interest: 0n, principal: 0n })
})
