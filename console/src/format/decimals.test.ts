import assert from 'node:assert/strict'
import { test } from 'node:test'
import { data as currencies } from 'currency-codes'
import * as rules from '../../../core/money/money.ts'
import { countDecimals, decimalOptions, hasPartUnits } from './decimals.ts'

test('each currency has the decimals that the rules give it', () => {
  for (const { code } of currencies) assert.equal(countDecimals(code), rules.countDecimals(code), code)
  assert.deepEqual(
    ['JPY', 'HUF', 'SEK', 'KWD', 'CLF'].map((code) => countDecimals(code)),
    [0, 2, 2, 3, 4],
  )
})

const write = (amount: number, currency?: string) =>
  new Intl.NumberFormat('en', decimalOptions(currency)).format(amount)

test('an amount is written with them', () => {
  assert.equal(write(1234, 'JPY'), '1,234')
  assert.equal(write(1.5, 'KWD'), '1.500')
  assert.equal(write(1.5), '1.50')
})

test('an amount with more decimals than its currency has part units', () => {
  assert.equal(hasPartUnits(0.1 + 0.2, 'SEK'), true)
  assert.equal(hasPartUnits(10.1, 'SEK'), false)
  assert.equal(hasPartUnits(10.1, 'JPY'), true)
  assert.equal(hasPartUnits(0.001, 'KWD'), false)
  assert.equal(hasPartUnits(9_999_999_999_999.99, 'SEK'), false)
})
