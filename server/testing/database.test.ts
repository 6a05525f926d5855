import assert from 'node:assert/strict'
import { join } from 'node:path'
import { test } from 'node:test'
import { openDatabase, withDatabaseName } from '../platform/database/database.ts'
import { openTestDatabase } from './database.ts'

const migrations = join(import.meta.dirname, 'migrations-for-tests')

test('each test has a database of its own, with the migrations applied', async () => {
  const [one, two] = await Promise.all([openTestDatabase(migrations), openTestDatabase(migrations)])
  await one.sql`create table mark (id int)`
  const tables = await two.sql<{ name: string }[]>`
    select table_name as name from information_schema.tables where table_schema = 'public'`
  const names = tables.map((table) => table.name)
  assert.deepEqual(names.toSorted(), ['paper', 'schema_migration'])
  await one.close()
  await two.close()
})

test('close drops the database, whoever still holds a connection, and the process lives on', async () => {
  const { sql, url, close } = await openTestDatabase(migrations)
  const name = new URL(url).pathname.slice(1)
  await sql`select 1`
  const forgotten = openDatabase(url, { max: 1 })
  await forgotten`select 1`
  await close()
  await forgotten.end({ timeout: 1 })
  const server = openDatabase(withDatabaseName(url, 'postgres'), { max: 1 })
  assert.deepEqual([...(await server`select datname from pg_database where datname = ${name}`)], [])
  await server.end()
})

test('a test that forgets to close leaves no process behind', async () => {
  const { sql } = await openTestDatabase(migrations)
  await sql`select 1`
  await sql.end()
})
