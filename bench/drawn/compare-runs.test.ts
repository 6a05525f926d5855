import assert from 'node:assert/strict'
import { test } from 'node:test'
import { findMoves } from './compare-runs.ts'

const one = (name: string, ...values: number[]) => ({ name, values })

test('a figure whose rounds overlap those of the run before has not moved', () => {
  assert.deepEqual(findMoves([one('rate', 90, 100, 110)], [one('rate', 108, 130, 150)]), [])
})

test('a figure apart by less than its own spread has not moved', () => {
  assert.deepEqual(findMoves([one('rate', 90, 100, 110)], [one('rate', 111, 115, 119)]), [])
})

test('a figure apart by more than the spread of both runs has moved', () => {
  assert.deepEqual(findMoves([one('rate', 90, 100, 110)], [one('rate', 140, 150, 155)]), [
    { name: 'rate', before: 100, now: 150 },
  ])
  assert.deepEqual(findMoves([one('blocks', 400)], [one('blocks', 40)]), [
    { name: 'blocks', before: 400, now: 40 },
  ])
})

test('a figure of one run only is left out', () => {
  assert.deepEqual(findMoves([one('rate', 1)], [one('other', 9)]), [])
})
