import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fillPlaceholders } from './fill-in.ts'

test('names are filled in, and what has no value stays', () => {
  assert.equal(fillPlaceholders('{a} of {b}, {a}', { a: '1' }), '1 of {b}, 1')
})
