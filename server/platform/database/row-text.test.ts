import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { openTestDatabase, type TestDatabase } from '../../testing/database.ts'
import { rowParameters, rowsFrom, updateFrom } from './row-text.ts'
import { runStatement } from './statement.ts'

let database: TestDatabase
before(async () => {
  database = await openTestDatabase()
})
after(() => database.close())

const types = {
  id: 'int',
  text: 'text',
  number: 'bigint',
  flag: 'boolean',
  day: 'date',
  names: 'text[]',
  told: 'jsonb',
}
const row = {
  id: 1,
  text: 'Ås',
  number: 999_999_999_999_999,
  flag: false,
  day: '2026-02-28',
  names: ['a', 'b'],
  told: { a: [null] },
}
const read = (rows: readonly object[]) =>
  runStatement(database.sql, `select * from ${rowsFrom(types, 1)} n`, rowParameters(types, rows))

test('rows are read back unchanged and in order; missing values are null', async () => {
  const rows = [row, { ...row, id: 3, text: null }, { ...row, id: 2 }]
  assert.deepEqual([...(await read(rows))], rows)
  const nulls = { text: null, number: null, flag: null, day: null, names: null, told: null }
  assert.deepEqual([...(await read([{ id: 1, text: undefined }]))], [{ id: 1, ...nulls }])
  assert.deepEqual([...(await read([]))], [])
})

for (const [what, text] of [
  ['nothing', ''],
  ['the word null', 'null'],
  ['lines, tabs, quotes and a backslash', 'a\n\r\tb "c" \'d\' \\N \\ {e,f}'],
  ['the end of a column', 'a\u001fb'],
  ['the end of a row', '\u001e'],
  ['what stands for null', '\u001d'],
  ['each of them, and the characters that come in their place', '\u001d\u001e\u001f\ue000\ue001\ue003'],
] as const)
  test(`a text, a list and JSON may contain ${what}`, async () => {
    const held = { ...row, text, names: [text, 'other', null, text], told: { [text]: text } }
    assert.deepEqual([...(await read([row, held, row]))], [row, held, row])
  })

test('an update changes only the named rows', async () => {
  const { sql } = database
  await sql`create table thing (id int primary key, text text, number bigint)`
  await sql`insert into thing values (1, 'one', 1), (2, 'two', 2), (3, 'three', 3)`
  const changed = { id: 'int', text: 'text', number: 'bigint' }
  const rows = [
    { id: 3, text: null, number: 30 },
    { id: 1, text: 'first', number: 10 },
  ]
  await runStatement(sql, updateFrom('thing', changed, 1), rowParameters(changed, rows))
  assert.deepEqual(
    [...(await sql`select * from thing order by id`)],
    [rows[1], { id: 2, text: 'two', number: 2 }, rows[0]],
  )
})

test('rows that contain every possible separator are refused', () => {
  const all = String.fromCodePoint(...Array.from({ length: 6400 }, (_, index) => 0xe000 + index))
  assert.throws(() => rowParameters(types, [{ ...row, text: `${all}\u001f` }]), RangeError)
})
