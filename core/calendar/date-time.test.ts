import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as fc from 'fast-check'
import { localDate, datePart, isDateTime, toMidnight } from './date-time.ts'

const right = [
  '2026-11-21',
  '2024-02-29',
  '0001-01-01',
  '9999-12-31T23:59:59.999999999Z',
  '2026-11-21T12:00:00Z',
  '2026-11-21t12:00:00z',
  '2026-11-21T12:00:00.5+02:00',
  '2026-11-21T00:00:00-11:30',
  '2026-11-21T00:00:00+23:59',
]
const wrong = [
  '',
  '0000-01-01',
  '2025-02-29',
  '1900-02-29',
  '2026-02-30',
  '2026-13-01',
  '2026-00-10',
  '2026-11-00',
  '2026-11-21T24:00:00Z',
  '2026-11-21T12:60:00Z',
  '2026-11-21T12:00:60Z',
  '2026-11-21T12:00:00',
  '2026-11-21T12:00Z',
  '2026-11-21T12:00:00+24:00',
  '2026-11-21T12:00:00+23:60',
  '2026-11-21 12:00:00Z',
  '+12026-01-01',
  ' 2026-11-21',
  '21/11/2026',
]
for (const text of right) test(`${text} is a date-time`, () => assert.equal(isDateTime(text), true))
for (const text of wrong) test(`'${text}' is none`, () => assert.equal(isDateTime(text), false))

test('every instant that JavaScript writes is one, and keeps its day', () => {
  const instants = fc.date({
    min: new Date('0001-01-01T00:00:00Z'),
    max: new Date('9999-12-31T23:59:59Z'),
    noInvalidDate: true,
  })
  fc.assert(
    fc.property(instants, (instant) => {
      const text = instant.toISOString()
      assert.equal(isDateTime(text), true)
      assert.equal(toMidnight(text), `${datePart(text)}T00:00:00Z`)
    }),
  )
})

test('the day depends on the time zone', () => {
  const instant = new Date('2026-06-30T22:30:00Z')
  assert.equal(localDate('Europe/Stockholm', instant), '2026-07-01')
  assert.equal(localDate('UTC', instant), '2026-06-30')
  assert.equal(localDate('America/New_York', instant), '2026-06-30')
})
