/// <reference types="node" />
import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as fc from 'fast-check'
import { fromDayNumber, toDayNumber, endOfMonth } from './calendar.ts'
import {
  dayNumberToCivil,
  civilToDayNumber,
  monthLength,
  writeCivil,
  writeDay,
  yearLength,
} from './civil-day.ts'

test('days as numbers are those of the calendar', () => {
  fc.assert(
    fc.property(fc.integer({ min: -719162, max: 2932896 }), (day) => {
      const civil = dayNumberToCivil(day)
      assert.equal(writeCivil(civil), fromDayNumber(day))
      assert.equal(civilToDayNumber(civil.year, civil.month, civil.day), toDayNumber(fromDayNumber(day)))
    }),
  )
})

test('the first and last days of every month, and those beside them', () => {
  const years = [1, 2, 4, 100, 400, 1582, 1899, 1900, 1969, 1970, 1972, 1999, 2000, 2001, 2026, 2100, 9998]
  for (const year of years) {
    for (let month = 1; month <= 12; month++) {
      const first = civilToDayNumber(year, month, 1)
      assert.deepEqual(dayNumberToCivil(first), { year, month, day: 1 })
      const length = Number(endOfMonth(fromDayNumber(first)).slice(8))
      assert.equal(monthLength(year, month), length, `${year}-${month}`)
      for (const day of [first, first + 1, first + length - 2, first + length - 1, first + length])
        assert.equal(writeCivil(dayNumberToCivil(day)), fromDayNumber(day))
    }
  }
})

test('the new year of every year', () => {
  for (let year = 2; year <= 9999; year++) {
    const newYear = civilToDayNumber(year, 1, 1)
    assert.deepEqual(dayNumberToCivil(newYear), { year, month: 1, day: 1 })
    assert.deepEqual(dayNumberToCivil(newYear - 1), { year: year - 1, month: 12, day: 31 })
  }
})

test('a day as text, asked for once and again', () => {
  const days = [
    '0001-01-01',
    '1969-12-31',
    '1970-01-01',
    '1970-01-02',
    '2026-02-28',
    '2099-12-31',
    '2100-01-01',
  ]
  for (const date of [...days, ...days, '9999-12-31']) assert.equal(writeDay(toDayNumber(date)), date)
  assert.throws(() => writeDay(toDayNumber('9999-12-31') + 1), RangeError)
})

test('years of the Gregorian calendar', () => {
  assert.deepEqual([1900, 2000, 2024, 2026].map(yearLength), [365, 366, 366, 365])
  assert.throws(() => writeCivil({ year: 10000, month: 1, day: 1 }), RangeError)
  assert.throws(() => writeCivil({ year: 0, month: 1, day: 1 }), RangeError)
})
