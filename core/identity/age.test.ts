/// <reference types="node" />
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isUnderAged } from './age.ts'

test('one is of age from the eighteenth birthday', () => {
  const table: [string, string, boolean][] = [
    ['2008-11-22', '2026-11-21', true],
    ['2008-11-21', '2026-11-21', false],
    ['2008-11-20', '2026-11-21', false],
    ['2026-11-21', '2026-11-21', true],
    ['2008-02-29', '2026-02-28', true],
    ['2008-02-29', '2026-03-01', false],
    ['1926-01-01', '2026-11-21', false],
  ]
  for (const [born, today, expected] of table)
    assert.equal(isUnderAged(born, today), expected, `${born} ${today}`)
})

test('a date-time is read by its day', () => {
  assert.equal(isUnderAged('2008-11-21T00:00:00Z', '2026-11-21'), false)
  assert.equal(isUnderAged('2008-11-22T00:00:00Z', '2026-11-21'), true)
})
