import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { openTestDatabase, type TestDatabase } from '../../../testing/database.ts'
import { boundOfPrefix } from './page-query.ts'
import { doPrefixesSortFirst, prefixFirstLanguages } from './text-order.ts'

let database: TestDatabase
before(async () => {
  database = await openTestDatabase()
})
after(() => database.close())

const range = (from: number, to: number) =>
  Array.from({ length: to - from + 1 }, (_, index) => String.fromCodePoint(from + index))
/** Letters, and what may follow them: also combining accents and signs. */
const letters = [...range(0x41, 0x24f), ...range(0x370, 0x4ff)].filter((letter) => /^[\p{L} ]$/u.test(letter))
const following = [...letters, ...range(0x20, 0x7e), ...range(0x300, 0x36f), ...range(0x2000, 0x2015)]
const draw = (from: readonly string[], most: number) =>
  Array.from(
    { length: 1 + Math.floor(Math.random() * most) },
    () => from[Math.floor(Math.random() * from.length)],
  ).join('')

test('no text that begins with a prefix sorts before its bound', async () => {
  const drawn = Array.from({ length: 5_000 }, () => [draw(letters, 3), draw(following, 4)] as const)
  const pairs = drawn.flatMap(([prefix, rest]) => {
    const bound = boundOfPrefix(prefix)
    return bound === undefined ? [] : [{ text: prefix + rest, bound }]
  })
  assert.ok(pairs.length > 1_000)
  for (const language of prefixFirstLanguages) {
    // `no` is another name for `nb`, without a collation of its own.
    if (language === 'no') continue
    const wrong = await database.sql.unsafe(
      `select text, bound from jsonb_to_recordset($1::text::jsonb) as x (text text, bound text)
       where text collate "${language}-x-icu" < bound`,
      [JSON.stringify(pairs)],
    )
    assert.deepEqual([...wrong], [], language)
  }
})

test('a prefix that is not plain letters has no bound', () => {
  assert.deepEqual(['Lars', 'Öst', 'Väö', 'O’', 'เ', '-', 'a b 1', ''].map(boundOfPrefix), [
    'Lars',
    'Öst',
    'Väo',
    undefined,
    undefined,
    undefined,
    'a b 1',
    undefined,
  ])
})

test('the order of the database is known by its language', async () => {
  assert.equal(await doPrefixesSortFirst(database.sql), true)
  await database.sql`alter collation fordra_order rename to fordra_order_before`
  await database.sql`create collation fordra_order from "cy-x-icu"`
  assert.equal(await doPrefixesSortFirst(database.sql), false)
})
