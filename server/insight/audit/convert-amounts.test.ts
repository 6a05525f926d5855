import assert from 'node:assert/strict'
import { test } from 'node:test'
import { convertAmounts } from './convert-amounts.ts'

test('amounts are converted exactly to units of the currency under their API names, and nothing else changes', () => {
  const changes = {
    minorAmount: [null, 10_050],
    minorAmountInAll: [1, 999_999_999_999_999],
    numberOfPayments: [10, 12],
    minority: [null, 5],
    status: ['NEW', null],
    payments: [
      [],
      [
        { paymentNo: 2, minorAmount: 50_000 },
        { paymentNo: 3, minorAmount: null },
      ],
    ],
  } satisfies Parameters<typeof convertAmounts>[0]
  assert.deepEqual(convertAmounts(changes, 'SEK'), {
    amount: [null, 100.5],
    amountInAll: [0.01, 9_999_999_999_999.99],
    numberOfPayments: [10, 12],
    minority: [null, 5],
    status: ['NEW', null],
    payments: [
      [],
      [
        { paymentNo: 2, amount: 500 },
        { paymentNo: 3, amount: null },
      ],
    ],
  })
})

test('a currency without minor units keeps its figures, and a record without a currency has no amounts', () => {
  assert.deepEqual(convertAmounts({ minorFee: [0, 7] }, 'JPY'), { fee: [0, 7] })
  assert.deepEqual(convertAmounts({ minorFee: [0, 7] }, null), { minorFee: [0, 7] })
})
