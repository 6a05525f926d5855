/// <reference types="node" />
import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as fc from 'fast-check'
import {
  allocate,
  allocationOrderCodes,
  allocationOrders,
  components,
  defaultAllocationOrder,
  type Bucket,
} from './allocation.ts'

const owed: Bucket[] = [
  { claim: 'B', component: 'principal', dueDate: '2026-02-01', owed: 500n },
  { claim: 'A', component: 'principal', dueDate: '2026-01-01', owed: 1000n },
  { claim: 'A', component: 'interest', dueDate: '2026-01-01', owed: 30n },
  { claim: 'B', component: 'interest', dueDate: '2026-02-01', owed: 10n },
  { claim: null, component: 'interest', dueDate: null, owed: 5n },
  { claim: null, component: 'cost', dueDate: null, owed: 180n },
]

test('payments against a case of two invoices', () => {
  const table: [bigint, keyof typeof allocationOrders, string, bigint][] = [
    [100n, 'COST_INTEREST_PRINCIPAL', 'cost 100', 0n],
    [200n, 'COST_INTEREST_PRINCIPAL', 'cost 180, interest 5, A interest 15', 0n],
    [
      1500n,
      'COST_INTEREST_PRINCIPAL',
      'cost 180, interest 5, A interest 30, B interest 10, A principal 1000, B principal 275',
      0n,
    ],
    [
      2000n,
      'COST_INTEREST_PRINCIPAL',
      'cost 180, interest 5, A interest 30, B interest 10, A principal 1000, B principal 500',
      275n,
    ],
    [1200n, 'PRINCIPAL_INTEREST_COST', 'A principal 1000, B principal 200', 0n],
    [200n, 'COST_PRINCIPAL_INTEREST', 'cost 180, A principal 20', 0n],
    [0n, 'COST_INTEREST_PRINCIPAL', '', 0n],
  ]
  for (const [amount, order, expected, surplus] of table) {
    const result = allocate(amount, owed, allocationOrders[order])
    const shown = result.lines
      .map((line) => [line.claim, line.component, line.amount].filter((part) => part !== null).join(' '))
      .join(', ')
    assert.equal(shown, expected, `${amount} by ${order}`)
    assert.equal(result.surplus, surplus)
  }
  assert.deepEqual(allocate(100n, owed, ['interest']).surplus, 55n)
  assert.throws(() => allocate(-1n, owed, ['interest']), /zero or more/)
  assert.equal(defaultAllocationOrder, 'COST_INTEREST_PRINCIPAL')
})

test('the orders are what their codes say', () => {
  assert.equal(allocationOrderCodes.length, 6)
  for (const code of allocationOrderCodes) assert.equal(allocationOrders[code].join('_').toUpperCase(), code)
})

const principal = (claim: string, dueDate: string | null): Bucket => ({
  claim,
  component: 'principal',
  dueDate,
  owed: 100n,
})

test('in one component the claim that fell due first is paid first, and what has no date before all', () => {
  const table: [Bucket[], string][] = [
    [[principal('new', '2026-02-01'), principal('old', '2026-01-01')], 'old new'],
    [[principal('old', '2026-01-01'), principal('new', '2026-02-01')], 'old new'],
    [[principal('undated', null), principal('old', '2026-01-01')], 'undated old'],
    [[principal('old', '2026-01-01'), principal('undated', null)], 'undated old'],
    [[principal('first', '2026-01-01'), principal('second', '2026-01-01')], 'first second'],
    [[principal('first', null), principal('second', null)], 'first second'],
  ]
  for (const [buckets, paid] of table) {
    const { lines } = allocate(150n, buckets, ['principal'])
    assert.equal(lines.map(({ claim }) => claim).join(' '), paid)
    assert.deepEqual(
      lines.map(({ amount }) => amount),
      [100n, 50n],
    )
  }
})

test('nothing is lost and no bucket overpaid; a surplus only when all are paid', () => {
  const bucket = fc.record({
    claim: fc.constantFrom('A', 'B', 'C', null),
    component: fc.constantFrom(...components),
    dueDate: fc.constantFrom('2026-01-01', '2026-02-01', null),
    owed: fc.bigInt(0n, 10n ** 15n),
  })
  const buckets = fc.uniqueArray(bucket, { selector: ({ claim, component }) => `${claim} ${component}` })
  fc.assert(
    fc.property(
      fc.bigInt(0n, 10n ** 15n),
      buckets,
      fc.constantFrom(...Object.values(allocationOrders)),
      (amount, given, order) => {
        const { lines, surplus } = allocate(amount, given, order)
        assert.equal(
          lines.reduce((sum, line) => sum + line.amount, surplus),
          amount,
        )
        const total = given.reduce((sum, { owed: part }) => sum + part, 0n)
        assert.equal(surplus, amount > total ? amount - total : 0n)
        for (const line of lines) {
          const paid = given.find(
            ({ claim, component }) => claim === line.claim && component === line.component,
          )
          assert.ok(line.amount > 0n && line.amount <= paid!.owed)
        }
      },
    ),
  )
})
