import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Turns } from './turns.ts'

test('no more turns are given at once than there are', () => {
  const turns = new Turns(2)
  assert.deepEqual(
    ['a', 'b', 'c'].map((id) => turns.take(id, 0)),
    [true, true, false],
  )
  turns.end()
  assert.equal(turns.take('c', 1), true)
})

test('who comes back at once does not pass who was turned away before', () => {
  const turns = new Turns(1)
  assert.equal(turns.take('busy', 0), true)
  assert.equal(turns.take('first', 1), false)
  assert.equal(turns.take('second', 2), false)
  turns.end()
  assert.equal(turns.take('busy', 3), false)
  assert.equal(turns.take('second', 4), false)
  assert.equal(turns.take('first', 5), true)
  turns.end()
  assert.equal(turns.take('busy', 6), false)
  assert.equal(turns.take('second', 7), true)
  turns.end()
  assert.equal(turns.take('busy', 8), true)
})

test('who does not ask again keeps nobody waiting', () => {
  const turns = new Turns(1)
  assert.equal(turns.take('busy', 0), true)
  assert.equal(turns.take('gone', 0), false)
  turns.end()
  assert.equal(turns.take('busy', 10_000), false)
  assert.equal(turns.take('busy', 10_001), true)
})
