/** Restores the embedded database as of a moment, from an archive of base backups and the log. */
import { readdir, readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { walFolder } from '../database/embedded/log-archive.ts'
import { recoverCluster } from '../database/embedded/recover-cluster.ts'
import type { Db } from '../database/transaction.ts'
import { BackupRefused, megabytes, type ProgressListener } from './archive.ts'
import { listBaseBackups, type BaseBackup } from './base-backup.ts'

export interface Restored {
  until: Date
  base: BaseBackup
  /** The time of the last restored transaction; null when there is none after the base backup. */
  lastTransaction: Date | null
}

/**
 * Throws BackupRefused when the archive does not cover the moment, and says which moments it covers. Throws
 * DatabaseUnusable when the data folder has a database or cannot be used. Both leave everything unchanged.
 */
export async function restoreUntil(
  archive: string,
  until: Date,
  options: {
    dataFolder: string
    report: (line: string) => void
    /** Works on the recovered database, before it gets its place. Its tables are those of the moment. */
    onRecovered?: ((db: Db) => Promise<void>) | undefined
  } & Pick<ProgressListener, 'onProgress'>,
): Promise<Restored> {
  if (until.getTime() > Date.now())
    throw new BackupRefused(`${until.toISOString()} is in the future. Give a moment in the past.`)
  const base = await chooseBase(archive, until)
  const segment = await readFirstSegment(base)
  const segments = await requireLog(archive, { base, segment, until })
  options.report(`Restoring the base backup ${base.folder}`)
  const { dataFolder, report, onProgress, onRecovered } = options
  const lastTransaction = await recoverCluster({
    dataFolder,
    report,
    archive,
    base: base.folder,
    segments,
    until,
    onRecovered,
    onBytes: onProgress && ((done, all) => onProgress(done / all, `${megabytes(done)} restored`)),
  })
  return { until, base, lastTransaction }
}

async function chooseBase(archive: string, until: Date): Promise<BaseBackup> {
  const bases = await listBaseBackups(archive)
  const base = bases.find(({ finishedAt }) => finishedAt <= until)
  if (base) return base
  const first = bases.at(-1)
  throw new BackupRefused(
    first
      ? `The first base backup in ${archive} was finished at ${first.finishedAt.toISOString()}: no earlier moment can be restored.`
      : `${archive} has no base backup. Name a folder that was FORDRA_ARCHIVE and that 'fordra backup --base' wrote to.`,
  )
}

async function readFirstSegment({ folder }: BaseBackup): Promise<string> {
  const label = await readFile(join(folder, 'backup_label'), 'utf8')
  const [, segment] = /^START WAL LOCATION: \S+ \(file ([0-9A-F]{24})\)$/m.exec(label) ?? []
  if (segment === undefined) throw new BackupRefused(`${folder} is damaged: its backup_label names no log.`)
  return segment
}

/** The log segments from the base backup to the moment. Throws BackupRefused when they have a gap or end before it. */
async function requireLog(
  archive: string,
  { base, segment, until }: { base: BaseBackup; segment: string; until: Date },
): Promise<string[]> {
  const wal = walFolder(archive)
  const names = new Set(await readdir(wal).catch(() => []))
  const segments: string[] = []
  let next = segment
  let reaches: Date | undefined
  for (; names.has(next); next = segmentAfter(next)) {
    segments.push(next)
    // A segment's file time is that of its last write, when the next one began.
    reaches = (await stat(join(wal, next))).mtime
    if (until <= reaches) return segments
  }
  const isGap = [...names].some((name) => /^[0-9A-F]{24}$/.test(name) && name > next)
  const possible =
    reaches === undefined || reaches < base.finishedAt
      ? 'nothing can be restored with this base backup'
      : `the last moment that can be restored is ${reaches.toISOString()}`
  throw new BackupRefused(
    isGap || reaches === undefined
      ? `The archive lacks ${join(wal, next)}: ${possible}. Put that file back, or name another moment.`
      : `The archived log ends before ${until.toISOString()}: ${possible}.`,
  )
}

const segmentsPerLog = 0x100
const hex = (part: number): string => part.toString(16).toUpperCase().padStart(8, '0')

/** The name of the next segment: timeline, log number, and the number of the 16 MiB segment in that log. */
function segmentAfter(name: string): string {
  const number =
    Number.parseInt(name.slice(8, 16), 16) * segmentsPerLog + Number.parseInt(name.slice(16), 16) + 1
  return `${name.slice(0, 8)}${hex(Math.floor(number / segmentsPerLog))}${hex(number % segmentsPerLog)}`
}
