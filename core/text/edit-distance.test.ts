import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as fc from 'fast-check'
import { editDistance } from './edit-distance.ts'

const known: [a: string, b: string, distance: number][] = [
  ['', '', 0],
  ['', 'abc', 3],
  ['andersson', 'andersson', 0],
  ['anderssn', 'andersson', 1],
  ['anderson', 'andersson', 1],
  ['lasr', 'lars', 1],
  ['mxria', 'maria', 1],
  ['andersdon', 'andersson', 1],
  ['kitten', 'sitting', 3],
  ['ca', 'abc', 3],
]
for (const [a, b, distance] of known) {
  test(`from ${a} to ${b} it is ${distance}`, () => assert.equal(editDistance(a, b), distance))
}

test('it is the same both ways, nought for the same word alone, and no longer than the longer word', () => {
  const word = fc.string({ unit: fc.constantFrom(...'abcå'), maxLength: 8 })
  fc.assert(
    fc.property(word, word, (a, b) => {
      const distance = editDistance(a, b)
      assert.equal(distance, editDistance(b, a))
      assert.equal(distance === 0, a === b)
      assert.ok(distance <= Math.max(a.length, b.length) && distance >= Math.abs(a.length - b.length))
    }),
  )
})

test('one error anywhere is one', () => {
  const letters = fc.string({ unit: fc.constantFrom(...'abcdef'), minLength: 2, maxLength: 12 })
  fc.assert(
    fc.property(letters, fc.nat(), (word, at) => {
      const index = at % (word.length - 1)
      assert.equal(editDistance(word, word.slice(0, index) + word.slice(index + 1)), 1)
      assert.equal(editDistance(word, `${word.slice(0, index)}z${word.slice(index)}`), 1)
      const swapped = word.slice(0, index) + word[index + 1]! + word[index]! + word.slice(index + 2)
      assert.equal(editDistance(word, swapped), swapped === word ? 0 : 1)
    }),
  )
})
