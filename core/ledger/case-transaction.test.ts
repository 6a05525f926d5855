/// <reference types="node" />
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { compareTransactions, transactionKey, type Entry, type Transaction } from './case-transaction.ts'

const entries: Entry[] = [
  { account: 'bank', claim: null, amount: 100n },
  { account: 'receivable:principal', claim: 'A', amount: -60n },
  { account: 'receivable:principal', claim: 'B', amount: -40n },
]
const plain: Transaction = {
  kind: 'payment',
  valueDate: '2026-01-31',
  movementId: 'm1',
  entries,
  lines: [],
  periods: [],
}

test('two transactions are the same when date, kind, movement and entries are', () => {
  const swapped = entries.map(({ claim, ...rest }) => ({
    ...rest,
    claim: claim && (claim === 'A' ? 'B' : 'A'),
  }))
  const table: [string, Partial<Transaction>, boolean][] = [
    ['itself', {}, true],
    ['its entries in another order', { entries: entries.toReversed() }, true],
    ['another date', { valueDate: '2026-02-01' }, false],
    ['another kind', { kind: 'thirdPartyPayment' }, false],
    ['another movement', { movementId: 'm2' }, false],
    ['no movement', { movementId: null }, false],
    ['other claims', { entries: swapped }, false],
    ['an entry less', { entries: entries.slice(1) }, false],
    ['another amount', { entries: entries.map((entry) => ({ ...entry, amount: 2n * entry.amount })) }, false],
    ['no claim', { entries: entries.map((entry) => ({ ...entry, claim: null })) }, false],
  ]
  for (const [what, change, same] of table)
    assert.equal(transactionKey({ ...plain, ...change }) === transactionKey(plain), same, what)
})

test('stored transactions that hold no longer are reversed, and new ones appended', () => {
  const [first, second] = [{ ...plain }, { ...plain }]
  const other: Transaction = { ...plain, movementId: 'm2' }
  const table: [string, Transaction[], Transaction[], Transaction[], Transaction[]][] = [
    ['nothing changes', [plain, other], [plain, other], [], []],
    ['one is new', [plain], [plain, other], [], [other]],
    ['one is gone', [plain, other], [other], [plain], []],
    ['one is replaced', [plain], [other], [plain], [other]],
    ['of two alike one is gone: the later', [first, second], [plain], [second], []],
    ['of two alike both are there', [first, second], [plain, { ...plain }], [], []],
    ['a second alike is new', [first], [plain, second], [], [second]],
  ]
  for (const [what, stored, derived, reverse, append] of table) {
    const changes = compareTransactions(stored, derived)
    assert.deepEqual(changes, { reverse, append }, what)
    for (const [index, one] of reverse.entries()) assert.equal(changes.reverse[index], one, what)
    for (const [index, one] of append.entries()) assert.equal(changes.append[index], one, what)
  }
})
