/**
 * The databases that are measured. One with the wanted number of debtors is made once and kept; every run works on a
 * copy of it, so that runs compare although they write.
 */
import { createHash } from 'node:crypto'
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { Sql } from '../../server/platform/database/driver/pool.ts'
import { openDatabase, withDatabaseName } from '../../server/platform/database/database.ts'
import { startEmbedded } from '../../server/platform/database/embedded/start-embedded.ts'
import { migrate, readMigrations } from '../../server/platform/database/schema/migrate.ts'
import { loadDebtors } from './load-debtors.ts'

export type Report = (line: string) => void

export interface BenchServer {
  /** Of the database for maintenance. */
  url: string
  version: string
  close(): Promise<void>
}

/** One's own server where DATABASE_URL says so, else the embedded one on a data folder of the bench's own. */
export async function openBenchServer(report: Report): Promise<BenchServer> {
  const own = process.env['DATABASE_URL']
  if (own !== undefined && own !== '') {
    return { url: own, version: await readVersion(own), close: async () => {} }
  }
  const dataFolder = join(process.env['FORDRA_DATA'] ?? './data-local', 'bench')
  await mkdir(dataFolder, { recursive: true })
  const embedded = await startEmbedded({ dataFolder, report })
  const url = withDatabaseName(embedded.url, 'postgres')
  return { url, version: await readVersion(url), close: () => embedded.stop() }
}

async function readVersion(url: string): Promise<string> {
  return withMaintenance(url, async (sql) => {
    const [row] = await sql<{ version: string }[]>`select current_setting('server_version') as version`
    return row!.version.split(' ')[0]!
  })
}

async function withMaintenance<T>(url: string, work: (sql: Sql) => Promise<T>): Promise<T> {
  const sql = openDatabase(url, { max: 1, applicationName: 'fordra bench' })
  try {
    return await work(sql)
  } finally {
    await sql.end({ timeout: 5 })
  }
}

const namePrefix = 'fordra_bench'

/** What a database has beside its debtors. */
export interface Content {
  name: string
  load(url: string, report: Report): Promise<void>
}

/** The URL of a fresh copy of the database with so many debtors, which is made first where there is none. */
export async function prepareDatabase(
  server: BenchServer,
  debtors: number,
  report: Report,
  content?: Content,
): Promise<string> {
  const original = await prepareOriginal(server, debtors, report, content)
  const copy = `${namePrefix}_run_${debtors}`
  await withMaintenance(server.url, async (sql) => {
    await sql`drop database if exists ${sql(copy)} with (force)`
    await sql`create database ${sql(copy)} template ${sql(original)} strategy file_copy`
  })
  return withDatabaseName(server.url, copy)
}

/** An empty database of the product's, for the measurement of the import. */
export async function prepareEmptyDatabase(server: BenchServer): Promise<string> {
  const name = `${namePrefix}_import`
  await withMaintenance(server.url, async (sql) => {
    await sql`drop database if exists ${sql(name)} with (force)`
    await sql`create database ${sql(name)}`
  })
  const url = withDatabaseName(server.url, name)
  await migrate(url, () => {})
  return url
}

/** Runs work on a database of its own without anything of the product's. */
export async function withBareDatabase<T>(
  server: BenchServer,
  work: (url: string) => Promise<T>,
): Promise<T> {
  const name = `${namePrefix}_bare`
  const url = withDatabaseName(server.url, name)
  await withMaintenance(server.url, async (sql) => {
    await sql`drop database if exists ${sql(name)} with (force)`
    await sql`create database ${sql(name)}`
  })
  try {
    return await work(url)
  } finally {
    await dropDatabase(server, url)
  }
}

export async function dropDatabase(server: BenchServer, url: string): Promise<void> {
  const name = decodeURIComponent(new URL(url).pathname.slice(1))
  await withMaintenance(server.url, (sql) => sql`drop database if exists ${sql(name)} with (force)`)
}

async function prepareOriginal(
  server: BenchServer,
  debtors: number,
  report: Report,
  content?: Content,
): Promise<string> {
  const sameSize = `${namePrefix}_${content ? `${content.name}_` : ''}${debtors}_`
  const name = `${sameSize}${await hashSchema()}`
  const loading = `${namePrefix}_loading`
  await withMaintenance(server.url, async (sql) => {
    const known = await sql<{ name: string }[]>`
      select datname as name from pg_database where starts_with(datname, ${sameSize})`
    if (known.some((database) => database.name === name)) return
    // Those of an older schema are of no use to anybody.
    for (const old of known) await sql`drop database ${sql(old.name)} with (force)`
    report(`Making a database with ${debtors} debtors (once)`)
    await sql`drop database if exists ${sql(loading)} with (force)`
    await sql`create database ${sql(loading)}`
    const url = withDatabaseName(server.url, loading)
    await migrate(url, () => {})
    await loadDebtors(url, debtors, report)
    await content?.load(url, report)
    await sql`alter database ${sql(loading)} rename to ${sql(name)}`
  })
  return name
}

async function hashSchema(): Promise<string> {
  const migrations = await readMigrations()
  const checksums = migrations.map(({ checksum }) => checksum).join(' ')
  return createHash('sha256').update(checksums).digest('hex').slice(0, 12)
}
