/**
 * The archive of the write-ahead log: `wal` has the log, `base` the base backups, and `life` identifies the archived
 * cluster. A restored cluster writes a different log from the moment of the restore. Both logs in one folder could not
 * be told apart.
 */
import { randomUUID } from 'node:crypto'
import { existsSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { join, sep } from 'node:path'
import { DatabaseUnusable } from '../database-unusable.ts'
import { canWriteIn, isRoot } from './account.ts'
import type { Home } from './home.ts'
import { giveTo, makeFolder } from './home.ts'

export const walFolder = (archive: string): string => join(archive, 'wal')
export const baseFolder = (archive: string): string => join(archive, 'base')
const lifeFile = (folder: string): string => join(folder, 'life')

/** Quoted for /bin/sh, with PostgreSQL's percent sign doubled. */
const quote = (path: string): string => `'${path.replaceAll("'", String.raw`'\''`)}'`.replaceAll('%', '%%')

/**
 * PostgreSQL's `archive_command`. A segment gets its name once it is on disk, and is never overwritten. An existing
 * one, left by a crash, is accepted if it is identical. It keeps the time of its last write.
 */
export function archiveCommand(archive: string): string {
  const wal = quote(walFolder(archive))
  const [file, part] = [`${wal}/%f`, `${wal}/%f.part`]
  return (
    `if test -e ${file}; then cmp -s "%p" ${file}; ` +
    `else cp -p "%p" ${part} && sync ${part} && mv ${part} ${file} && sync ${wal}; fi`
  )
}

export function restoreCommand(archive: string): string {
  const file = `${quote(walFolder(archive))}/%f`
  return `test -f ${file} && cp ${file} "%p"`
}

/** From here on the cluster differs from the archived one. */
export const detachArchive = (home: Home): void => rmSync(lifeFile(home.folder), { force: true })

/**
 * Prepares the folder for the log of this home's cluster, which may not exist yet. Throws DatabaseUnusable when the
 * archive belongs to another cluster, is inside the data folder, or is not writable by the database's user.
 */
export function prepareArchive(archive: string, home: Home): void {
  const own = existsSync(home.cluster) ? readLife(home.folder) : undefined
  makeFolder(archive, isRoot() ? 0o711 : 0o700)
  const found = readLife(archive)
  if (found !== undefined && found !== own) {
    throw new DatabaseUnusable(
      `FORDRA_ARCHIVE=${archive} is the archive of another database than the one in ${home.dataFolder}, or of it as ` +
        "it was before a restore. Choose an empty folder; to bring back what is archived there, use 'fordra restore --until'.",
    )
  }
  const real = `${realpathSync(archive)}${sep}`
  if ([home.dataFolder, home.folder].some((folder) => real.startsWith(`${folder}${sep}`))) {
    throw new DatabaseUnusable(
      `FORDRA_ARCHIVE=${archive} lies in the data folder and would be lost with it. Choose a folder on another disk.`,
    )
  }
  const wal = walFolder(archive)
  if (!existsSync(wal)) {
    makeFolder(wal, 0o700)
    giveTo(wal, home.account)
  }
  if (!canWriteIn(wal, home.account)) {
    throw new DatabaseUnusable(
      `The folder ${wal} cannot be written by the user ${home.account?.name ?? 'who runs Fordra'}, whom the database ` +
        'runs as. Give it to that user and let everybody pass through the folders above it (chmod o+x).',
    )
  }
}

/** True if the home's cluster was archived before, so that a start without archive needs a warning. */
export const hasArchive = (home: Home): boolean =>
  existsSync(home.cluster) && existsSync(lifeFile(home.folder))

/** Binds a prepared folder to the home's cluster. */
export function attachArchive(archive: string, home: Home): void {
  const own = readLife(home.folder) ?? randomUUID()
  for (const folder of [home.folder, archive])
    if (readLife(folder) !== own) writeFileSync(lifeFile(folder), own, { mode: 0o600 })
}

function readLife(folder: string): string | undefined {
  const file = lifeFile(folder)
  return existsSync(file) ? readFileSync(file, 'utf8') : undefined
}
