/// <reference types="node" />
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isDate } from '../calendar/calendar.ts'
import { isCurrency } from '../identity/codes.ts'
import { formatMinor } from '../money/money.ts'
import {
  feeDebtors,
  feeTypes,
  scaleFee,
  smallClaimFee,
  shippedFees,
  statutoryFees,
  type FeeQuestion,
} from './statutory-fees.ts'

const asked = (question: Partial<FeeQuestion>, type: string): string =>
  statutoryFees({ country: 'SE', debtor: 'consumer', date: '2026-08-01', principal: 100_000n, ...question })
    .filter((fee) => fee.type === type)
    .map(({ amount, second, currency, stage }) =>
      [
        stage,
        amount === null ? 'unknown' : formatMinor(amount, currency),
        second === null ? null : formatMinor(second, currency),
      ]
        .filter((part) => part !== null && part !== undefined)
        .join(' '),
    )
    .join(', ')

test('what may be charged', () => {
  const table: [Partial<FeeQuestion>, string, string][] = [
    [{}, 'reminder', '60.00'],
    [{}, 'collectionDemand', '180.00'],
    [{}, 'paymentPlan', '170.00'],
    [{}, 'compensation', ''],
    [{ debtor: 'business' }, 'compensation', '450.00'],
    [{ date: '2013-03-15' }, 'collectionDemand', '160.00'],
    [{ date: '2013-03-16' }, 'collectionDemand', '180.00'],
    [{ country: 'NO' }, 'reminder', '38.00'],
    [{ country: 'NO', date: '2025-06-01' }, 'reminder', '35.00'],
    [{ country: 'NO' }, 'collectionFee', 'light 262.50, heavy 525.00'],
    [{ country: 'NO', principal: 100_001n }, 'collectionFee', 'light 300.00, heavy 600.00'],
    [{ country: 'NO', creditorDeductsVat: false }, 'collectionFee', 'light 328.13, heavy 656.25'],
    [
      { country: 'NO', principal: 30_000_000n, debtor: 'business' },
      'collectionFee',
      'light 8100.00, heavy 16200.00',
    ],
    [{ country: 'NO', debtor: 'business' }, 'compensation', '430.00'],
    [{ country: 'NO', debtor: 'business', date: '2024-12-31' }, 'compensation', '460.00'],
    [{ country: 'FI', principal: 10_000n }, 'collectionDemand', '14.00 7.00'],
    [{ country: 'FI', principal: 10_001n }, 'collectionDemand', '24.00 12.00'],
    [{ country: 'FI', principal: 10_001n, debtor: 'business' }, 'collectionDemand', '50.00 25.00'],
    [{ country: 'FI' }, 'totalCap', '120.00'],
    [{ country: 'DK' }, 'reminder', '100.00'],
    [{ country: 'DK' }, 'externalCollection', '400.00'],
    [{ country: 'DE', debtor: 'business' }, 'compensation', '40.00'],
    [{ country: 'FR' }, 'reminder', ''],
  ]
  for (const [question, type, fees] of table)
    assert.equal(
      asked(question, type),
      fees,
      `${JSON.stringify({ ...question, principal: String(question.principal) })} ${type}`,
    )
})

test('the German scale', () => {
  const table: [bigint, string][] = [
    [50_000n, '51.50'],
    [50_001n, '93.00'],
    [100_000n, '93.00'],
    [200_000n, '176.00'],
    [500_000n, '354.50'],
    [1_000_000n, '652.00'],
    [2_500_000n, '927.00'],
    [5_000_000n, '1357.00'],
    [20_000_000n, '2352.00'],
    [50_000_000n, '3752.00'],
    [50_000_001n, '3927.00'],
    [60_000_000n, '4102.00'],
  ]
  for (const [value, fee] of table)
    assert.equal(formatMinor(scaleFee(value, '2025-06-01'), 'EUR'), fee, String(value))
})

// RVG Anlage 2 in the text before 1 June 2025 (BGBl. 2025 I Nr. 109): buzer.de/gesetz/6775/al211830-0.htm
test('the German scale of before 1 June 2025', () => {
  const table: [bigint, string][] = [
    [50_000n, '49.00'],
    [100_000n, '88.00'],
    [150_000n, '127.00'],
    [200_000n, '166.00'],
    [300_000n, '222.00'],
    [1_000_000n, '614.00'],
    [1_300_000n, '666.00'],
    [2_500_000n, '874.00'],
    [3_000_000n, '955.00'],
    [5_000_000n, '1279.00'],
    [6_500_000n, '1373.00'],
    [20_000_000n, '2219.00'],
    [23_000_000n, '2351.00'],
    [50_000_000n, '3539.00'],
  ]
  for (const [value, fee] of table)
    assert.equal(formatMinor(scaleFee(value, '2025-05-31'), 'EUR'), fee, String(value))
  assert.deepEqual(
    [
      smallClaimFee(5_000n, '2025-05-31'),
      smallClaimFee(5_000n, '2025-06-01'),
      smallClaimFee(5_001n, '2025-06-01'),
    ],
    [3_000n, 3_150n, null],
  )
})

test('types of fees, and whom they may be charged', () => {
  assert.deepEqual(feeDebtors, ['consumer', 'business', 'all'])
  for (const { type } of shippedFees) assert.ok(feeTypes.includes(type), type)
  assert.ok(feeTypes.includes('courtCost'))
  assert.ok(feeTypes.includes('reminder') && feeTypes.includes('lawyerScale'))
  // A scale is no fee of its own.
  assert.equal(asked({ country: 'DE' }, 'lawyerScale'), '')
  assert.equal(asked({ country: 'DE', principal: 5000n }, 'smallClaimBase'), '31.50')
  assert.equal(asked({ country: 'DE', principal: 5001n }, 'smallClaimBase'), '')
})

test('every row is whole', () => {
  for (const fee of shippedFees) {
    assert.ok(isCurrency(fee.currency) && fee.source.length > 3, JSON.stringify(fee))
    for (const day of [fee.from, fee.to]) assert.ok(day === null || isDate(day))
    assert.ok(fee.amount !== null || fee.unverified, JSON.stringify(fee))
  }
  assert.ok(shippedFees.some(({ unverified }) => unverified))
})
