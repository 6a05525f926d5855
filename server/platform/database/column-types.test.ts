import assert from 'node:assert/strict'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import type { TestDatabase } from '../../testing/database.ts'
import { openTestDatabase } from '../../testing/database.ts'
import { formatDateTime, parseSafeInteger } from './column-types.ts'

describe('date-times', () => {
  const cases = [
    ['2024-01-01 00:00:00+00', '2024-01-01T00:00:00Z'],
    ['2024-01-01 23:59:59.5+00', '2024-01-01T23:59:59.5Z'],
    ['2024-01-01 23:59:59.123+00', '2024-01-01T23:59:59.123Z'],
    ['2024-01-01 23:59:59.123456+00', '2024-01-01T23:59:59.123456Z'],
    ['2024-01-01 23:59:59.999999', '2024-01-01T23:59:59.999999Z'],
    ['0001-01-01 00:00:00+00', '0001-01-01T00:00:00Z'],
  ] as const
  for (const [text, expected] of cases) {
    test(`${text} becomes ${expected}`, () => assert.equal(formatDateTime(text), expected))
  }

  for (const text of ['infinity', '-infinity', '10000-01-01 00:00:00+00', '2024-01-01 00:00:00+05:30']) {
    test(`${text} is refused`, () => assert.throws(() => formatDateTime(text), RangeError))
  }
})

test('a bigint past 2^53 is refused rather than rounded', () => {
  assert.equal(parseSafeInteger('9007199254740991'), 9007199254740991)
  assert.equal(parseSafeInteger('-9007199254740991'), -9007199254740991)
  assert.throws(() => parseSafeInteger('9007199254740992'), RangeError)
})

describe('through the driver', () => {
  let database: TestDatabase
  before(async () => {
    database = await openTestDatabase(join(import.meta.dirname, '../../testing/migrations-for-tests'))
  })
  after(() => database.close())

  test('columns are read as text and numbers, never as Date', async () => {
    const [row] = await database.sql`
      select timestamptz '2024-06-30 12:00:00.5+02' as zoned, timestamp '2024-06-30 12:00:00' as plain,
        date '0001-01-01' as day, int8 '9007199254740991' as big, int4 '7' as small, numeric '12.50' as amount,
        uuid '00000000-0000-4000-8000-000000000001' as key, jsonb '{"a":[1,null]}' as document, true as flag,
        null::timestamptz as nothing, array[int8 '1', int8 '2'] as numbers, array[date '2024-01-31'] as days,
        array[timestamptz '2024-01-31 00:00:00+00'] as times`
    assert.deepEqual(row, {
      zoned: '2024-06-30T10:00:00.5Z',
      plain: '2024-06-30T12:00:00Z',
      day: '0001-01-01',
      big: 9007199254740991,
      small: 7,
      amount: '12.50',
      key: '00000000-0000-4000-8000-000000000001',
      document: { a: [1, null] },
      flag: true,
      nothing: null,
      numbers: [1, 2],
      days: ['2024-01-31'],
      times: ['2024-01-31T00:00:00Z'],
    })
  })

  test('text is sent unchanged: no rounding to milliseconds, no time zone shift', async () => {
    const [row] = await database.sql`
      select ${'2024-06-30T12:00:00.123456Z'}::timestamptz::text as zoned, ${'2024-02-29'}::date as day,
        ${'9999-12-31'}::date as last, ${'9007199254740993'}::int8::text as big`
    assert.deepEqual(row, {
      zoned: '2024-06-30 12:00:00.123456+00',
      day: '2024-02-29',
      last: '9999-12-31',
      big: '9007199254740993',
    })
  })

  test('a number past 2^53 fails only its own query', async () => {
    await assert.rejects(database.sql`select int8 '9007199254740993' as big`, RangeError)
    const [row] = await database.sql`select 1 as one`
    assert.deepEqual(row, { one: 1 })
  })

  test("a wrong date is the database's error, not the driver's", async () => {
    await assert.rejects(database.sql`select ${'2023-02-29'}::date`, { code: '22008' })
  })

  test('letters beyond ASCII have a lower case and form trigrams', async () => {
    await database.sql`create extension pg_trgm`
    const [row] = await database.sql`select lower('ÅÄÖÆØẞ') as lower, 'MALMÖ' ilike '%mö' as found,
      similarity('åäö', 'ÅÄÖ') as alike, array_length(show_trgm('åäö'), 1) as trigrams`
    assert.deepEqual(row, { lower: 'åäöæøß', found: true, alike: 1, trigrams: 4 })
  })
})
