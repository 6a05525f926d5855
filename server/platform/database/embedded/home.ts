import { createHash } from 'node:crypto'
import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  realpathSync,
  rmdirSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseUnusable } from '../database-unusable.ts'
import type { Account } from './account.ts'
import { canWriteIn, chooseAccount, isRoot } from './account.ts'

/** The paths of a data folder's server, with links resolved. */
export type Home = {
  dataFolder: string
  /**
   * Parent of the following; belongs to the user who runs Fordra, so that PostgreSQL's user cannot put links into it.
   */
  folder: string
  cluster: string
  log: string
  account: Account | undefined
}

/**
 * Used by root for files that an unprivileged user must reach, when that user cannot enter the data folder. It is not
 * the home of the user `fordra`, whom the Debian package makes: others may not enter that one, and root runs programs
 * only from folders that are its own.
 */
export const systemFolder = '/var/lib/fordra-postgres'
/** Where earlier versions kept them. */
export const formerSystemFolder = '/var/lib/fordra'

/** Creates missing folders. Throws DatabaseUnusable when they cannot be created or reached. */
export function prepareHome(dataFolder: string, report: (line: string) => void): Home {
  const real = makeDataFolder(dataFolder)
  const local = join(real, 'postgres')
  if (!isRoot()) return prepareOwnHome(real, local)

  const elsewhere = fallbackFolder(systemFolder, real)
  // Existing files decide: a changed folder mode must not make the data seem lost.
  const existing = findExisting(real)
  const account = chooseAccount(existing && join(existing, 'cluster'))
  const folder = existing ?? (reachableHome(local, account) ? local : elsewhere)
  if (folder === elsewhere) {
    mkdirSync(systemFolder, { recursive: true, mode: 0o755 })
    makeFolder(elsewhere, 0o711)
    writeFileSync(join(elsewhere, 'data-folder.txt'), `${real}\n`)
    report(
      `The database is kept in ${elsewhere}: it runs as the user ${account?.name}, who may not enter ${real}`,
    )
  }
  const home = describeHome(real, folder, account)
  if (existing && !canWriteIn(home.cluster, account)) {
    throw new DatabaseUnusable(
      `The database in ${home.cluster} belongs to the user ${account?.name}, who cannot reach it any more. ` +
        'Let everybody pass through the folders above it (chmod o+x), or move the data folder and set FORDRA_DATA.',
    )
  }
  return home
}

/** True if a data folder has a database. Creates nothing. */
export function hasDatabase(dataFolder: string): boolean {
  return existsSync(dataFolder) && findExisting(realpathSync(dataFolder)) !== undefined
}

const findExisting = (real: string): string | undefined =>
  [fallbackFolder(systemFolder, real), fallbackFolder(formerSystemFolder, real), join(real, 'postgres')].find(
    (folder) => existsSync(join(folder, 'cluster')),
  )

const fallbackFolder = (parent: string, real: string): string =>
  join(parent, createHash('sha256').update(real).digest('hex').slice(0, 16))

const describeHome = (dataFolder: string, folder: string, account: Account | undefined): Home => ({
  dataFolder,
  folder,
  cluster: join(folder, 'cluster'),
  log: join(folder, 'server.log'),
  account,
})

function prepareOwnHome(dataFolder: string, local: string): Home {
  try {
    makeFolder(local, 0o700)
  } catch (error) {
    throw unwritable(dataFolder, error)
  }
  const home = describeHome(dataFolder, local, undefined)
  const own = [local, home.cluster].every(
    (path) => !existsSync(path) || statSync(path).uid === process.getuid?.(),
  )
  if (!own || !canWriteIn(local, undefined)) {
    throw new DatabaseUnusable(
      `The database in ${local} belongs to another user. Start Fordra as that user (or as root, if root made it), ` +
        'or choose another folder with FORDRA_DATA.',
    )
  }
  return home
}

function makeDataFolder(dataFolder: string): string {
  try {
    // Root's PostgreSQL runs as another user, who must be able to enter but not list the folder.
    makeFolder(dataFolder, isRoot() ? 0o711 : 0o700)
    return realpathSync(dataFolder)
  } catch (error) {
    throw unwritable(dataFolder, error)
  }
}

/** Sets the mode, regardless of the umask, only on a folder that it creates. */
export function makeFolder(folder: string, mode: number): void {
  if (existsSync(folder) && statSync(folder).isDirectory()) return
  mkdirSync(folder, { recursive: true })
  chmodSync(folder, mode)
}

function unwritable(dataFolder: string, error: unknown): DatabaseUnusable {
  const reason = error instanceof Error ? error.message : String(error)
  return new DatabaseUnusable(
    `The data folder ${dataFolder} cannot be written: ${reason}. Make it writable for the user who runs Fordra, ` +
      'or choose another one with FORDRA_DATA.',
    { cause: error },
  )
}

/** Tries what PostgreSQL needs: a folder of its user inside. Leaves nothing behind on failure. */
function reachableHome(folder: string, account: Account | undefined): boolean {
  let probe: string | undefined
  let reachable = false
  try {
    makeFolder(folder, 0o711)
    probe = mkdtempSync(join(folder, 'probe-'))
    giveTo(probe, account)
    reachable = canWriteIn(probe, account)
    return reachable
  } catch (error) {
    // A network or shared folder where ownership cannot change counts as unreachable. Other errors, such as a full
    // disk, do not.
    if (hasCode(error, ['EPERM', 'EACCES'])) return false
    throw unwritable(folder, error)
  } finally {
    if (probe !== undefined) rmdirSync(probe)
    if (!reachable) removeEmpty(folder)
  }
}

const hasCode = (error: unknown, codes: string[]): boolean =>
  error instanceof Error && 'code' in error && codes.includes(String(error.code))

function removeEmpty(folder: string): void {
  try {
    rmdirSync(folder)
  } catch {
    // Not empty, or missing.
  }
}

/** Makes a folder the account's own and private. */
export function giveTo(folder: string, account: Account | undefined): void {
  chmodSync(folder, 0o700)
  if (account) chownSync(folder, account.uid, account.gid)
}

// The system's limit for a socket path, less the name that PostgreSQL appends.
const longestSocketFolder = (process.platform === 'darwin' ? 103 : 107) - '/.s.PGSQL.5432'.length
export const socketFolderPrefix = 'fordra-socket-'

/** The folder for the server's socket: beside the cluster, or a short private one when that path is too long. */
export function makeSocketFolder(home: Home): string {
  const beside = join(home.folder, 'socket')
  if (Buffer.byteLength(beside) <= longestSocketFolder) {
    // A killed server left a lock file there, whose process number may have been reused.
    rmSync(beside, { recursive: true, force: true })
    mkdirSync(beside)
    giveTo(beside, home.account)
    return beside
  }
  for (const temporary of [tmpdir(), '/tmp']) {
    const folder = mkdtempSync(join(realpathSync(temporary), socketFolderPrefix))
    giveTo(folder, home.account)
    // PostgreSQL's user may have no access to root's temporary folder: on macOS each user has their own.
    if (Buffer.byteLength(folder) <= longestSocketFolder && canWriteIn(folder, home.account)) return folder
    rmdirSync(folder)
  }
  throw new DatabaseUnusable(
    `There is no folder for the database's socket: the path ${beside} is too long, and ${home.account?.name ?? 'this user'} ` +
      'cannot use the temporary folder /tmp. Choose a shorter FORDRA_DATA.',
  )
}
