import assert from 'node:assert/strict'
import { test } from 'node:test'
import { keptUntil } from './retention.ts'

test('records are kept for whole years after the year in which a case was closed', () => {
  const table: [string, string, string][] = [
    ['2026-01-01', 'SE', '2033-12-31'],
    ['2026-12-31', 'NO', '2031-12-31'],
    ['2026-03-01', 'DK', '2031-12-31'],
    ['2026-06-15', 'FI', '2036-12-31'],
    ['2026-06-15', 'DE', '2036-12-31'],
    ['2026-06-15', 'IS', '2033-12-31'],
  ]
  for (const [closed, country, until] of table) assert.equal(keptUntil(closed, country), until, country)
})

test('where the country is not known, or has no rule here, the longest time holds', () => {
  assert.equal(keptUntil('2026-06-15', null), '2036-12-31')
  assert.equal(keptUntil('2026-06-15', 'US'), '2036-12-31')
})
