import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as fc from 'fast-check'
import { computeMedian, mergeCpu, mergeFigures, computePercentile, computeMedianRatio } from './statistics.ts'

test('the median is the middle value, or the mean of the two middle ones', () => {
  assert.equal(computeMedian([3, 1, 2]), 2)
  assert.equal(computeMedian([10, 9, 1, 2]), 5.5)
  assert.ok(Number.isNaN(computeMedian([])))
})

test('a percentile is a value of the list by nearest rank', () => {
  const hundred = Array.from({ length: 100 }, (_, index) => index + 1)
  assert.equal(computePercentile(hundred, 50), 50)
  assert.equal(computePercentile(hundred, 99), 99)
  assert.equal(computePercentile([7], 99), 7)
  assert.equal(computePercentile([7, 9], 0), 7)
})

test('no more than the rest of the values exceed a percentile', () => {
  fc.assert(
    fc.property(fc.array(fc.nat(), { minLength: 1 }), fc.integer({ min: 1, max: 100 }), (values, percent) => {
      const sorted = values.toSorted((a, b) => a - b)
      const found = computePercentile(sorted, percent)
      assert.ok(sorted.filter((value) => value <= found).length >= (percent / 100) * sorted.length)
      assert.ok(sorted.filter((value) => value < found).length < (percent / 100) * sorted.length)
    }),
  )
})

test('rounds merge to medians, their errors to a sum', () => {
  const rounds = [
    { rate: 100, p50: 1, p99: 9, errors: 1 },
    { rate: 300, p50: 3, p99: 3, errors: 0 },
    { rate: 200, p50: 2, p99: 6, errors: 2 },
  ]
  assert.deepEqual(mergeFigures(rounds), { rate: 200, p50: 2, p99: 6, errors: 3 })
})

test('processor time that one round could not read is unknown for all', () => {
  const rounds = [
    { server: 1, database: 2 },
    { server: 3, database: null },
  ]
  assert.deepEqual(mergeCpu(rounds), { server: 2, database: null })
})

test('a ratio compares neighbours in time', () => {
  assert.equal(computeMedianRatio([80, 8, 40], [100, 10, 100]), 0.8)
  assert.equal(computeMedianRatio([80], []), null)
})
