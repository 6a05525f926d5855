/// <reference types="node" />
import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as fc from 'fast-check'
import { makeDebtorReference, isLuhn, luhnDigit } from './check-digit.ts'

test('published samples', () => {
  assert.equal(luhnDigit('1234567890'), 3)
  assert.equal(luhnDigit('123456780'), 6)
  assert.equal(luhnDigit('123456789'), 7)
  assert.equal(luhnDigit('00000000001234'), 4)
  assert.equal(makeDebtorReference(1), '18')
  assert.ok(isLuhn('12345678903'))
})

test('a changed digit and two swapped neighbours are found, 0 and 9 excepted', () => {
  const digits = fc.stringMatching(/^\d{1,18}$/)
  fc.assert(
    fc.property(digits, fc.nat(), fc.integer({ min: 1, max: 9 }), (text, position, by) => {
      const number = text + luhnDigit(text)
      const at = position % number.length
      assert.ok(isLuhn(number))
      assert.equal(
        isLuhn(number.slice(0, at) + ((Number(number[at]) + by) % 10) + number.slice(at + 1)),
        false,
      )
      const [a, b] = [number[at], number[at + 1]]
      if (!a || !b || a === b || a + b === '09' || a + b === '90') return
      assert.equal(isLuhn(number.slice(0, at) + b + a + number.slice(at + 2)), false)
    }),
  )
})

test('anything but digits is no Luhn number', () => {
  for (const text of ['', '0', '1a', '٣٣', ' 18', '1.8']) assert.equal(isLuhn(text), false)
  for (const text of ['', 'a', '1 2']) assert.throws(() => luhnDigit(text), RangeError)
  for (const n of [0, -1, 1.5, NaN, 2 ** 53]) assert.throws(() => makeDebtorReference(n), RangeError)
})
