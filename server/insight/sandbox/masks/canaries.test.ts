/** No column can bring personal data into a sandbox: each has its kind, and a canary in each is lost on the way. */
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { userMemberFields } from '../../../../contract/access/users.ts'
import { fieldMeta } from '../../../../contract/metadata/fields.ts'
import { addressFields } from '../../../../contract/parties/addresses.ts'
import { debtorFields } from '../../../../contract/parties/debtors.ts'
import { customerInputs, thirdPartyInputs } from '../../../../contract/parties/holdings.ts'
import { listTables, quoteName } from '../../../platform/backups/archive.ts'
import { snakeCase } from '../../../platform/database/columns.ts'
import type { Sql } from '../../../platform/database/driver/pool.ts'
import { openTestDatabase, type TestDatabase } from '../../../testing/database.ts'
import { copyInstallation } from '../copy-installation.ts'
import { derivedTables, emptiedTables, listKinds } from './column-kinds.ts'
import { numberTables } from './row-masks.ts'

interface Column {
  table: string
  name: string
  type: string
  isRequired: boolean
}

/** Types that cannot hold a text. Of the dates, those of a birth are personal. */
const plainTypes = /^(uuid|boolean|integer|smallint|bigint|double precision|date|numeric|timestamp)/

const listColumns = (sql: Sql) => sql<Column[]>`
  select c.relname as table, a.attname as name, format_type(a.atttypid, a.atttypmod) as type, a.attnotnull as "isRequired"
  from pg_attribute a join pg_class c on c.oid = a.attrelid join pg_namespace n on n.oid = c.relnamespace
  where n.nspname = 'public' and c.relkind = 'r' and a.attnum > 0 and not a.attisdropped and a.attgenerated = ''
    and c.relname <> 'schema_migration'
  order by c.relname, a.attnum`

/** Codes that many share, such as the country of an address. */
const shared = ['countryCode', 'stateCode', 'idCountryCode', 'addressType', 'gender', 'timeZone']

const canary = 'kanarie'
const moment = "'1979-03-17T00:00:00Z'"

/** A value for a column, as SQL: with a canary wherever the column may not keep its text. */
function makeValue({ table, name, type }: Column): string {
  const kind = listKinds(table).find(({ column }) => column === name)?.kind
  const mark = kind === 'keep' ? 'x' : `${canary} ${table} ${name}`
  if (name === 'singleton') return 'true'
  if (kind === 'salt') return 'gen_random_uuid()'
  if (kind === 'birth') return moment
  if (type === 'jsonb') return kind === 'keep' ? "'{}'" : makeDocument(mark)
  if (type === 'bytea') return `convert_to('${mark}', 'UTF8')`
  if (type === 'bytea[]') return `array[convert_to('${mark}', 'UTF8')]`
  if (type === 'text[]') return `array['${mark}', 'two "${mark}"']`
  if (type === 'text') return kind === 'email' ? `'${canary}@${table}.example'` : `'${mark}\t\\ä'`
  if (type === 'uuid') return table === 'party' && name === 'parent_id' ? 'null' : 'gen_random_uuid()'
  if (type.endsWith('[]')) return "'{}'"
  if (type === 'boolean') return 'false'
  return /^(date|timestamp)/.test(type) ? "'2026-06-15'" : '7'
}

/** A name, a member that nobody declared, a name within a list, and numbers as text. */
const makeDocument = (mark: string) =>
  `jsonb_build_object('fullName', jsonb_build_array(null, '${mark}'), 'shoeSize', '${mark}', 'kind', '${mark}',
    'deep', jsonb_build_array(jsonb_build_object('name', '${mark}')))`

/** Rows that fit no other would be refused by the constraints. */
async function dropConstraints(sql: Sql): Promise<void> {
  const found = await sql<{ table: string; name: string }[]>`
    select conrelid::regclass::text as table, conname as name from pg_constraint c
    where contype in ('c', 'f') and connamespace = 'public'::regnamespace and conrelid <> 0`
  for (const { table, name } of found) await sql.unsafe(`alter table ${table} drop constraint "${name}"`)
}

async function plant(sql: Sql, columns: readonly Column[]): Promise<void> {
  await dropConstraints(sql)
  await sql.begin(async (tx) => {
    await tx`set local session_replication_role = replica`
    for (const { table } of await listTables(sql)) {
      const own = columns.filter((one) => `public.${one.table}` === table)
      if (own.length === 0) continue
      const names = own.map(({ name }) => `"${name}"`).join(', ')
      await tx.unsafe(`delete from ${quoteName(table)}`)
      await tx.unsafe(
        `insert into ${quoteName(table)} (${names}) overriding system value values (${own.map(makeValue).join(', ')})`,
      )
    }
    // Copying a sandbox is refused.
    await tx`delete from sandbox`
  })
}

describe('the columns of the database', () => {
  let source: TestDatabase
  let target: TestDatabase
  let columns: Column[]
  before(async () => {
    ;[source, target] = [await openTestDatabase(), await openTestDatabase()]
    columns = [...(await listColumns(source.sql))]
  })
  after(async () => {
    // Its events are none that the service knows.
    for (const { sql } of [source, target])
      await sql.begin((tx) =>
        tx.unsafe('set local session_replication_role = replica; delete from audit_entry'),
      )
    await Promise.all([source.close(), target.close()])
  })

  test('have each one kind, or their table stays empty', () => {
    const skipped = new Set([...emptiedTables, ...derivedTables])
    const missing = columns
      .filter(({ type, name }) => !plainTypes.test(type) || /birth/.test(name) || type.endsWith('[]'))
      .filter(({ table, type }) => !skipped.has(table) && !/^(uuid|integer)\[\]$/.test(type))
      .filter(({ table, name }) => listKinds(table).filter(({ column }) => column === name).length !== 1)
      .map(({ table, name, type }) => `${table}.${name} (${type})`)
    assert.deepEqual(missing, [], 'Give each a kind in server/insight/sandbox/masks/column-kinds.ts')
  })

  test('are those of the lists', () => {
    const known = new Set(columns.map(({ table, name }) => `${table}.${name}`))
    const tables = new Set(columns.map(({ table }) => table))
    const listed = [...tables].flatMap((table) => listKinds(table).map(({ column }) => `${table}.${column}`))
    assert.deepEqual(
      listed.filter((one) => !known.has(one)),
      [],
    )
    for (const table of [...emptiedTables, ...derivedTables, ...numberTables])
      assert.ok(tables.has(table), table)
    for (const table of tables) {
      const places = [listKinds(table).length > 0, emptiedTables.includes(table)]
        .concat(derivedTables.includes(table), numberTables.includes(table))
        .filter(Boolean)
      assert.equal(places.length, 1, `${table} has one place`)
    }
  })

  test('are masked where the dictionary says that they are personal', () => {
    const dictionaries = {
      debtor: debtorFields,
      address: addressFields,
      app_user: userMemberFields,
      third_party: thirdPartyInputs.create.properties,
      customer: customerInputs.create.properties,
    }
    let looked = 0
    for (const [table, fields] of Object.entries(dictionaries))
      for (const [name, schema] of Object.entries<object>(fields)) {
        if (fieldMeta(schema).personalData === undefined) continue
        const column = snakeCase(name)
        // Some fields are composed of others and stored nowhere.
        if (!columns.some((one) => one.table === table && one.name === column)) continue
        const kind = listKinds(table).find((one) => one.column === column)?.kind
        // A flag or a code names nobody.
        if (!('type' in schema && [schema.type].flat().includes('string'))) continue
        looked++
        assert.ok(kind !== undefined, `Give ${table}.${column} a kind in column-kinds.ts`)
        assert.ok(kind !== 'keep' || shared.includes(name), `${table}.${name} is ${kind}`)
      }
    assert.ok(looked > 40, `${looked} fields were looked at`)
  })

  test('lose a canary, each of them', async () => {
    await plant(source.sql, columns)
    await dropConstraints(target.sql)
    await copyInstallation(source.sql, target.sql, { masked: true })
    let rows = 0
    for (const { table } of await listTables(target.sql)) {
      const found = await target.sql.unsafe<{ row: string }[]>(
        `select t::text as row from ${quoteName(table)} t`,
      )
      rows += found.length
      for (const { row } of found) {
        assert.doesNotMatch(row, new RegExp(canary, 'i'), table)
        assert.ok(!row.includes(Buffer.from(canary).toString('hex')), table)
        assert.doesNotMatch(row, /1979-03-17/, table)
      }
    }
    assert.ok(rows > 60, `${rows} rows were looked at`)
  })
})
