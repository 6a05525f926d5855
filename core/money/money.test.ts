/// <reference types="node" />
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import * as fc from 'fast-check'
import {
  countDecimals,
  divideHalfUp,
  formatMinor,
  fromMinor,
  findLargestMinor,
  readAmount,
  splitByWeight,
  toMinor,
} from './money.ts'

const currencies = fc.constantFrom('SEK', 'EUR', 'JPY', 'ISK', 'KWD', 'CLF')

describe('amounts on the wire', () => {
  test('exact in minor units', () => {
    const table: [number, string, bigint, string][] = [
      [10.1, 'SEK', 1010n, '10.10'],
      [1.005, 'KWD', 1005n, '1.005'],
      [0.07, 'EUR', 7n, '0.07'],
      [1234567, 'JPY', 1234567n, '1234567'],
      [-0.5, 'NOK', -50n, '-0.50'],
      [1e13, 'SEK', 10n ** 15n, '10000000000000.00'],
      [9999999999999.99, 'SEK', 999999999999999n, '9999999999999.99'],
      [1e13, 'JPY', 10n ** 13n, '10000000000000'],
      [1e12, 'KWD', 10n ** 15n, '1000000000000.000'],
      [0.0001, 'CLF', 1n, '0.0001'],
      [-0, 'SEK', 0n, '0.00'],
    ]
    for (const [amount, currency, minor, text] of table) {
      assert.equal(toMinor(amount, currency), minor, `${amount} ${currency}`)
      assert.equal(formatMinor(minor, currency), text)
      assert.equal(fromMinor(minor, currency), amount === 0 ? 0 : amount)
    }
  })

  test('refused with what would be right', () => {
    const table: [number, string, RegExp][] = [
      [0.1 + 0.2, 'SEK', /in SEK has at most 2 decimals/],
      [1.005, 'SEK', /at most 2 decimals/],
      [1.5, 'JPY', /in JPY is a whole number/],
      [1e-7, 'KWD', /at most 3 decimals/],
      [1e13 + 0.01, 'SEK', /in SEK is at most 10000000000000\.00/],
      [1e21, 'SEK', /at most 10000000000000\.00/],
      [1e300, 'JPY', /at most 10000000000000/],
      [1e13, 'KWD', /at most 1000000000000\.000/],
      [Number.NaN, 'SEK', /finite number/],
      [Number.POSITIVE_INFINITY, 'SEK', /finite number/],
    ]
    for (const [amount, currency, message] of table) {
      const result = readAmount(amount, currency)
      assert.ok(!result.ok, `${amount} ${currency}`)
      assert.match(result.message, message)
      assert.throws(() => toMinor(amount, currency), { name: 'RangeError', message })
    }
    assert.throws(() => countDecimals('ABC'), /ISO 4217/)
  })

  test('the largest amount is 10^13 in the currency, or 15 digits if that is less', () => {
    const table: [string, bigint][] = [
      ['JPY', 10_000_000_000_000n],
      ['SEK', 1_000_000_000_000_000n],
      ['KWD', 1_000_000_000_000_000n],
      ['CLF', 1_000_000_000_000_000n],
    ]
    for (const [currency, minor] of table) {
      const largest = fromMinor(minor, currency)
      assert.equal(findLargestMinor(currency), minor, currency)
      assert.equal(toMinor(largest, currency), minor)
      assert.equal(readAmount(largest * 1.1, currency).ok, false)
    }
  })

  test('every amount comes back from the wire as it went', () => {
    fc.assert(
      fc.property(currencies, fc.bigInt(-(10n ** 15n), 10n ** 15n), (currency, minor) => {
        const most = findLargestMinor(currency)
        fc.pre(minor <= most && minor >= -most)
        const wire = JSON.stringify(fromMinor(minor, currency))
        assert.equal(toMinor(JSON.parse(wire) as number, currency), minor)
      }),
      { numRuns: 2000 },
    )
  })
})

describe('rounding and splitting', () => {
  test('half up, and away from zero below it', () => {
    const table: [bigint, bigint, bigint][] = [
      [5n, 10n, 1n],
      [4n, 10n, 0n],
      [15n, 10n, 2n],
      [-5n, 10n, -1n],
      [-4n, 10n, 0n],
      [1n, 3n, 0n],
      [2n, 3n, 1n],
      [0n, 7n, 0n],
      [7n, 1n, 7n],
      [1n, 2n, 1n],
      [-1n, 2n, -1n],
    ]
    for (const [numerator, denominator, rounded] of table)
      assert.equal(divideHalfUp(numerator, denominator), rounded, `${numerator}/${denominator}`)
    assert.throws(() => divideHalfUp(1n, 0n), /above zero/)
  })

  test('by largest remainder, the first of equals first', () => {
    const table: [bigint, bigint[], bigint[]][] = [
      [100n, [1n, 1n, 1n], [34n, 33n, 33n]],
      [5n, [50n, 30n, 20n], [3n, 1n, 1n]],
      [0n, [0n, 0n], [0n, 0n]],
      [7n, [0n, 1n], [0n, 7n]],
      // 4.28, 4.28 and 1.43: the last has the largest remainder.
      [10n, [3n, 3n, 1n], [4n, 4n, 2n]],
      [1n, [1n, 2n], [0n, 1n]],
    ]
    for (const [total, weights, shares] of table) assert.deepEqual(splitByWeight(total, weights), shares)
    assert.throws(() => splitByWeight(1n, [0n]), /at least one weight/)
    assert.throws(() => splitByWeight(-1n, [1n]), /zero or more/)
    assert.throws(() => splitByWeight(1n, [-1n, 3n]), /zero or more/)
  })

  test('shares sum to the total and are within one unit of their exact part', () => {
    const weights = fc.array(fc.bigInt(0n, 10n ** 12n), { minLength: 1, maxLength: 12 })
    fc.assert(
      fc.property(fc.bigInt(0n, 10n ** 15n), weights, (total, parts) => {
        const sum = parts.reduce((a, b) => a + b, 0n)
        fc.pre(sum > 0n)
        const shares = splitByWeight(total, parts)
        assert.equal(
          shares.reduce((a, b) => a + b, 0n),
          total,
        )
        shares.forEach((share, index) => {
          const off = share * sum - total * parts[index]!
          assert.ok(off > -sum && off < sum)
        })
      }),
    )
  })
})
