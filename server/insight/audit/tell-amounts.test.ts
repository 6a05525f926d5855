import assert from 'node:assert/strict'
import { test } from 'node:test'
import { tellAmounts } from './tell-amounts.ts'

test('amounts are told in the main unit, exactly, by their names elsewhere; nothing else is touched', () => {
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
  } satisfies Parameters<typeof tellAmounts>[0]
  assert.deepEqual(tellAmounts(changes, 'SEK'), {
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

test('in a currency without minor units they are what they were; without a currency nothing is an amount', () => {
  assert.deepEqual(tellAmounts({ minorFee: [0, 7] }, 'JPY'), { fee: [0, 7] })
  assert.deepEqual(tellAmounts({ minorFee: [0, 7] }, null), { minorFee: [0, 7] })
})
