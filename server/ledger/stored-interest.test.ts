/** Kept interest is read back, and rounds in the database as in core. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as fc from 'fast-check'
import { interestDenominator } from '../../core/interest/interest.ts'
import { divideHalfUp } from '../../core/money/money.ts'
import { keepNumerator, keptDenominator, readNumerator } from './stored-interest.ts'

const scale = 10n ** 20n
const toScaled = (kept: string) => {
  const [whole, fraction = ''] = kept.split('.') as [string, string?]
  return BigInt(whole + fraction.padEnd(20, '0'))
}
const toKept = (scaled: bigint) => `${scaled / scale}.${String(scaled % scale).padStart(20, '0')}`

/** What `accruedInterestSql` computes, in whole 10^-20ths. */
const roundAsStored = (scaled: bigint) =>
  (2n * scaled + keptDenominator * scale) / (2n * keptDenominator * scale)

const numerator = fc.bigInt({ min: 0n, max: 10n ** 30n })
const days = fc.integer({ min: 0, max: 4000 }).map(BigInt)

test('whole twelfths are kept as versions before kept them', () => {
  assert.equal(keptDenominator, 13_359_000_000_000n)
  assert.equal(keepNumerator(0n), '0')
  assert.equal(keepNumerator(12n * 987n), '987')
  assert.equal(keepNumerator(1n), '0.08333333333333333334')
})

test('a sum of kept values is read and rounded as the exact sum', () => {
  fc.assert(
    fc.property(numerator, numerator, days, (exact, perDay, n) => {
      const sum = toScaled(keepNumerator(exact)) + n * toScaled(keepNumerator(perDay))
      assert.equal(readNumerator(toKept(sum)), exact + n * perDay)
      assert.equal(roundAsStored(sum), divideHalfUp(exact + n * perDay, interestDenominator))
    }),
  )
})

test('sums of exactly half a minor unit, and of a twelfth below, round as they should', () => {
  const half = interestDenominator / 2n
  fc.assert(
    fc.property(
      fc.bigInt({ min: 1n, max: 10n ** 9n }),
      days,
      fc.bigInt({ min: 0n, max: 10n ** 9n }),
      (minor, n, perDay) => {
        for (const below of [0n, 1n]) {
          const exact = minor * interestDenominator + half - below + interestDenominator * 4000n
          const start = exact - n * perDay
          const sum = toScaled(keepNumerator(start)) + n * toScaled(keepNumerator(perDay))
          assert.equal(roundAsStored(sum), minor + 4000n + (below === 0n ? 1n : 0n))
        }
      },
    ),
  )
})
