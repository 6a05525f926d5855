import assert from 'node:assert/strict'
import { readdir, readFile } from 'node:fs/promises'
import { test } from 'node:test'
import { userMemberFields } from '../../../../contract/access/users.ts'
import { addressMemberFields } from '../../../../contract/parties/addresses.ts'
import { debtorMemberFields } from '../../../../contract/parties/debtors.ts'
import { openTestDatabase } from '../../../testing/database.ts'
import { describeSchema } from '../../../testing/describe-schema.ts'
import { listColumnTypes } from '../columns.ts'
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

test('the column of each field has the type that the field needs', async () => {
  const database = await openTestDatabase()
  const fields = { debtor: debtorMemberFields, address: addressMemberFields, app_user: userMemberFields }
  try {
    for (const [table, members] of Object.entries(fields)) {
      const types = listColumnTypes(members)
      const wrong = await database.sql<{ fault: string }[]>`
        select n.name || ' needs ' || n.type || ', and is ' || coalesce(format_type(a.atttypid, a.atttypmod), 'missing')
          as fault
        from unnest(${Object.keys(types)}::text[], ${Object.values(types)}::text[]) n (name, type)
        left join pg_attribute a
          on a.attrelid = to_regclass(${table}) and a.attname = n.name and not a.attisdropped
        where a.atttypid is distinct from n.type::regtype::oid order by 1`
      assert.deepEqual(
        wrong.map(({ fault }) => fault),
        [],
        `columns of ${table}`,
      )
    }
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
