/** Brings the embedded database back as it was at a moment, out of an archive of base backups and the log. */
import { readdir, readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { walFolder } from '../database/embedded/log-archive.ts'
import { recoverCluster } from '../database/embedded/recover-cluster.ts'
import { BackupRefused, megabytes, type Waiting } from './archive.ts'
import { listBaseBackups, type BaseBackup } from './base-backup.ts'

export interface Restored {
  until: Date
  base: BaseBackup
  /** When the last transaction that is in it was; null where there is none since the base backup. */
  lastTransaction: Date | null
}

/**
 * Throws BackupRefused where the archive does not reach the moment, saying which ones it does; DatabaseUnusable where the
 * data folder has a database already or cannot be used. Either leaves everything as it was.
 */
export async function restoreUntil(
  archive: string,
  until: Date,
  options: { dataFolder: string; report: (line: string) => void } & Pick<Waiting, 'onProgress'>,
): Promise<Restored> {
  if (until.getTime() > Date.now())
    throw new BackupRefused(`${until.toISOString()} is still to come. Give a moment of the past.`)
  const base = await chooseBase(archive, until)
  const segment = await readFirstSegment(base)
  const segments = await requireLog(archive, { base, segment, until })
  options.report(`Restoring the base backup ${base.folder}`)
  const { dataFolder, report, onProgress } = options
  const lastTransaction = await recoverCluster({
    dataFolder,
    report,
    archive,
    base: base.folder,
    segments,
    until,
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
      ? `The first base backup in ${archive} was finished at ${first.finishedAt.toISOString()}: no earlier moment can be brought back.`
      : `${archive} has no base backup. Name a folder that was FORDRA_ARCHIVE and that 'fordra backup --base' wrote to.`,
  )
}

async function readFirstSegment({ folder }: BaseBackup): Promise<string> {
  const label = await readFile(join(folder, 'backup_label'), 'utf8')
  const [, segment] = /^START WAL LOCATION: \S+ \(file ([0-9A-F]{24})\)$/m.exec(label) ?? []
  if (segment === undefined) throw new BackupRefused(`${folder} is damaged: its backup_label names no log.`)
  return segment
}

/**
 * The segments of the log from the base backup to the moment. Throws BackupRefused where there is a gap before it, or they
 * end before it.
 */
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
    // A segment keeps the time of its last write, when the one after it began.
    reaches = (await stat(join(wal, next))).mtime
    if (until <= reaches) return segments
  }
  const isGap = [...names].some((name) => /^[0-9A-F]{24}$/.test(name) && name > next)
  const possible =
    reaches === undefined || reaches < base.finishedAt
      ? 'nothing can be brought back with this base backup'
      : `the last moment that can be brought back is ${reaches.toISOString()}`
  throw new BackupRefused(
    isGap || reaches === undefined
      ? `The archive lacks ${join(wal, next)}: ${possible}. Put that file back, or name another moment.`
      : `The archived log ends before ${until.toISOString()}: ${possible}.`,
  )
}

const segmentsOfLog = 0x100
const hex = (part: number): string => part.toString(16).toUpperCase().padStart(8, '0')

/** The name of the segment that follows: timeline, number of the log and, of 16 MiB each, number in it. */
function segmentAfter(name: string): string {
  const number =
    Number.parseInt(name.slice(8, 16), 16) * segmentsOfLog + Number.parseInt(name.slice(16), 16) + 1
  return `${name.slice(0, 8)}${hex(Math.floor(number / segmentsOfLog))}${hex(number % segmentsOfLog)}`
}
