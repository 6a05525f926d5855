import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Database } from '../database.ts'
import { openDatabase } from '../database.ts'
import type { Db } from '../transaction.ts'
import { DatabaseUnusable } from '../database-unusable.ts'
import { adoptSquashed, type AppliedMigration } from './squashed-migrations.ts'

export const migrationsFolder = join(import.meta.dirname, 'migrations')

export type Migration = AppliedMigration & { file: string; text: string }

// Any fixed number that no other advisory lock in this database uses.
const migrationLock = 0x464f5244
const oldestServerVersion = 150000

/**
 * Migrates the database at `url`: each missing migration in a transaction of its own, in order, under a lock, so that
 * one of two starting nodes waits. Returns the files applied. Throws DatabaseUnusable when a migration fails or the
 * database does not fit this program.
 */
export async function migrate(
  url: string,
  report: (line: string) => void,
  folder: string = migrationsFolder,
): Promise<{ applied: string[] }> {
  const migrations = await readMigrations(folder)
  // One connection: the lock belongs to the session, and every statement below needs it. Notices are dropped.
  const database = openDatabase(url, { max: 1, applicationName: 'fordra migrate' })
  try {
    await checkServer(database)
    await lockMigrations(database, report)
    await makeMigrationTable(database)
    if (folder === migrationsFolder) await adoptSquashed(database, migrations)
    const missing = findMissing(migrations, await listApplied(database))
    for (const migration of missing) {
      report(`Applying migration ${migration.file}`)
      await applyMigration(database, migration)
    }
    if (folder === migrationsFolder) {
      await prepareQueue(database, url, report)
      if (missing.some(({ name }) => name === trailMigration)) await carryOverTrail(url, report)
    }
    return { applied: missing.map((migration) => migration.file) }
  } finally {
    await database.end({ timeout: 5 })
  }
}

/**
 * Applies what a restored database of an older version lacks, through the connections of the caller, who alone uses it.
 */
export async function migrateRestored(
  database: Database,
  report: (line: string) => void = () => {},
): Promise<void> {
  const missing = findMissing(await readMigrations(), await listApplied(database))
  for (const migration of missing) {
    report(`Applying migration ${migration.file}`)
    await applyMigration(database, migration)
  }
  if (missing.some(({ name }) => name === trailMigration)) await carryOver(database, report)
}

/** Makes the table of migrations and applies these, in the caller's transaction. */
export async function applyMigrations(tx: Db, migrations: readonly Migration[]): Promise<void> {
  await makeMigrationTable(tx)
  for (const migration of migrations) await runMigration(tx, migration)
}

/**
 * The migrations in a folder, in order. Throws DatabaseUnusable for gaps, duplicates and names other than NNN-name.sql.
 */
export async function readMigrations(folder: string = migrationsFolder): Promise<Migration[]> {
  const files = (await readdir(folder)).filter((file) => file.endsWith('.sql')).toSorted()
  const migrations = await Promise.all(files.map((file) => readMigration(folder, file)))
  for (const [index, { number, file }] of migrations.entries()) {
    if (number !== index + 1) {
      throw new DatabaseUnusable(
        `Migrations are numbered from 001 without gaps or doubles: ${file} stands where ${formatNumber(index + 1)} should.`,
      )
    }
  }
  return migrations
}

async function readMigration(folder: string, file: string): Promise<Migration> {
  const match = /^(\d{3})-([a-z0-9-]+)\.sql$/.exec(file)
  if (!match)
    throw new DatabaseUnusable(`The name of a migration must be NNN-name.sql in lower case. Rename ${file}.`)
  // Git may have converted line ends to CRLF, which is not a change.
  const text = (await readFile(join(folder, file), 'utf8')).replaceAll('\r\n', '\n')
  const checksum = createHash('sha256').update(text).digest('hex')
  return { number: Number(match[1]), name: match[2] ?? '', file, text, checksum }
}

/** The last migration of the queue's library. Its package is loaded only when tables are outdated. */
const queueMigration = 20

/** Migrates the queue's own tables, under the same lock. */
async function prepareQueue(database: Database, url: string, report: (line: string) => void): Promise<void> {
  const [table] = await database<[{ exists: boolean }]>`
    select to_regclass('graphile_worker.migrations') is not null as exists`
  if (table.exists) {
    const [row] = await database<[{ last: number }]>`
      select coalesce(max(id), 0)::int as last from graphile_worker.migrations`
    if (row.last >= queueMigration) return
  }
  report('Preparing the tables of the job queue')
  const { migrateQueue } = await import('../../jobs/queue-schema.ts')
  await migrateQueue(url)
}

const trailMigration = 'trail'

/** The part of that migration that is not in SQL. Loaded only when due. */
async function carryOverTrail(url: string, report: (line: string) => void): Promise<void> {
  const database = openDatabase(url, { max: 2, applicationName: 'fordra migrate' })
  try {
    await carryOver(database, report)
  } finally {
    await database.end({ timeout: 5 })
  }
}

async function carryOver(database: Database, report: (line: string) => void): Promise<void> {
  const { carryOverSeals } = await import('../../events/audit-seal.ts')
  const entries = await carryOverSeals(database)
  if (entries > 0) report(`Carried ${entries} entries of the audit trail over`)
}

async function checkServer(database: Database): Promise<void> {
  const [row] = await database<[{ version: string }]>`select current_setting('server_version_num') as version`
  checkServerVersion(Number(row.version))
}

/** @param version PostgreSQL's `server_version_num`, such as 150004 */
export function checkServerVersion(version: number): void {
  if (version < oldestServerVersion) {
    throw new DatabaseUnusable(
      `Fordra needs PostgreSQL ${oldestServerVersion / 10000} or newer; this server is ${Math.floor(version / 10000)}.`,
    )
  }
}

async function lockMigrations(database: Database, report: (line: string) => void): Promise<void> {
  const [row] = await database<[{ locked: boolean }]>`select pg_try_advisory_lock(${migrationLock}) as locked`
  if (row.locked) return
  report('Waiting for another Fordra that is migrating this database')
  await database`select pg_advisory_lock(${migrationLock})`
}

async function makeMigrationTable(database: Db): Promise<void> {
  await database`
    create table if not exists schema_migration (
      number integer primary key,
      name text not null,
      checksum text not null,
      applied_at timestamptz not null default now()
    )`
}

async function listApplied(database: Database): Promise<AppliedMigration[]> {
  return database<AppliedMigration[]>`select number, name, checksum from schema_migration order by number`
}

function findMissing(migrations: Migration[], applied: AppliedMigration[]): Migration[] {
  for (const [index, row] of applied.entries()) {
    const migration = migrations[index]
    if (!migration) {
      throw new DatabaseUnusable(
        `The database is newer than this program: it has migration ${formatNumber(row.number)}-${row.name}, ` +
          `this program ends at ${formatNumber(migrations.length)}. Start the program that made it, or a newer one.`,
      )
    }
    if (row.number !== migration.number || row.checksum !== migration.checksum) {
      throw new DatabaseUnusable(
        `Migration ${migration.file} differs from the one this database was made with (${formatNumber(row.number)}-${row.name}). ` +
          'An applied migration must not change: restore it, and put the change into a new migration.',
      )
    }
  }
  return migrations.slice(applied.length)
}

async function applyMigration(database: Database, migration: Migration): Promise<void> {
  try {
    await database.begin((tx) => runMigration(tx, migration))
  } catch (error) {
    throw new DatabaseUnusable(
      `Migration ${migration.file} failed and was rolled back: ${describeFailure(error, migration)}`,
      { cause: error },
    )
  }
}

async function runMigration(tx: Db, { text, number, name, checksum }: Migration): Promise<void> {
  await tx.unsafe(text).simple()
  await tx`insert into schema_migration (number, name, checksum) values (${number}, ${name}, ${checksum})`
}

function describeFailure(error: unknown, migration: Migration): string {
  if (!(error instanceof Error)) return String(error)
  const position = 'position' in error ? Number(error.position) : Number.NaN
  if (Number.isNaN(position)) return error.message
  return `${error.message} (line ${migration.text.slice(0, position).split('\n').length})`
}

const formatNumber = (number: number): string => String(number).padStart(3, '0')
