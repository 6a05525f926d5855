/// <reference types="node" />
import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as fc from 'fast-check'
import {
  addDays,
  addMonths,
  addYears,
  fromDayNumber,
  toDayNumber,
  daysBetween,
  earliest,
  endOfMonth,
  endOfYear,
  isDate,
  latest,
  isoWeekday,
} from './calendar.ts'
import { isDateTime } from './date-time.ts'

test('days', () => {
  const table: [string, string, number][] = [
    ['1970-01-01', '1970-01-01', 0],
    ['2024-02-28', '2024-03-01', 2],
    ['2023-02-28', '2023-03-01', 1],
    ['2000-02-28', '2000-03-01', 2],
    ['1900-02-28', '1900-03-01', 1],
    ['2024-01-01', '2025-01-01', 366],
    ['2026-07-01', '2026-06-30', -1],
    ['0001-01-01', '9999-12-31', 3652058],
  ]
  for (const [from, to, days] of table) {
    assert.equal(daysBetween(from, to), days, `${from} ${to}`)
    assert.equal(addDays(from, days), to)
  }
  assert.equal(toDayNumber('1970-01-01'), 0)
})

test('months and years, clamped to the last day', () => {
  const table: [string, number, string][] = [
    ['2026-01-31', 1, '2026-02-28'],
    ['2024-01-31', 1, '2024-02-29'],
    ['2026-01-31', 2, '2026-03-31'],
    ['2026-12-31', 2, '2027-02-28'],
    ['2026-03-31', -1, '2026-02-28'],
    ['2026-01-15', -1, '2025-12-15'],
    ['2026-11-30', 14, '2028-01-30'],
  ]
  for (const [date, months, later] of table)
    assert.equal(addMonths(date, months), later, `${date} + ${months}`)
  assert.equal(addYears('2024-02-29', 1), '2025-02-28')
  assert.equal(addYears('2024-02-29', 4), '2028-02-29')
  assert.equal(endOfMonth('2024-02-03'), '2024-02-29')
  assert.equal(endOfYear('2024-02-03'), '2024-12-31')
})

test('what is no date, and dates beyond the calendar', () => {
  for (const text of ['2026-02-29', '2026-13-01', '2026-00-10', '2026-04-31', '0000-01-01', '2026-1-01'])
    assert.equal(isDate(text), false, text)
  for (const text of [
    '',
    '2026-01-01T00:00:00Z',
    '2026/01/01',
    '20２6-01-01',
    '-026-01-01',
    '2026-01/01',
    '2026/01-01',
  ])
    assert.equal(isDate(text), false, text)
  // The characters beside the digits.
  for (const text of ['2026-01-1/', '2026-01-0:', '202/-01-01', '2026-0:-01'])
    assert.equal(isDate(text), false, text)
  assert.throws(() => daysBetween('2026-02-30', '2026-03-01'), /YYYY-MM-DD/)
  assert.throws(() => addYears('9999-01-01', 1), /9999/)
  assert.throws(() => addYears('0001-01-01', -1), /0001/)
  assert.throws(() => addDays('0001-01-01', -1), /0001/)
  assert.throws(() => fromDayNumber(0.5), /whole number/)
  assert.throws(() => addMonths('2026-01-01', 0.5), /whole numbers/)
})

const two = (value: number) => String(value).padStart(2, '0')

test('every writing of a day is a date exactly when the platform has that day', () => {
  for (const year of [1, 1900, 2000, 2023, 2024, 9999]) {
    for (let month = 0; month <= 13; month++) {
      for (let day = 0; day <= 32; day++) {
        const text = `${String(year).padStart(4, '0')}-${two(month)}-${two(day)}`
        const instant = new Date(0)
        instant.setUTCFullYear(year, month - 1, day)
        const same = instant.getUTCMonth() === month - 1 && instant.getUTCDate() === day
        assert.equal(isDate(text), same, text)
        assert.equal(isDateTime(text), same, text)
        if (!same) continue
        assert.equal(toDayNumber(text), instant.getTime() / 86_400_000, text)
        assert.equal(fromDayNumber(toDayNumber(text)), text)
      }
    }
  }
})

test('the earlier and the later of two dates', () => {
  const table: [string, string, string, string][] = [
    ['2026-01-31', '2026-02-01', '2026-01-31', '2026-02-01'],
    ['2026-02-01', '2026-01-31', '2026-01-31', '2026-02-01'],
    ['2026-02-01', '2026-02-01', '2026-02-01', '2026-02-01'],
  ]
  for (const [a, b, first, last] of table) assert.deepEqual([earliest(a, b), latest(a, b)], [first, last])
})

test('the platform calendar agrees', () => {
  fc.assert(
    fc.property(fc.integer({ min: -719162, max: 2932896 }), (day) => {
      const date = fromDayNumber(day)
      assert.equal(toDayNumber(date), day)
      const instant = new Date(`${date}T00:00:00Z`)
      assert.equal(instant.getTime(), day * 86_400_000)
      assert.equal(isoWeekday(date), instant.getUTCDay() || 7)
      assert.ok(isDate(date))
    }),
    { numRuns: 2000 },
  )
})
