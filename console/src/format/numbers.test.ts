import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as fc from 'fast-check'
import { readNumber, writeNumber } from './numbers.ts'

const cultures = ['sv-SE', 'nb-NO', 'da-DK', 'fi-FI', 'de-DE', 'de-CH', 'en-GB', 'en-US']

for (const [text, culture, number] of [
  ['1 234,50', 'sv-SE', 1234.5],
  ['1\u00a0234,5', 'nb-NO', 1234.5],
  ['1.234,50', 'de-DE', 1234.5],
  ['1.234', 'de-DE', 1234],
  ['1.5', 'de-DE', 1.5],
  ['1,234.50', 'en-GB', 1234.5],
  ['1234.50', 'sv-SE', 1234.5],
  ["1'234.50", 'de-CH', 1234.5],
  ['−12,5', 'sv-SE', -12.5],
  ['12,5', 'en-GB', undefined],
  ['1,2,3', 'sv-SE', undefined],
  ['12 kr', 'sv-SE', undefined],
  ['', 'sv-SE', undefined],
  ['1e3', 'sv-SE', undefined],
] as const) {
  test(`${text} in ${culture} is ${number}`, () => assert.equal(readNumber(text, culture), number))
}

test('a number reads back as it was written, in every culture', () => {
  fc.assert(
    fc.property(fc.integer({ min: -1e12, max: 1e12 }), fc.constantFrom(...cultures), (cents, culture) => {
      assert.equal(readNumber(writeNumber(cents / 100, culture), culture), cents / 100)
    }),
  )
})
