/**
 * Base backups of the embedded server's data folder. Together with the archived log they restore any later moment.
 * Source: PostgreSQL 18, chapter 25.3, "Continuous Archiving and Point-in-Time Recovery".
 */
import { mkdir, open, readdir, readFile, rename, rm } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { openDatabase } from '../database/database.ts'
import { copyFolder } from '../database/embedded/copy-cluster.ts'
import { archiveCommand, baseFolder } from '../database/embedded/log-archive.ts'
import { BackupRefused, megabytes, type ProgressListener } from './archive.ts'

const unfinishedSuffix = '.unfinished'
const archivingLimit = '10min'
const controlFile = join('global', 'pg_control')
/** Recreated by each start, or specific to the running server. */
const excludedFiles = new Set([
  'postmaster.pid',
  'postmaster.opts',
  'backup_label',
  'tablespace_map',
  'pg_wal',
  controlFile,
])
const emptied = new Set([
  'pg_replslot',
  'pg_dynshmem',
  'pg_notify',
  'pg_serial',
  'pg_snapshots',
  'pg_stat_tmp',
  'pg_subtrans',
])

export interface BaseBackup {
  folder: string
  /** When it was finished: the earliest moment that it can restore. */
  finishedAt: Date
}

/**
 * Makes a base backup of the server at the URL, which must archive into the folder. Users are not affected. The backup
 * is complete when it appears under its name. Throws BackupRefused when the server archives elsewhere or archiving
 * fails.
 */
export async function writeBaseBackup(
  url: string,
  archive: string,
  waiting: ProgressListener = {},
): Promise<BaseBackup> {
  const sql = openDatabase(url, { max: 1 })
  const bases = baseFolder(archive)
  const unfinished = join(bases, `${backupName(new Date())}${unfinishedSuffix}`)
  try {
    const [server] = await sql<{ cluster: string; command: string; spaces: number; size: number }[]>`
      select current_setting('data_directory') as cluster, current_setting('archive_command') as command,
        (select count(*) from pg_tablespace)::int - 2 as spaces,
        (select sum(pg_database_size(oid)) from pg_database)::float8 as size`
    if (server!.command !== archiveCommand(archive))
      throw new BackupRefused(
        `The running database does not archive its log into ${archive}. Start it with that FORDRA_ARCHIVE.`,
      )
    if (server!.spaces > 0)
      throw new BackupRefused(
        'The database has tablespaces, which a base backup cannot include. Remove them.',
      )
    await mkdir(bases, { recursive: true, mode: 0o700 })
    await sql`select pg_backup_start('fordra', true)`
    let bytes = 0
    await copyCluster(server!.cluster, unfinished, (more) => {
      bytes += more
      waiting.onProgress?.(bytes / server!.size, `${megabytes(bytes)} copied`)
    })
    await sql.unsafe(`set statement_timeout = '${archivingLimit}'`)
    // Waits until the archive has the log that the copy needs.
    const [label] = await sql<{ labelfile: string }[]>`select labelfile from pg_backup_stop(true)`
    await writeFlushed(join(unfinished, 'backup_label'), label!.labelfile)
    const finishedAt = new Date()
    const folder = join(bases, backupName(finishedAt))
    await rename(unfinished, folder)
    return { folder, finishedAt }
  } catch (error) {
    await rm(unfinished, { recursive: true, force: true })
    if ((error as { code?: string }).code !== '57014') throw error
    throw new BackupRefused(
      `The log did not reach ${archive} within ${archivingLimit}; the server's log says why. Make room or repair the folder, and try again.`,
    )
  } finally {
    await sql.end({ timeout: 5 })
  }
}

const shouldCopy = (path: string): boolean =>
  !excludedFiles.has(path) &&
  !emptied.has(join(path, '..')) &&
  !/^(pgsql_tmp|pg_internal\.init)/.test(basename(path))

async function copyCluster(cluster: string, to: string, onFile: (bytes: number) => void): Promise<void> {
  await copyFolder(cluster, to, { takes: shouldCopy, flush: true, onFile })
  // Copied last, and read until two reads agree, because the server may be writing it.
  const from = join(cluster, controlFile)
  let control = await readFile(from)
  for (let again = await readFile(from); !again.equals(control); again = await readFile(from)) control = again
  await writeFlushed(join(to, controlFile), control)
}

async function writeFlushed(file: string, content: string | Buffer): Promise<void> {
  const handle = await open(file, 'wx', 0o600)
  try {
    await handle.writeFile(content)
    await handle.sync()
  } finally {
    await handle.close()
  }
}

/** `20261121T130300.123Z`: valid in every file system, and sorts by time. */
const backupName = (moment: Date): string => moment.toISOString().replaceAll(/[-:]/g, '')

/** The complete base backups, newest first. */
export async function listBaseBackups(archive: string): Promise<BaseBackup[]> {
  const names = await readdir(baseFolder(archive)).catch(() => [])
  return names
    .toSorted()
    .toReversed()
    .flatMap((name) => {
      const [, date, hour, rest] = /^(\d{8})T(\d{2})(\d{4}\.\d{3})Z$/.exec(name) ?? []
      if (date === undefined) return []
      const day = `${date.slice(0, 4)}-${date.slice(4, 6)}-${date.slice(6)}`
      const finishedAt = new Date(`${day}T${hour}:${rest!.slice(0, 2)}:${rest!.slice(2)}Z`)
      return [{ folder: join(baseFolder(archive), name), finishedAt }]
    })
}
