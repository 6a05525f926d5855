import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import * as fc from 'fast-check'
import { openTestDatabase, type TestDatabase } from '../../testing/database.ts'
import { formatArray, parseArray } from './array-types.ts'

let database: TestDatabase
before(async () => {
  database = await openTestDatabase()
})
after(() => database.close())

const cases: [type: string, value: unknown[]][] = [
  ['text', []],
  ['text', ['']],
  [
    'text',
    ['a', 'NULL', null, 'null', ' ', ',', '{}', '{', '"', '\\', '\\"', "'", 'å\n\u{1F600}', '{"a":"b"}'],
  ],
  ['int4', [1, -1, null, 2147483647]],
  ['int8', [0, 9007199254740991]],
  ['float8', [0.5, -1e300]],
  ['uuid', ['0190a6f2-7c1e-7d3a-8b4e-2f6a1c9d5e70', null]],
  ['numeric', ['12.50', '-0.1']],
  ['date', ['2024-02-29']],
  ['timestamptz', ['2024-02-29T23:59:59Z', '2024-02-29T23:59:59.123Z']],
  ['jsonb', [{ a: [1, 'x"y'] }, [], 'text', 1, true]],
]
for (const [type, value] of cases) {
  test(`${type}[] is written and read back: ${JSON.stringify(value).slice(0, 60)}`, async () => {
    const { sql } = database
    const given = type === 'jsonb' ? value.map((item) => JSON.stringify(item)) : value
    const [row] = await sql<{ value: unknown[]; length: number }[]>`
      select ${given as string[]}::${sql.unsafe(type)}[] as value, cardinality(${given as string[]}::${sql.unsafe(type)}[]) as length`
    assert.deepEqual(row!.value, value)
    assert.equal(row!.length, value.length)
  })
}

test('any texts are written and read back', async () => {
  const text = fc.string({ unit: 'binary' }).filter((one) => !one.includes('\0') && one.isWellFormed())
  await fc.assert(
    fc.asyncProperty(fc.array(fc.option(text)), async (texts) => {
      assert.deepEqual(parseArray(formatArray(texts), String), texts)
      const [row] = await database.sql<{ texts: string[] }[]>`select ${texts as string[]}::text[] as texts`
      assert.deepEqual(row!.texts, texts)
    }),
  )
})

test('the time for a long text is linear in its length', () => {
  const long = ['\\"'.repeat(500_000), 'x'.repeat(1_000_000)]
  assert.deepEqual(parseArray(formatArray(long), String), long)
})

test('booleans are read', async () => {
  const [row] = await database.sql<{ value: boolean[] }[]>`select array[true, null, false] as value`
  assert.deepEqual(row!.value, [true, null, false])
})

test('a nested array is refused', () => {
  assert.throws(() => parseArray('{{1,2}}', Number), RangeError)
  assert.throws(() => parseArray('[2:3]={1,2}', Number), RangeError)
})

test('a new connection sends no query before its first statement', async () => {
  const [row] = await database.sql<{ asked: number }[]>`
    select count(*)::int as asked from pg_prepared_statements 
    where statement like '%typarray%' and statement not like '%prepared%'`
  assert.equal(row!.asked, 0)
})
