/// <reference types="node" />
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fixed, rates } from '../testing/case-scenario.ts'
import { allocationOrders } from './allocation.ts'
import { effectiveMovements, type LedgerInput, type Movement } from './case-movement.ts'

const payment = (id: string, valueDate: string, booking: number): Movement => ({
  id,
  kind: 'payment',
  amount: 1n,
  valueDate,
  booking,
})
const reversal = (of: string, booking: number): Movement => ({
  id: `undo ${of}`,
  kind: 'reversal',
  of,
  valueDate: '2026-03-01',
  booking,
})
const given = (movements: Movement[]): LedgerInput => ({
  opening: { registeredOn: '2026-01-01', claims: [], interest: 0n, cost: 0n, terms: fixed('10') },
  movements,
  order: allocationOrders.COST_INTEREST_PRINCIPAL,
  tolerance: 0n,
  rates,
})

test('movements count by value date, then booking, then id, in whatever order they are told', () => {
  const table: [Movement[], string][] = [
    [[payment('a', '2026-01-02', 2), payment('b', '2026-01-01', 3)], 'b a'],
    [[payment('a', '2026-01-01', 2), payment('b', '2026-01-02', 1)], 'a b'],
    [[payment('a', '2026-01-01', 2), payment('b', '2026-01-01', 1)], 'b a'],
    [[payment('b', '2026-01-01', 1), payment('a', '2026-01-01', 2)], 'b a'],
    [[payment('a', '2026-01-01', 1), payment('b', '2026-01-01', 1)], 'a b'],
    [[payment('b', '2026-01-01', 1), payment('a', '2026-01-01', 1)], 'a b'],
  ]
  for (const [movements, order] of table) {
    const counted = effectiveMovements(given(movements), '2026-12-31')
    assert.equal(counted.map(({ id }) => id).join(' '), order)
  }
})

test('what is reversed does not count, nor what is dated later; the reversal counts whatever its date', () => {
  const movements = [
    payment('a', '2026-01-31', 1),
    payment('b', '2026-02-01', 2),
    payment('c', '2026-02-02', 3),
  ]
  const countedOn = (asOf: string, more: Movement[] = []) =>
    effectiveMovements(given([...movements, ...more]), asOf)
      .map(({ id }) => id)
      .join(' ')
  assert.equal(countedOn('2026-02-01'), 'a b')
  assert.equal(countedOn('2026-02-01', [reversal('a', 4)]), 'b')
  assert.equal(countedOn('2026-12-31', [reversal('a', 4), reversal('c', 5)]), 'b')
})

test('nothing counts before the case was registered', () => {
  const early = payment('early', '2025-12-31', 1)
  assert.throws(() => effectiveMovements(given([early]), '2026-12-31'), /from 2026-01-01 on/)
  assert.deepEqual(effectiveMovements(given([early, reversal('early', 2)]), '2026-12-31'), [])
  assert.equal(effectiveMovements(given([payment('a', '2026-01-01', 1)]), '2026-12-31').length, 1)
})
