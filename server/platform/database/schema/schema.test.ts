import assert from 'node:assert/strict'
import { readdir, readFile } from 'node:fs/promises'
import { test } from 'node:test'
import { openTestDatabase } from '../../../testing/database.ts'
import { describeSchema } from '../../../testing/describe-schema.ts'
import { migrationsFolder } from './migrate.ts'

const read = (path: string | URL) => readFile(path, 'utf8')

test('docs/schema.sql is the schema of a migrated database', async () => {
  const database = await openTestDatabase()
  try {
    const written = await read(new URL('../../../../docs/schema.sql', import.meta.url))
    assert.equal(
      written,
      await describeSchema(database.sql),
      'Run npm run schema, and commit docs/schema.sql.',
    )
  } finally {
    await database.close()
  }
})

test('the migrations list every trigger with its reason', async () => {
  const files = (await readdir(migrationsFolder)).filter((name: string) => name.endsWith('.sql'))
  const texts = await Promise.all(files.map((name) => read(`${migrationsFolder}/${name}`)))
  const listed = texts
    .flatMap((text) => [...text.matchAll(/^-- \| (\w+) +\| \S/gm)].map(([, name]) => name))
    .filter((name) => name !== 'trigger')
  const created = [
    ...(await read(new URL('../../../../docs/schema.sql', import.meta.url))).matchAll(
      /^CREATE TRIGGER (\w+)/gm,
    ),
  ]
  assert.deepEqual(listed.toSorted(), created.map(([, name]) => name).toSorted())
})
