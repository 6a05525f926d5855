/** A backup of older tables is restored and migrated; one of newer tables is refused. */
import assert from 'node:assert/strict'
import { copyFileSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import type { Header } from '../../platform/backups/archive.ts'
import { checkArchive, restoreArchive } from '../../platform/backups/restore-backup.ts'
import { writeBackup } from '../../platform/backups/write-backup.ts'
import type { Sql } from '../../platform/database/driver/pool.ts'
import { openDatabase, withDatabaseName } from '../../platform/database/database.ts'
import { migrate, migrationsFolder, readMigrations } from '../../platform/database/schema/migrate.ts'
import { migrateQueue } from '../../platform/jobs/queue-schema.ts'
import { startApi, type TestApi } from '../../testing/api.ts'

/** The tables before the migration that made users' names one in every spelling. */
const oldMigrations = 17
const folder = mkdtempSync(join(tmpdir(), 'fordra-older-'))
const file = join(folder, 'older.tar')
const role = `older_owner_${process.pid}`
const names = { old: `${role}_old`, restored: `${role}_restored` }
let api: TestApi
const open: Sql[] = []

/** An empty database whose owner has no other rights. */
async function makeDatabase(name: string): Promise<{ url: string; sql: Sql }> {
  await api.sql.unsafe(`create database ${name} owner ${role}`)
  const url = new URL(withDatabaseName(api.databaseUrl, name))
  url.searchParams.set('user', role)
  const sql = openDatabase(url.href, { max: 2 })
  open.push(sql)
  return { url: url.href, sql }
}

before(async () => {
  api = await startApi()
  await api.sql.unsafe(`create role ${role} login`)
  const migrations = join(folder, 'migrations')
  mkdirSync(migrations)
  for (const migration of (await readMigrations()).slice(0, oldMigrations))
    copyFileSync(join(migrationsFolder, migration.file), join(migrations, migration.file))
  const { url, sql } = await makeDatabase(names.old)
  await migrate(url, () => {}, migrations)
  await migrateQueue(url)
  await sql`
    insert into party (id, reference_code, name) values (gen_random_uuid(), 'OLDAGENCY', 'An agency of old')`
  await writeBackup(sql, file)
})
after(async () => {
  await Promise.all(open.map((sql) => sql.end({ timeout: 1 })))
  for (const name of Object.values(names))
    await api.sql.unsafe(`drop database if exists ${name} with (force)`)
  await api.sql.unsafe(`drop role ${role}`)
  await api.close()
  rmSync(folder, { recursive: true })
})

test('a backup of older tables is restored and then migrated', async () => {
  const { url, sql } = await makeDatabase(names.restored)
  await migrate(url, () => {})
  const lines: string[] = []
  const archive = await checkArchive(file)
  assert.equal(archive.header.migrations.length, oldMigrations)
  await restoreArchive(sql, archive, { onLine: (line) => void lines.push(line) })
  const applied = await sql<{ number: number; checksum: string }[]>`
    select number, checksum from schema_migration order by number`
  assert.deepEqual(
    applied.map(({ checksum }) => checksum),
    (await readMigrations()).map(({ checksum }) => checksum),
  )
  assert.match(lines.join('\n'), /Applying migration 018-/)
  const [party] = await sql`select name from party where reference_code = 'OLDAGENCY'`
  assert.equal(party!['name'], 'An agency of old')
  // The start finds nothing to do, and the service works.
  assert.deepEqual((await migrate(url, () => {})).applied, [])
  const node = await api.startNode({}, url)
  assert.equal((await node.call('GET', '/system/information', { token: await node.signIn(2) })).status, 200)
  await node.close()
})

const refusals: [about: string, change: (header: Header) => Partial<Header>, says: RegExp][] = [
  [
    'of newer tables',
    ({ migrations }) => ({
      migrations: [...migrations, { number: migrations.length + 1, checksum: 'x' }],
    }),
    /made by version 0\.0\.9 .* which is newer than this program .* that version or a newer one/,
  ],
  [
    'of a newer job queue',
    ({ queueMigration }) => ({ queueMigration: queueMigration + 1 }),
    /newer than this program/,
  ],
  [
    'of other tables',
    ({ migrations }) => ({ migrations: migrations.slice(1) }),
    /migrations differ from those of this program/,
  ],
]
for (const [about, change, says] of refusals) {
  test(`a backup ${about} is refused, and nothing is changed`, async () => {
    const whole = join(folder, `${about.replaceAll(' ', '-')}.tar`)
    await writeBackup(api.sql, whole)
    const archive = await checkArchive(whole)
    const header = { ...archive.header, program: '0.0.9', ...change(archive.header) }
    await assert.rejects(restoreArchive(api.sql, { ...archive, header }), says)
    assert.equal((await api.call('GET', '/system/information')).status, 200)
  })
}
