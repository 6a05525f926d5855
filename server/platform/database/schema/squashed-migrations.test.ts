import assert from 'node:assert/strict'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { openTestDatabase, type TestDatabase } from '../../../testing/database.ts'
import { describeSchema } from '../../../testing/describe-schema.ts'
import { migrate, readMigrations } from './migrate.ts'

const silent = () => {}

/** A database with the first `count` single migrations, the last one optionally changed by `change`. */
async function withSingleMigrations(
  count: number,
  work: (database: TestDatabase) => Promise<void>,
  change = (text: string) => text,
): Promise<void> {
  const text = await readFile(new URL('../../../testing/single-migrations.sql', import.meta.url), 'utf8')
  const [empty, folder] = await Promise.all([makeFolder(), makeFolder()])
  const files = [...text.matchAll(/^-- file: (\S+)\n([^]*?)(?=^-- file: |(?![^]))/gm)]
  assert.equal(files.length, 27)
  for (const [index, [, name, sql]] of files.slice(0, count).entries())
    await writeFile(join(folder, name!), index === count - 1 ? change(sql!) : sql!)
  const database = await openTestDatabase(empty)
  try {
    await migrate(database.url, silent, folder)
    await work(database)
  } finally {
    await database.close()
    await Promise.all([empty, folder].map((path) => rm(path, { recursive: true })))
  }
}

const makeFolder = () => mkdtemp(join(tmpdir(), 'fordra-migrations-'))

/** The rows inserted by migrations, without their random identifiers. */
const listSeeds = ({ sql }: TestDatabase) => sql`
  select 'migration' as table, to_jsonb(m) - 'applied_at' as row from schema_migration m
  -- Which of the slots counts a change depends on the connection.
  union all select 'total', jsonb_build_array(entity, sum(rows), sum(changes)) from list_total group by entity
  union all select 'counter', to_jsonb(c) from case_counter c
  union all select 'settings', to_jsonb(s) - 'id' from system_setting s
  union all select 'rates', to_jsonb(r) - 'version' from reference_version r
  order by 1, 2`

test('a database with all 27 single migrations equals a new one, and continues from there', async () => {
  await withSingleMigrations(27, async (database) => {
    const fresh = await openTestDatabase()
    const later = (await readMigrations()).slice(13).map(({ file }) => file)
    try {
      assert.deepEqual((await migrate(database.url, silent)).applied, later)
      assert.equal(await describeSchema(database.sql), await describeSchema(fresh.sql))
      assert.deepEqual(await listSeeds(database), await listSeeds(fresh))
      assert.deepEqual((await migrate(database.url, silent)).applied, [])
    } finally {
      await fresh.close()
    }
  })
})

const refusal = (count: number) => ({
  name: 'DatabaseUnusable',
  message: new RegExp(`has ${count} of its 27 migrations\\. Check out commit [0-9a-f]{7} .* start it once`),
})

test('a database below 27 is refused with what to do, and unchanged', async () => {
  await withSingleMigrations(26, async ({ sql, url }) => {
    await assert.rejects(migrate(url, silent), refusal(26))
    const [row] = await sql`select count(*) from schema_migration`
    assert.equal(row?.['count'], 26)
  })
})

const addLine = (text: string) => `${text}-- otherwise\n`

test('a database with another migration 27 is refused', async () => {
  await withSingleMigrations(
    27,
    async ({ url }) => assert.rejects(migrate(url, silent), refusal(27)),
    addLine,
  )
})
