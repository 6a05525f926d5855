import { closeSync, fstatSync, openSync, readFileSync, renameSync, rmSync, statSync } from 'node:fs'
import { constants, fchownSync } from 'node:fs'
import { basename, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { openDatabase, socketUrl, withDatabaseName } from '../database.ts'
import { DatabaseUnusable } from '../database-unusable.ts'
import type { Binaries } from './binaries.ts'
import { prepareBinaries } from './binaries.ts'
import { ensureCluster, findUtf8Locale, superuser } from './cluster.ts'
import { clearFormerServer, endOrphanedWorkers } from './former-server.ts'
import type { GuardedProgram } from './guard.ts'
import { runGuarded } from './guard.ts'
import type { Home } from './home.ts'
import { makeSocketFolder, prepareHome, socketFolderPrefix, systemFolder } from './home.ts'
import { hasArchive, prepareArchive, attachArchive } from './log-archive.ts'
import { takeOwnerLock } from './owner-lock.ts'
import { readPostmasterFile } from './postmaster-file.ts'
import type { LogUse } from './settings.ts'
import { chooseSettings } from './settings.ts'

export type EmbeddedServer = {
  /** For openDatabase and migrate; libpq's tools accept it too. */
  url: string
  /** Closes every connection and stops the server. Can be called more than once. */
  stop(): Promise<void>
  /** The server's exit code, whoever stopped it; null if unknown. */
  exited: Promise<number | null>
}

const databaseName = 'fordra'
const longestLogBytes = 8 * 1024 * 1024
const startTries = 40
const gapWarning =
  'This start does not archive the log, as earlier ones did by FORDRA_ARCHIVE. Make a base backup at the next one that does.'
const stopLimitMs = 60_000

/**
 * Starts the bundled PostgreSQL on the data folder; the first start creates a cluster. The server ends with this
 * process, however it ends. `durable: false` is for tests alone: faster, but lost in a power cut. Throws
 * DatabaseUnusable when another Fordra uses the folder, it is not writable, or the server does not start.
 */
export async function startEmbedded(options: {
  dataFolder: string
  report: (line: string) => void
  durable?: boolean
  /** The folder for the archived write-ahead log. */
  archive?: string | undefined
}): Promise<EmbeddedServer> {
  const { report, archive, durable = true } = options
  const home = prepareHome(options.dataFolder, report)
  const lock = ownHome(home)
  try {
    if (archive !== undefined) prepareArchive(archive, home)
    else if (hasArchive(home)) report(gapWarning)
    const binaries = await prepareBinaries(home.account, systemFolder, report)
    await ensureCluster(home, binaries, { durable, report })
    if (archive !== undefined) attachArchive(archive, home)
    const server = await runServer(home, binaries, { durable, report, archive })
    await ensureDatabase(server.url)
    const stop = async (): Promise<void> => {
      await server.stop()
      lock.release()
    }
    let stopping: Promise<void> | undefined
    return { ...server, stop: () => (stopping ??= stop()) }
  } catch (error) {
    lock.release()
    throw error
  }
}

/** Throws DatabaseUnusable while another process uses the data folder. */
export function ownHome(home: Home): { release(): void } {
  const lock = takeOwnerLock(home.folder)
  if (!('holder' in lock)) return lock
  const holder = lock.holder === undefined ? '' : ` (pid ${lock.holder})`
  throw new DatabaseUnusable(
    `The database in ${home.dataFolder} is in use by another running Fordra${holder}; ` +
      'stop it or choose another folder with FORDRA_DATA.',
  )
}

type StartOptions = LogUse & { durable: boolean; report: (line: string) => void }

/** Starts the server of a cluster. The caller holds the owner's lock. */
export async function runServer(
  home: Home,
  binaries: Binaries,
  options: StartOptions,
): Promise<EmbeddedServer> {
  const { server, socketFolder } = await startServer(home, binaries, options)
  server.unref()
  const stop = async (): Promise<void> => {
    await stopServer(server)
    removeSocketFolder(socketFolder)
  }
  return { url: socketUrl(socketFolder, superuser, databaseName), exited: server.exited, stop }
}

/**
 * Tries more than once. A server whose Fordra was just killed may write its postmaster.pid after our check, and workers
 * of a killed server may still be ending. PostgreSQL then refuses to start, and we check again.
 */
async function startServer(
  home: Home,
  binaries: Binaries,
  options: StartOptions,
): Promise<{ server: GuardedProgram; socketFolder: string }> {
  for (let attempt = 1; ; attempt += 1) {
    await clearFormerServer(home.cluster, options.report)
    const socketFolder = makeSocketFolder(home)
    const started = await tryServer(home, binaries, { ...options, socketFolder })
    if ('server' in started) return { server: started.server, socketFolder }
    removeSocketFolder(socketFolder)
    const occupied = /lock file ".*" already exists|pre-existing shared memory block/.test(started.failure)
    if (!occupied || attempt === startTries) {
      throw new DatabaseUnusable(`PostgreSQL did not start: ${started.failure}`)
    }
    endOrphanedWorkers(home.cluster)
    await sleep(250)
  }
}

async function tryServer(
  home: Home,
  binaries: Binaries,
  options: StartOptions & { socketFolder: string },
): Promise<{ server: GuardedProgram } | { failure: string }> {
  const log = openLog(home)
  const logStart = fstatSync(log).size
  const settings = chooseSettings(options)
  try {
    const server = await runGuarded({
      command: join(binaries.folder, 'bin', 'postgres'),
      args: [
        '-D',
        home.cluster,
        ...Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]),
      ],
      account: home.account,
      // Without an existing locale, macOS starts threads in the server, which PostgreSQL refuses.
      environment: { LC_ALL: findUtf8Locale() },
      output: log,
    })
    const patience = options.recovery
      ? 'Reading the archived log'
      : 'Waiting for the database to recover from a crash'
    const ready = await waitUntilReady(server, home, () => options.report(patience))
    return ready ? { server } : { failure: readFailure(home.log, logStart) }
  } finally {
    closeSync(log)
  }
}

/** True when the server accepts connections, false when it has ended instead. Recovery after a crash takes a while. */
async function waitUntilReady(
  server: GuardedProgram,
  home: Home,
  reportPatience: () => void,
): Promise<boolean> {
  const pollMs = 5
  const end = new AbortController()
  const noteEnd = (): void => end.abort()
  server.exited.then(noteEnd, noteEnd)
  for (let waitedMs = 0; !end.signal.aborted; waitedMs += pollMs) {
    const file = readPostmasterFile(home.cluster)
    if (file && file.pid === server.pid && file.status === 'ready') return true
    if (waitedMs === 1000) reportPatience()
    await sleep(pollMs)
  }
  return false
}

/** Does not follow links, because root writes here. A long log is kept as the previous one. */
function openLog(home: Home): number {
  const { size } = statSync(home.log, { throwIfNoEntry: false }) ?? { size: 0 }
  if (size > longestLogBytes) renameSync(home.log, `${home.log}.1`)
  const { O_APPEND, O_CREAT, O_WRONLY, O_NOFOLLOW } = constants
  const log = openSync(home.log, O_APPEND | O_CREAT | O_WRONLY | O_NOFOLLOW, 0o600)
  if (home.account) {
    const { uid, gid } = statSync(home.folder)
    fchownSync(log, uid, gid)
  }
  return log
}

function readFailure(log: string, start: number): string {
  const said = readFileSync(log).subarray(start).toString('utf8')
  const lines = said.split('\n').map((line) => line.replace(/^\S+ \S+ \S+ \[\d+\] /, ''))
  const routine =
    /^LOG: +(starting PostgreSQL|listening on|database system|background worker|shutting down|redo)/
  const telling = lines.filter((line) => line !== '' && !routine.test(line))
  return telling.slice(-8).join(' ').trim() || 'it said nothing'
}

/** Runs on each start, because the first one may have been killed between creating the cluster and its database. */
async function ensureDatabase(url: string): Promise<void> {
  const maintenance = openDatabase(withDatabaseName(url, 'postgres'), { max: 1 })
  try {
    const found = await maintenance`select from pg_database where datname = ${databaseName}`
    if (found.length === 0) await maintenance.unsafe(`create database ${databaseName}`)
  } finally {
    await maintenance.end({ timeout: 5 })
  }
}

async function stopServer(server: GuardedProgram): Promise<void> {
  server.interrupt()
  const patience = setTimeout(() => {
    // Safe but abrupt: the next start recovers from the log. A hanging server must not block the stop.
    if (server.pid !== undefined) process.kill(server.pid, 'SIGQUIT')
  }, stopLimitMs)
  await server.exited.catch(() => null)
  clearTimeout(patience)
}

function removeSocketFolder(folder: string): void {
  if (basename(folder).startsWith(socketFolderPrefix)) rmSync(folder, { recursive: true, force: true })
}
