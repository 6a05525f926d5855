import assert from 'node:assert/strict'
import { test } from 'node:test'
import { assignArm, hashToUnit } from './assignment.ts'

const guid = (at: number) => `0199f3a0-0000-7000-8000-${at.toString(16).padStart(12, '0')}`
const trial = '0199f3a0-1111-7000-8000-0000000000aa'
const other = '0199f3a0-1111-7000-8000-0000000000ab'
const cases = Array.from({ length: 20_000 }, (_, at) => guid(at))

test('an assignment is the same in every release', () => {
  assert.deepEqual(
    cases.slice(0, 12).map((one) => assignArm(trial, one, [50, 30, 20])),
    [2, 0, 0, 2, 1, 2, 0, 0, 1, 1, 0, 1],
  )
})

test('cases fall to the arms by share, also when their GUIDs follow each other', () => {
  const counts = [0, 0, 0]
  for (const one of cases) counts[assignArm(trial, one, [50, 30, 20])]! += 1
  const expected = [10_000, 6000, 4000]
  const chiSquare = counts.reduce(
    (sum, count, arm) => sum + (count - expected[arm]!) ** 2 / expected[arm]!,
    0,
  )
  // The 99.9% quantile for two degrees of freedom.
  assert.ok(chiSquare < 13.8, `${counts}`)
})

test('two trials assign independently of each other', () => {
  const both = cases.filter(
    (one) => assignArm(trial, one, [50, 50]) === 1 && assignArm(other, one, [50, 50]) === 1,
  )
  assert.ok(Math.abs(both.length - 5000) < 4 * Math.sqrt(20_000 * 0.25 * 0.75), `${both.length}`)
})

test('every number is from 0 up to 1', () => {
  assert.ok(cases.map(hashToUnit).every((unit) => unit >= 0 && unit < 1))
})

test('shares that are not whole, not positive or not 100 in all are refused', () => {
  for (const shares of [[50, 49], [100, 0], [50.5, 49.5], [110, -10], []])
    assert.throws(() => assignArm(trial, guid(1), shares), RangeError)
})
