import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { openTestDatabase, type TestDatabase } from '../../testing/database.ts'
import { toJson, KeptTexts, runStatement, rowHelper } from './statement.ts'

let database: TestDatabase
before(async () => {
  database = await openTestDatabase()
})
after(() => database.close())

test('a prepared statement is reused by its text, also without parameters; an unprepared one is not', async () => {
  await database.sql.begin(async (tx) => {
    const kept = 'select 1 as kept'
    const given = 'select $1::int as given'
    for (const [text, parameters] of [
      [kept, []],
      [given, [2]],
    ] as const) {
      await runStatement(tx, text, parameters, { prepare: true })
      await runStatement(tx, `${text}, 'once' as once`, parameters)
    }
    const rows = await tx<{ statement: string }[]>`
      select statement from pg_prepared_statements where statement in (${kept}, ${given}) or statement like '%once%'
        and statement not like '%pg_prepared%' order by 1`
    assert.deepEqual(
      rows.map(({ statement }) => statement),
      [given, kept],
    )
  })
})

test('a row is written by its columns, with a list and JSON, and read back unchanged', async () => {
  const { sql } = database
  await sql`create table thing (id int, names text[], told jsonb, missing text)`
  const told = { since: '2024-01-01', nested: [{ a: null }, 'x"y'], left: undefined }
  const row = { id: 1, names: ['a', "o'b"], told: toJson(sql, told), missing: null }
  await sql`insert into thing ${rowHelper(sql, row)}`
  await sql`update thing set ${rowHelper(sql, { id: 2 })} where id = 1`
  const [found] = await runStatement(sql, 'select * from thing where names = $1 and id = $2', [row.names, 2])
  assert.deepEqual(found, { ...row, id: 2, told: { since: '2024-01-01', nested: [{ a: null }, 'x"y'] } })
})

test('of unlimited texts the first of an hour are kept', (t) => {
  t.mock.timers.enable({ apis: ['Date'] })
  const texts = new KeptTexts(2)
  let written = 0
  const cacheText = (key: string) =>
    texts.prepareText(key, () => {
      written++
      return `select ${key}`
    })
  assert.deepEqual(['a', 'b', 'c', 'a', 'c'].map(cacheText), [
    { text: 'select a', prepare: true },
    { text: 'select b', prepare: true },
    { text: 'select c', prepare: false },
    { text: 'select a', prepare: true },
    { text: 'select c', prepare: false },
  ])
  assert.equal(written, 4)
  t.mock.timers.tick(3_600_001)
  assert.deepEqual(
    ['a', 'c', 'b', 'd'].map((key) => cacheText(key).prepare),
    [true, true, true, false],
  )
})
