import assert from 'node:assert/strict'
import { test } from 'node:test'
import { compareLines } from './line-changes.ts'

const show = (before: string, after: string) =>
  compareLines(before, after).map(
    ({ state, text }) => ({ same: ' ', removed: '-', added: '+' })[state] + text,
  )

test('lines that stay, go and come are told apart', () => {
  assert.deepEqual(show('a\nb\nc\n', 'a\nx\nc\nd\n'), [' a', '-b', '+x', ' c', '+d'])
  assert.deepEqual(show('a\n', 'a\n'), [' a'])
  assert.deepEqual(show('', 'a\n\nb'), ['+a', '+', '+b'])
  assert.deepEqual(show('a\nb', ''), ['-a', '-b'])
  assert.deepEqual(show('a\nb\na', 'b\na\nb'), ['-a', ' b', ' a', '+b'])
})
