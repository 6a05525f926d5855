import assert from 'node:assert/strict'
import { test } from 'node:test'
import { addUp, listSums } from './add-up.ts'

const row = (amount: number | null, currencyCode: string | null) => ({ amount, currencyCode })

test('amounts are added up exactly, each currency by itself', () => {
  const rows = [row(0.1, 'SEK'), row(5, 'JPY'), row(0.2, 'SEK'), row(null, 'SEK'), row(1.005, 'KWD')]
  assert.deepEqual(addUp(rows), [row(5, 'JPY'), row(1.005, 'KWD'), row(0.3, 'SEK')])
  assert.deepEqual(addUp([row(0.1, null), row(0.2, null)]), [row(0.3, null)])
  assert.deepEqual(addUp([]), [])
})

test('thousands of amounts leave no rounding behind', () => {
  const rows = Array.from({ length: 10_000 }, () => row(1_000_000.01, 'EUR'))
  assert.deepEqual(addUp(rows), [row(10_000_000_100, 'EUR')])
})

test('of the sums of a list those of one amount are taken', () => {
  const sums = [
    { currencyCode: 'NOK', count: 2, amounts: { paidSum: 0, remainingSum: 12.5 } },
    { currencyCode: 'SEK', count: 1, amounts: { paidSum: 7 } as Record<string, number> },
  ]
  assert.deepEqual(listSums(sums, 'remainingSum'), [row(12.5, 'NOK')])
  assert.deepEqual(listSums(null, 'remainingSum'), [])
})
