import { mkdir } from 'node:fs/promises'
import { resolve } from 'node:path'
import type { Sql } from './driver/pool.ts'
import type { Settings } from '../config.ts'
import { findRunningDatabase } from './connect-running.ts'
import { openDatabase, withoutFlush } from './database.ts'
import { DatabaseUnusable } from './database-unusable.ts'
import { hasDatabase } from './embedded/home.ts'
import { startEmbedded } from './embedded/start-embedded.ts'
import { migrate } from './schema/migrate.ts'

export type Report = (line: string) => void

export interface OpenDatabase {
  sql: Sql
  /** The pool for lists: see `ListMemory`. */
  lists: Sql | null
  /** A streaming replica, if configured. */
  replica: Sql | null
  /** The direct URL of the database, not of a pooler. */
  url: string
  close(): Promise<void>
  /** Settles when the embedded server ends by itself; never for your own server. */
  lost: Promise<void>
}

export interface OpenOptions {
  beside?: boolean
  existing?: boolean
  unflushed?: boolean
}

/**
 * Opens and migrates the configured database: your own server, or the embedded one, which is started. With `beside` it
 * may be the database of a running Fordra. With `existing` no database is created, for commands that read or back up
 * existing data. With `unflushed` no commit waits for the disk; behind a pooler it does.
 */
export async function openConfigured(
  settings: Settings,
  report: Report,
  { beside = false, existing = false, unflushed = false }: OpenOptions = {},
): Promise<OpenDatabase> {
  const adapt = unflushed ? withoutFlush : (url: string) => url
  const archive = requireArchive(settings)
  const own = settings.DATABASE_URL
  const direct = settings.FORDRA_DIRECT_URL
  if (own !== undefined)
    return direct === undefined
      ? openRunning(adapt(own), settings, report)
      : openRunning(own, settings, report, adapt(direct))
  const dataFolder = resolve(settings.FORDRA_DATA)
  if (existing && !hasDatabase(dataFolder))
    throw new DatabaseUnusable(
      `There is no database in ${dataFolder}. Name its folder by FORDRA_DATA, or your own PostgreSQL by DATABASE_URL.`,
    )
  await mkdir(dataFolder, { recursive: true })
  const running = beside ? await findRunningDatabase(dataFolder, report) : undefined
  if (running !== undefined) return openRunning(adapt(running), settings, report)
  const embedded = await startEmbedded({ dataFolder, report, archive })
  try {
    await migrate(embedded.url, report)
  } catch (error) {
    await embedded.stop()
    throw error
  }
  const url = adapt(embedded.url)
  const pools = openPools(url, settings)
  const close = async () => {
    await pools.close()
    await embedded.stop()
  }
  return { ...pools, replica: null, url, close, lost: embedded.exited.then(() => {}) }
}

/** Throws when an archive is configured for your own server, which Fordra does not set up. */
export function requireArchive(settings: Settings): string | undefined {
  const { FORDRA_ARCHIVE: archive, DATABASE_URL: own } = settings
  if (archive === undefined || own === undefined) return archive && resolve(archive)
  throw new DatabaseUnusable(
    'FORDRA_ARCHIVE is for the embedded database, and DATABASE_URL names your own PostgreSQL. Remove FORDRA_ARCHIVE, and ' +
      "set archive_mode and archive_command there: see 'On your own PostgreSQL server' in docs/operate/point-in-time.md.",
  )
}

/** Opens your own server; `directUrl` bypasses a pooler at `url`. */
async function openRunning(
  url: string,
  settings: Settings,
  report: Report,
  directUrl?: string,
): Promise<OpenDatabase> {
  await migrate(directUrl ?? url, report)
  const pools = directUrl === undefined ? openPools(url, settings) : openPooled(url, settings)
  const replica = openReplicaPool(settings)
  const close = async () => {
    await Promise.all([pools.close(), replica?.end({ timeout: 1 })])
  }
  return { ...pools, replica, close, url: directUrl ?? url, lost: new Promise(() => {}) }
}

/** Few connections and short timeouts: reads without an answer from the replica use the primary. */
function openReplicaPool({ FORDRA_REPLICA_URL: url, FORDRA_POOL, FORDRA_PREPARE }: Settings): Sql | null {
  if (url === undefined) return null
  return openDatabase(url, {
    applicationName: 'fordra replica',
    max: FORDRA_POOL,
    connectTimeoutSeconds: 2,
    statementTimeoutMs: 30_000,
    prepare: FORDRA_PREPARE === 1,
  })
}

/**
 * A single pool: with a pooler in transaction mode every transaction may get another connection, so none can have
 * settings of its own, such as list plans. The pooler must limit the duration of statements.
 */
function openPooled(url: string, settings: Settings) {
  const sql: Sql = openDatabase(url, {
    applicationName: 'fordra',
    max: settings.FORDRA_POOL,
    prepare: settings.FORDRA_PREPARE === 1,
  })
  return { sql, lists: null, close: () => sql.end({ timeout: 5 }) }
}

function openPools(url: string, settings: Settings) {
  const options = {
    applicationName: 'fordra',
    statementTimeoutMs: 30_000,
    // Who waits for a lock holds a connection, of which there are few.
    lockTimeoutMs: 10_000,
    prepare: settings.FORDRA_PREPARE === 1,
  }
  const sql: Sql = openDatabase(url, { ...options, max: settings.FORDRA_POOL })
  const lists: Sql = openDatabase(url, {
    ...options,
    max: Math.ceil(settings.FORDRA_POOL / 2),
    planEach: true,
  })
  const close = async () => {
    await Promise.all([sql.end({ timeout: 5 }), lists.end({ timeout: 5 })])
  }
  return { sql, lists, close }
}
