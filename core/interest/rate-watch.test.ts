import assert from 'node:assert/strict'
import { test } from 'node:test'
import { buildRateTable } from './reference-rates.ts'
import { findMissingRates, nextRateChange } from './rate-watch.ts'

const table = buildRateTable([
  { series: 'NO', from: '2026-07-01', rate: '12.25' },
  { series: 'SE', from: '2026-07-01', rate: '2' },
  { series: 'SE', from: '2027-01-01', rate: '2' },
  { series: 'XX', from: '2020-01-01', rate: '1' },
])

test('a rate is due on the days that the law names', () => {
  assert.equal(nextRateChange('NO', '2026-07-01'), '2027-01-01')
  assert.equal(nextRateChange('NO', '2027-01-01'), '2027-07-01')
  assert.equal(nextRateChange('SE', '2026-12-31'), '2027-01-01')
  assert.equal(nextRateChange('XX', '2026-12-31'), null)
})

test('a missing rate is told of from a month before, until it is there', () => {
  const missing = [{ series: 'NO', from: '2027-01-01' }]
  for (const [today, expected] of [
    ['2026-11-30', []],
    ['2026-12-01', missing],
    ['2026-12-31', missing],
    ['2027-01-01', missing],
    ['2027-05-30', missing],
    ['2027-06-15', [...missing, { series: 'SE', from: '2027-07-01' }]],
  ] as const)
    assert.deepEqual(findMissingRates(table, today, new Set()), expected, today)
})

test('a monthly rate is told of from the day by which the law lets it be published, to those who follow it', () => {
  const monthly = buildRateTable([{ series: 'IS', from: '2026-09-01', rate: '8.75' }])
  const missing = [{ series: 'IS', from: '2026-10-01' }]
  for (const [today, expected] of [
    ['2026-09-23', []],
    ['2026-09-24', missing],
    ['2026-11-28', missing],
  ] as const) {
    assert.deepEqual(findMissingRates(monthly, today, new Set(['IS'])), expected, today)
    assert.deepEqual(findMissingRates(monthly, today, new Set(['SE'])), [], today)
  }
})
