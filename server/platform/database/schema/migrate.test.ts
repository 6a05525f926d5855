import assert from 'node:assert/strict'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, test } from 'node:test'
import type { TestDatabase } from '../../../testing/database.ts'
import { openTestDatabase } from '../../../testing/database.ts'
import { DatabaseUnusable } from '../database-unusable.ts'
import { checkServerVersion, migrate, readMigrations } from './migrate.ts'

const makeFolder = (): Promise<string> => mkdtemp(join(tmpdir(), 'fordra-migrations-'))
const refusal = (message: RegExp): { name: string; message: RegExp } => ({
  name: 'DatabaseUnusable',
  message,
})

describe('migrations', () => {
  let empty: string
  let folder: string
  let database: TestDatabase
  let lines: string[]

  beforeEach(async () => {
    ;[empty, folder] = await Promise.all([makeFolder(), makeFolder()])
    database = await openTestDatabase(empty)
    lines = []
  })
  afterEach(async () => {
    await database.close()
    await Promise.all([empty, folder].map((path) => rm(path, { recursive: true })))
  })

  const write = (file: string, text: string): Promise<void> => writeFile(join(folder, file), text)
  const run = (): Promise<{ applied: string[] }> => migrate(database.url, (line) => lines.push(line), folder)
  const listTables = async (): Promise<string[]> => {
    const rows = await database.sql<{ name: string }[]>`
      select relname as name from pg_class where relkind = 'r' and relnamespace = 'public'::regnamespace order by 1`
    return rows.map((row) => row.name)
  }

  test('are applied in order, once, and reported', async () => {
    await write('001-first.sql', 'create table one (id int); insert into one values (1);')
    await write('002-second.sql', 'alter table one rename to two;')
    assert.deepEqual(await run(), { applied: ['001-first.sql', '002-second.sql'] })
    assert.deepEqual(await listTables(), ['schema_migration', 'two'])
    assert.equal(lines.length, 2)
    assert.deepEqual(await run(), { applied: [] })

    await write('003-third.sql', 'create table three (id int);')
    assert.deepEqual(await run(), { applied: ['003-third.sql'] })
    const [row] = await database.sql`select number, name, length(checksum) as digits, applied_at
      from schema_migration where number = 3`
    assert.equal(row?.['name'], 'third')
    assert.equal(row?.['digits'], 64)
    assert.match(row?.['applied_at'], /^\d{4}-.*Z$/)
  })

  test('two nodes at once: each migration runs once, the other node waits', async () => {
    await write('001-slow.sql', 'create table slow (id int); select pg_sleep(0.3);')
    await write('002-more.sql', 'insert into slow values (1);')
    const results = await Promise.all([run(), run(), run()])
    assert.deepEqual(results.flatMap((result) => result.applied).toSorted(), ['001-slow.sql', '002-more.sql'])
    const [row] = await database.sql`select count(*) from slow`
    assert.equal(row?.['count'], 1)
    assert.ok(lines.some((line) => line.includes('Waiting for another Fordra')))
  })

  test('failing SQL rolls back its whole migration, names the line, and keeps the earlier ones', async () => {
    await write('001-good.sql', 'create table good (id int);')
    await write('002-bad.sql', 'create table half (id int);\n\ncreate table (broken);\n')
    await assert.rejects(run(), refusal(/002-bad\.sql failed and was rolled back: syntax error .*\(line 3\)/))
    assert.deepEqual(await listTables(), ['good', 'schema_migration'])

    await write('002-bad.sql', 'create table whole (id int);')
    assert.deepEqual(await run(), { applied: ['002-bad.sql'] })
  })

  test('a changed migration is refused', async () => {
    await write('001-first.sql', 'create table one (id int);')
    await run()
    await write('001-first.sql', 'create table one (id int, name text);')
    await assert.rejects(run(), refusal(/001-first\.sql differs from the one this database was made with/))
  })

  test('other line ends are not a change', async () => {
    await write('001-first.sql', 'create table one (\n  id int\n);\n')
    await run()
    await write('001-first.sql', 'create table one (\r\n  id int\r\n);\r\n')
    assert.deepEqual(await run(), { applied: [] })
  })

  test('a database newer than the program is refused', async () => {
    await write('001-first.sql', 'create table one (id int);')
    await write('002-second.sql', 'create table two (id int);')
    await run()
    await rm(join(folder, '002-second.sql'))
    await assert.rejects(
      run(),
      refusal(/newer than this program: it has migration 002-second, .* ends at 001/),
    )
  })

  test('gaps, duplicates and wrong names are refused before anything runs', async () => {
    await write('001-first.sql', 'create table one (id int);')
    await write('003-third.sql', 'create table three (id int);')
    await assert.rejects(run(), refusal(/003-third\.sql stands where 002 should/))
    await write('002-second.sql', '')
    await write('002-zweite.sql', '')
    await assert.rejects(run(), refusal(/002-zweite\.sql stands where 003 should/))
    await write('4_Fourth.sql', '')
    await assert.rejects(run(), refusal(/4_Fourth\.sql/))
    assert.deepEqual(await listTables(), ['schema_migration'])
  })

  test('a migration without SQL is valid', async () => {
    await write('001-nothing.sql', '-- nothing\n')
    assert.deepEqual(await run(), { applied: ['001-nothing.sql'] })
  })
})

test("the program's own migrations are numbered without gaps", async () => {
  assert.ok((await readMigrations()).length > 0)
})

test('PostgreSQL before 15 is refused', () => {
  checkServerVersion(150000)
  checkServerVersion(180004)
  assert.throws(() => checkServerVersion(140013), DatabaseUnusable)
  assert.throws(() => checkServerVersion(140013), {
    message: /needs PostgreSQL 15 or newer; this server is 14/,
  })
})
