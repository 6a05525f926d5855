/// <reference types="node" />
import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as fc from 'fast-check'
import { dateOf, dayNumberOf } from './calendar.ts'
import { civilOf, dayNumberOfCivil, writeCivil, yearLength } from './civil-day.ts'

test('days as numbers are those of the calendar', () => {
  fc.assert(
    fc.property(fc.integer({ min: -719162, max: 2932896 }), (day) => {
      const civil = civilOf(day)
      assert.equal(writeCivil(civil), dateOf(day))
      assert.equal(dayNumberOfCivil(civil.year, civil.month, civil.day), dayNumberOf(dateOf(day)))
    }),
  )
})

test('years of the Gregorian calendar', () => {
  assert.deepEqual([1900, 2000, 2024, 2026].map(yearLength), [365, 366, 366, 365])
  assert.throws(() => writeCivil({ year: 10000, month: 1, day: 1 }), RangeError)
})
