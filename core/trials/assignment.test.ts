import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { assignArm, hashToUnit } from './assignment.ts'

const guid = (at: number) => `0199f3a0-0000-7000-8000-${at.toString(16).padStart(12, '0')}`
const seed = '0199f3a0-1111-7000-8000-0000000000aa'
const other = '0199f3a0-1111-7000-8000-0000000000ab'
const debtors = Array.from({ length: 20_000 }, (_, at) => guid(at))

test('an assignment is the same in every release', () => {
  assert.deepEqual(
    debtors.slice(0, 12).map((one) => assignArm(seed, one, [50, 30, 20])),
    [2, 0, 0, 2, 1, 2, 0, 0, 1, 1, 0, 1],
  )
})

test('debtors fall to the arms by share, also when their GUIDs follow each other', () => {
  const counts = [0, 0, 0]
  for (const one of debtors) counts[assignArm(seed, one, [50, 30, 20])]! += 1
  const expected = [10_000, 6000, 4000]
  const chiSquare = counts.reduce(
    (sum, count, arm) => sum + (count - expected[arm]!) ** 2 / expected[arm]!,
    0,
  )
  // The 99.9% quantile for two degrees of freedom.
  assert.ok(chiSquare < 13.8, `${counts}`)
})

test('two seeds assign independently of each other', () => {
  const both = debtors.filter(
    (one) => assignArm(seed, one, [50, 50]) === 1 && assignArm(other, one, [50, 50]) === 1,
  )
  assert.ok(Math.abs(both.length - 5000) < 4 * Math.sqrt(20_000 * 0.25 * 0.75), `${both.length}`)
})

test('every number is from 0 up to 1', () => {
  assert.ok(debtors.map(hashToUnit).every((unit) => unit >= 0 && unit < 1))
})

test('shares that are not whole, not positive or not 100 in all are refused', () => {
  for (const shares of [[50, 49], [100, 0], [50.5, 49.5], [110, -10], []])
    assert.throws(() => assignArm(seed, guid(1), shares), RangeError)
})

test('in any trial the shares of 10,000 random debtors are within binomial bounds, and a debtor keeps the arm', () => {
  for (const shares of [
    [50, 50],
    [90, 10],
    [40, 30, 20, 10],
    [97, 1, 1, 1],
  ]) {
    const drawnSeed = randomUUID()
    const drawn = Array.from({ length: 10_000 }, () => randomUUID())
    const arms = drawn.map((debtor) => assignArm(drawnSeed, debtor, shares))
    assert.deepEqual(
      drawn.map((debtor) => assignArm(drawnSeed, debtor, shares)),
      arms,
    )
    for (const [arm, share] of shares.entries()) {
      const count = arms.filter((one) => one === arm).length
      // Beyond six standard deviations there is one draw in 500 million.
      const bound = 6 * Math.sqrt((10_000 * share * (100 - share)) / 10_000)
      assert.ok(Math.abs(count - 100 * share) <= bound, `${drawnSeed}: arm ${arm} has ${count}`)
    }
  }
})
