/** The checker of histories finds what it is there to find, and nothing in what is allowed. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { checkHistory, countFallingBack, type Read, type Write } from './check-history.ts'

const write = (caller: string, element: string, began: number, ended?: number): Write => ({
  kind: 'write',
  caller,
  element,
  began,
  ended,
})
const read = (caller: string, elements: string, began: number, staleSeconds = 3600): Read => ({
  kind: 'read',
  caller,
  elements: elements.split(' ').filter(Boolean),
  began,
  ended: began + 10,
  staleSeconds,
})
const [a, b] = [write('x', 'a', 0, 10), write('y', 'b', 20, 30)]

test('an old answer of one moment is allowed to who allows it', () => {
  assert.deepEqual(checkHistory([a, b, read('z', '', 40), read('z', 'a', 40), read('z', 'a b', 40)]), [])
  // The outcome of a write is unknown, or it runs beside the read.
  assert.deepEqual(checkHistory([write('x', 'c', 0), write('x', 'd', 0, 45), read('x', '', 40, 0)]), [])
  assert.deepEqual(checkHistory([write('x', 'c', 0), read('x', 'c', 40, 0)]), [])
})

const wrong: [about: string, acts: (Write | Read)[], fault: RegExp][] = [
  ['the own write is missing', [a, b, read('y', 'a', 40)], /lacks b, the caller's own write/],
  [
    'an older write is missing',
    [a, b, read('z', 'b', 40)],
    /has b and lacks a, which was acknowledged before/,
  ],
  ['the primary lacks a write', [a, b, read('z', 'a', 40, 0)], /lacks b, .* it is too old/],
  ['it is older than allowed', [a, b, read('z', 'a', 1031, 1)], /lacks b, .* it is too old/],
  ['nobody wrote it', [a, read('z', 'a q', 40)], /has q, which nobody wrote/],
  [
    'it is read before it is written',
    [write('x', 'c', 90, 95), read('z', 'c', 40)],
    /has c before it was written/,
  ],
  ['it is there twice', [a, read('z', 'a a', 40)], /twice/],
  [
    'the primary goes back',
    [write('x', 'c', 0), read('z', 'c', 40, 0), read('y', '', 60, 0)],
    /lacks what z had read before/,
  ],
]
for (const [about, acts, fault] of wrong)
  test(`it is found when ${about}`, () => {
    const faults = checkHistory(acts)
    assert.equal(faults.length, 1, faults.join(' '))
    assert.match(faults[0]!, fault)
  })

test('falling back is counted and no fault', () => {
  const acts = [a, b, read('z', 'a b', 40), read('z', 'a', 60), read('y', 'a b', 80)]
  assert.deepEqual(checkHistory(acts), [])
  assert.equal(countFallingBack(acts), 1)
})
