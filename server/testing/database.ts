import { createHash } from 'node:crypto'
import type { Database } from '../platform/database/database.ts'
import { openDatabase, withDatabaseName } from '../platform/database/database.ts'
import { migrate, migrationsFolder, readMigrations } from '../platform/database/schema/migrate.ts'
import { findUnlisted, listStoredShapes } from './stored-events.ts'
import {
  startTestServer,
  testPoolerPreparesVariable,
  testPoolerVariable,
  testServerVariable,
} from './test-server.ts'

/** `url` leads to the database itself; `lists` is null where a pooler is in front, as in `open-configured.ts`. */
export type TestDatabase = { sql: Database; url: string; lists: Database | null; close(): Promise<void> }

const templateLock = 0x54455354
let ownServer: ReturnType<typeof startTestServer> | undefined
/** By server and folder: a test may start a server of its own. */
const templates = new Map<string, Promise<string>>()
let opened = 0
let openNow = 0

/**
 * A database of the test's own with all migrations applied, cloned from a template: about 30 ms of processor time in memory, 200 ms on a disk. `close` drops it.
 * All tests of a run share one server; a test file run by itself starts one, which ends with it.
 */
export async function openTestDatabase(folder: string = migrationsFolder): Promise<TestDatabase> {
  const server = await findServer()
  const template = await findTemplate(server, folder)
  opened += 1
  openNow += 1
  const name = `test_${process.pid}_${opened}_${Date.now().toString(36)}`
  await administer(server, async (database) => {
    await database`create database ${database(name)} template ${database(template)} strategy file_copy`
  })
  const url = withDatabaseName(server, name)
  const pools = openTestPools(url, 8)
  return {
    ...pools,
    url,
    close: async () => {
      await pools.close()
      const unlisted = folder === migrationsFolder ? await findUnlistedShapes(url) : []
      await administer(server, (database) => database`drop database if exists ${database(name)} with (force)`)
      await stopWhenUnused()
      if (unlisted.length > 0)
        throw new Error(
          `Events that contract/platform/event-texts.ts does not tell of: ${unlisted.join('; ')}.`,
        )
    },
  }
}

async function findUnlistedShapes(url: string): Promise<string[]> {
  const database = openDatabase(url, { max: 1 })
  try {
    return findUnlisted(await listStoredShapes(database))
  } finally {
    await database.end({ timeout: 5 })
  }
}

/** The pools of a node; through a pooler in transaction mode where the tests are run so (`test/cluster/pooler.ts`). */
export function openTestPools(url: string, max: number): Omit<TestDatabase, 'url'> {
  const pooler = process.env[testPoolerVariable]
  const address = new URL(url)
  const through = pooler === undefined ? url : `postgres://fordra@${pooler}${address.pathname}`
  const sql = openDatabase(through, {
    max,
    applicationName: 'fordra test',
    prepare: pooler === undefined || process.env[testPoolerPreparesVariable] !== undefined,
  })
  const lists =
    pooler === undefined
      ? openDatabase(url, { max: 2, applicationName: 'fordra test lists', planEach: true })
      : null
  return {
    sql,
    lists,
    close: async () => {
      await Promise.all([sql.end({ timeout: 1 }), lists?.end({ timeout: 1 })])
    },
  }
}

/** A server of this file's own ends with its last database; a file's hooks run in no order that would tell later. */
async function stopWhenUnused(): Promise<void> {
  openNow -= 1
  if (openNow > 0 || !ownServer) return
  const server = await ownServer
  ownServer = undefined
  templates.clear()
  await server.stop()
}

async function findServer(): Promise<string> {
  const shared = process.env[testServerVariable]
  if (shared) return shared
  const { url } = await (ownServer ??= startTestServer())
  return url
}

function findTemplate(server: string, folder: string): Promise<string> {
  const key = `${server} ${folder}`
  let template = templates.get(key)
  if (!template) {
    template = makeTemplate(server, folder)
    templates.set(key, template)
  }
  return template
}

/** Named for the migrations it holds. Made under another name and renamed, so that half a template is never cloned. */
async function makeTemplate(server: string, folder: string): Promise<string> {
  const migrations = await readMigrations(folder)
  const checksums = migrations.map((migration) => migration.checksum).join()
  const name = `template_${createHash('sha256').update(checksums).digest('hex').slice(0, 16)}`
  await administer(server, async (database) => {
    await database`select pg_advisory_lock(${templateLock})`
    const found = await database`select from pg_database where datname = ${name}`
    if (found.length > 0) return
    const unfinished = `${name}_unfinished`
    await database`drop database if exists ${database(unfinished)} with (force)`
    await database`create database ${database(unfinished)}`
    await migrate(withDatabaseName(server, unfinished), () => {}, folder)
    await database`alter database ${database(unfinished)} rename to ${database(name)}`
  })
  return name
}

/** Databases are made and dropped from a connection to another one, the server's `postgres`. */
async function administer<Result>(
  server: string,
  work: (database: Database) => Promise<Result>,
): Promise<Result> {
  const database = openDatabase(withDatabaseName(server, 'postgres'), { max: 1 })
  try {
    return await work(database)
  } finally {
    await database.end({ timeout: 5 })
  }
}
