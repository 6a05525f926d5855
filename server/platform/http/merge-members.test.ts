import assert from 'node:assert/strict'
import { test } from 'node:test'
import { mergeMembers } from './merge-members.ts'

const before = { day: '2026-05-04T00:00:00Z', text: 'kept' }

test('a day is the same record however it is written', () => {
  for (const day of ['2026-05-04', '2026-05-04T00:00:00Z', ' 2026-05-04T22:15:00+02:00 '])
    assert.deepEqual(mergeMembers(before, { day }, { days: ['day'] }), before)
})

test('null leaves a day as it was, and the empty text clears it', () => {
  assert.deepEqual(mergeMembers(before, { day: null }, { days: ['day'] }), before)
  assert.deepEqual(mergeMembers(before, { day: '' }, { days: ['day'] }), { day: null, text: 'kept' })
})
