/// <reference types="node" />
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { allocationOrders } from '../ledger/allocation.ts'
import type { Claim, LedgerInput, Movement, MovementEffect } from '../ledger/case-movement.ts'
import { fixed } from '../testing/case-scenario.ts'
import { computeOwed, computePaid, termsInForce } from './plan-balances.ts'

const claim = (id: string, principal: bigint, dueDate: string | null, more: Partial<Claim> = {}): Claim => ({
  id,
  principal,
  dueDate,
  interestFrom: '2026-01-01',
  terms: null,
  ...more,
})

/** A case at 10 % registered on 1 January 2026, with one movement a day from the 11th on. */
const makeLedgerInput = (
  claims: Claim[],
  effects: MovementEffect[] = [],
  more: Partial<LedgerInput> = {},
): LedgerInput => ({
  opening: { registeredOn: '2026-01-01', claims, interest: 0n, cost: 0n, terms: fixed('10') },
  movements: effects.map((effect, index): Movement => ({
    id: `m${index + 1}`,
    booking: index + 1,
    valueDate: `2026-01-${11 + index}`,
    ...effect,
  })),
  order: allocationOrders.PRINCIPAL_INTEREST_COST,
  tolerance: 0n,
  rates: new Map(),
  ...more,
})

/** Principal and percent a year of each invoice, in order. */
const formatInvoices = (input: LedgerInput, date = '2026-01-31'): string =>
  computeOwed(input, date)
    .invoices.map(({ principal, rates }) => `${principal} at ${rates.rates.map((rate) => rate / 1e6).join()}`)
    .join(', ')

test('invoices are listed by due date, those without one first, and equals as they came', () => {
  const [june, alsoJune, december, undated] = [
    claim('a', 100n, '2025-06-01'),
    claim('d', 400n, '2025-06-01'),
    claim('b', 200n, '2025-12-01'),
    claim('c', 300n, null),
  ]
  const also = claim('e', 500n, null)
  const table: [Claim[], string][] = [
    [[june, december], '100 200'],
    [[december, june], '100 200'],
    [[undated, june], '300 100'],
    [[june, undated], '300 100'],
    [[june, alsoJune], '100 400'],
    [[alsoJune, june], '400 100'],
    [[undated, also], '300 500'],
    [[also, undated], '500 300'],
    [[december, june, alsoJune, undated], '300 100 400 200'],
    [[undated, alsoJune, december, june], '300 400 100 200'],
  ]
  for (const [claims, order] of table) {
    const { invoices } = computeOwed(makeLedgerInput(claims), '2026-01-31')
    assert.equal(invoices.map(({ principal }) => principal).join(' '), order)
  }
})

test('each invoice has the terms that are in force on the day', () => {
  const [a, b] = [claim('a', 100n, '2025-06-01'), claim('b', 200n, '2025-12-01', { terms: fixed('20') })]
  const later = claim('c', 300n, '2026-01-05', { terms: fixed('30') })
  const table: [string, MovementEffect[], string][] = [
    ['as registered', [], '100 at 10, 200 at 20'],
    ['of the case', [{ kind: 'terms', terms: fixed('5'), claim: null }], '100 at 5, 200 at 20'],
    ['of one claim', [{ kind: 'terms', terms: fixed('5'), claim: 'b' }], '100 at 10, 200 at 5'],
    ['of the other', [{ kind: 'terms', terms: fixed('5'), claim: 'a' }], '100 at 5, 200 at 20'],
    ['of no claim of the case', [{ kind: 'terms', terms: fixed('5'), claim: 'z' }], '100 at 10, 200 at 20'],
    ['a credit note changes none', [{ kind: 'creditNote', amount: 1n, claim: 'b' }], '100 at 10, 199 at 20'],
    ['of a claim that came later', [{ kind: 'claim', claim: later }], '100 at 10, 200 at 20, 300 at 30'],
    [
      'of that claim changed',
      [
        { kind: 'claim', claim: later },
        { kind: 'terms', terms: fixed('5'), claim: 'c' },
        { kind: 'terms', terms: fixed('6'), claim: null },
      ],
      '100 at 6, 200 at 20, 300 at 5',
    ],
  ]
  for (const [what, effects, invoices] of table)
    assert.equal(formatInvoices(makeLedgerInput([a, b], effects)), invoices, what)
  const changed = makeLedgerInput([a, b], [{ kind: 'terms', terms: fixed('5'), claim: 'b' }])
  assert.deepEqual(termsInForce(changed, '2026-01-31'), {
    terms: fixed('10'),
    claims: [a, { ...b, terms: fixed('5') }],
  })
  assert.deepEqual(termsInForce(changed, '2026-01-10'), { terms: fixed('10'), claims: [a, b] })
})

test('what is paid of an invoice is no longer owed', () => {
  const claims = [claim('a', 100n, '2025-06-01'), claim('b', 200n, '2025-12-01')]
  const table: [bigint, string][] = [
    [1n, '99 at 10, 200 at 10'],
    [99n, '1 at 10, 200 at 10'],
    [100n, '200 at 10'],
    [101n, '199 at 10'],
    [300n, ''],
  ]
  for (const [amount, invoices] of table)
    assert.equal(
      formatInvoices(makeLedgerInput(claims, [{ kind: 'payment', amount }])),
      invoices,
      String(amount),
    )
})

test('an invoice that bears no interest, and those of a case that is covered', () => {
  const bears = claim('a', 1000n, '2025-06-01', { interestFrom: '2026-01-20' })
  const none = claim('b', 200n, '2025-12-01', { interestFrom: null })
  const { invoices } = computeOwed(makeLedgerInput([bears, none]), '2026-01-31')
  assert.deepEqual(
    invoices.map(({ principal, rates, ...rest }) => [principal, rates.rates, rest]),
    [
      [1000n, [10_000_000], { interestFrom: '2026-01-20' }],
      [200n, [0], {}],
    ],
  )
  const covered = makeLedgerInput([bears], [{ kind: 'payment', amount: 995n }], { tolerance: 5n })
  assert.equal(formatInvoices(covered), '5 at 0')
})

test('what was paid since a movement, by payments alone', () => {
  const claims = [claim('a', 100_000n, '2025-06-01')]
  const effects: MovementEffect[] = [
    { kind: 'payment', amount: 10_000n },
    { kind: 'thirdPartyPayment', amount: 2000n },
    { kind: 'creditUse', amount: 300n },
    { kind: 'writeOff', amount: 40_000n, component: null },
    { kind: 'creditNote', amount: 5000n, claim: 'a' },
    { kind: 'fee', amount: 60n },
    { kind: 'refund', amount: 7n },
  ]
  const table: [number, bigint][] = [
    [0, 12_300n],
    [1, 2300n],
    [2, 300n],
    [3, 0n],
    [7, 0n],
  ]
  for (const [after, principal] of table) {
    const paid = computePaid(makeLedgerInput(claims, effects), '2026-01-31', after)
    assert.deepEqual(paid, { costs: 0n, interest: 0n, principal }, `after ${after}`)
  }
  // Only what counts on the day.
  assert.equal(computePaid(makeLedgerInput(claims, effects), '2026-01-11', 0).principal, 10_000n)
  // Costs, then interest: 10 days at 10 % of 1,000.00 are 2.74.
  const costsFirst = { order: allocationOrders.COST_INTEREST_PRINCIPAL }
  const split = makeLedgerInput(
    claims,
    [
      { kind: 'fee', amount: 60n },
      { kind: 'payment', amount: 1000n },
    ],
    costsFirst,
  )
  assert.deepEqual(computePaid(split, '2026-01-31', 0), { costs: 60n, interest: 301n, principal: 639n })
})
