import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { openDatabase, withDatabaseName } from '../database.ts'
import type { Db } from '../transaction.ts'
import { DatabaseUnusable } from '../database-unusable.ts'
import { canRead } from './account.ts'
import type { Binaries } from './binaries.ts'
import { prepareBinaries } from './binaries.ts'
import { checkMajorVersion, clearUnfinished, nameCluster, unfinishedPrefix } from './cluster.ts'
import { copyFolder, measureFolder } from './copy-cluster.ts'
import type { Home } from './home.ts'
import { giveTo, prepareHome, systemFolder } from './home.ts'
import { walFolder } from './log-archive.ts'
import { ownHome, runServer } from './start-embedded.ts'

export interface RecoveryOrder {
  dataFolder: string
  archive: string
  /** The folder of the base backup. */
  base: string
  /** The log segments needed, in order. */
  segments: readonly string[]
  until: Date
  report: (line: string) => void
  /** Works on the recovered database, whose tables are those of the moment. */
  onRecovered?: ((db: Db) => Promise<void>) | undefined
  /** Called with the bytes of base backup and log that are in place, and their total. */
  onBytes?: ((done: number, all: number) => void) | undefined
}

const segmentBytes = 16 * 1024 * 1024
const lookEveryMs = 50

/**
 * Creates the data folder's cluster from a base backup and the archived log, as of a moment. Returns the time of its
 * last transaction (null: none after the base backup). The cluster gets its name when complete, so a refused or killed
 * recovery leaves the folder unchanged. Throws DatabaseUnusable when a cluster exists.
 */
export async function recoverCluster(order: RecoveryOrder): Promise<Date | null> {
  const home = prepareHome(order.dataFolder, order.report)
  const lock = ownHome(home)
  try {
    if (existsSync(home.cluster)) {
      throw new DatabaseUnusable(
        `The data folder ${home.dataFolder} holds a database already, and nothing of it would be overwritten. ` +
          `Move ${home.cluster} away, or restore into another folder with FORDRA_DATA.`,
      )
    }
    const segment = join(walFolder(order.archive), order.segments[0]!)
    if (!canRead(segment, home.account)) {
      throw new DatabaseUnusable(
        `${segment} cannot be read by the user ${home.account?.name ?? 'who runs Fordra'}, whom the database runs as. ` +
          'Give the archived log to that user and let everybody pass through the folders above it (chmod o+x).',
      )
    }
    const binaries = await prepareBinaries(home.account, systemFolder, order.report)
    checkMajorVersion({ ...home, cluster: order.base }, binaries)
    clearUnfinished(home)
    return await recoverUnfinished(home, binaries, order)
  } finally {
    lock.release()
  }
}

async function recoverUnfinished(home: Home, binaries: Binaries, order: RecoveryOrder): Promise<Date | null> {
  const unfinished = mkdtempSync(join(home.folder, unfinishedPrefix))
  try {
    const { account } = home
    const show = await startCount(order)
    let copied = 0
    await copyFolder(order.base, unfinished, { account, onFile: (bytes) => show((copied += bytes)) })
    mkdirSync(join(unfinished, 'pg_wal'))
    giveTo(join(unfinished, 'pg_wal'), account)
    // PostgreSQL removes the file after the recovery; the settings are on the command line of this start only.
    writeFileSync(join(unfinished, 'recovery.signal'), '')
    const stopWatch = watchLog(join(unfinished, 'pg_wal'), order.segments, (bytes) => show(copied + bytes))
    const reached = await recover({ ...home, cluster: unfinished }, binaries, order).finally(stopWatch)
    show(copied + order.segments.length * segmentBytes)
    nameCluster(unfinished, home)
    return reached
  } finally {
    rmSync(unfinished, { recursive: true, force: true })
  }
}

async function startCount({ base, segments, onBytes }: RecoveryOrder): Promise<(done: number) => void> {
  if (!onBytes) return () => {}
  const all = (await measureFolder(base)) + segments.length * segmentBytes
  return (done) => onBytes(done, all)
}

/**
 * Reports how much of the log the recovering server has fetched: each segment keeps its name. A restarted server
 * fetches them again from the first one; reported progress never decreases.
 */
function watchLog(folder: string, segments: readonly string[], tell: (bytes: number) => void): () => void {
  let fetched = 0
  const timer = setInterval(() => {
    const there = new Set(readdirSync(folder))
    fetched = Math.max(fetched, segments.findLastIndex((name) => there.has(name)) + 1)
    tell(fetched * segmentBytes)
  }, lookEveryMs)
  return () => clearInterval(timer)
}

const withoutArchive =
  'Between the base backup and the moment Fordra ran without FORDRA_ARCHIVE, so the log is incomplete. ' +
  'Name an earlier moment, or one after the next base backup.'

async function recover(home: Home, binaries: Binaries, order: RecoveryOrder): Promise<Date | null> {
  const { archive, until, report, onRecovered } = order
  const start = (recovery: { archive: string; until?: string }) =>
    runServer(home, binaries, { durable: true, report, recovery })
  // The time zone name Z is not known yet when the setting is read.
  const moment = until.toISOString().replace('Z', '+00')
  const server = await start({ archive, until: moment }).catch((error: Error) => {
    // The log continues past the moment without another transaction: recover all of it.
    if (/ended before configured recovery target/.test(error.message)) return start({ archive })
    if (/wal_level=minimal/.test(error.message)) throw new DatabaseUnusable(withoutArchive)
    throw error
  })
  const sql = openDatabase(withDatabaseName(server.url, 'postgres'), { max: 1 })
  try {
    const [row] = await sql<{ last: string | null }[]>`
      select pg_last_xact_replay_timestamp() as last`
    if (onRecovered) await onDatabase(server.url, onRecovered)
    return row!.last === null ? null : new Date(row!.last)
  } finally {
    await sql.end({ timeout: 5 })
    await server.stop()
  }
}

async function onDatabase(url: string, work: (db: Db) => Promise<void>): Promise<void> {
  const sql = openDatabase(url, { max: 1 })
  try {
    await work(sql)
  } finally {
    await sql.end({ timeout: 5 })
  }
}
