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

/** Where a data folder's server has its things. All paths are real ones. */
export type Home = {
  dataFolder: string
  /** Holds what follows; belongs to the user who runs Fordra, so that PostgreSQL's user cannot plant links in it. */
  folder: string
  cluster: string
  log: string
  account: Account | undefined
}

/** Root's place for what an unprivileged user must reach when the data folder lies where that user may not go. */
export const systemFolder = '/var/lib/fordra'

/** Makes the folders where they are missing. Throws DatabaseUnusable where they cannot be made or reached. */
export function prepareHome(dataFolder: string, report: (line: string) => void): Home {
  const real = makeDataFolder(dataFolder)
  const local = join(real, 'postgres')
  if (!isRoot()) return prepareOwnHome(real, local)

  const elsewhere = elsewhereOf(real)
  // Files that exist decide: a folder whose mode has changed since must not make the data seem lost.
  const existing = [elsewhere, local].find((folder) => existsSync(join(folder, 'cluster')))
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

/** Whether a data folder has a database already. Makes nothing. */
export function hasDatabase(dataFolder: string): boolean {
  if (!existsSync(dataFolder)) return false
  const real = realpathSync(dataFolder)
  return [elsewhereOf(real), join(real, 'postgres')].some((folder) => existsSync(join(folder, 'cluster')))
}

const elsewhereOf = (real: string): string =>
  join(systemFolder, createHash('sha256').update(real).digest('hex').slice(0, 16))

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
    // Root's PostgreSQL runs as somebody else, who must be able to pass through but not to look around.
    makeFolder(dataFolder, isRoot() ? 0o711 : 0o700)
    return realpathSync(dataFolder)
  } catch (error) {
    throw unwritable(dataFolder, error)
  }
}

/** Sets the mode only on a folder it makes itself, and whatever the umask is. */
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

/** Tries what PostgreSQL will need: a folder of its user's own inside. Leaves no trace where that fails. */
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
    // A network or shared folder that lets nobody give files away is out of reach too; one that is full is not ours to judge.
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
    // Not empty, or not there.
  }
}

/** Makes a folder the account's own and private. */
export function giveTo(folder: string, account: Account | undefined): void {
  chmodSync(folder, 0o700)
  if (account) chownSync(folder, account.uid, account.gid)
}

// The system's limit for the name of a socket, less the name that PostgreSQL gives it.
const longestSocketFolder = (process.platform === 'darwin' ? 103 : 107) - '/.s.PGSQL.5432'.length
export const socketFolderPrefix = 'fordra-socket-'

/** The folder for the server's socket: beside the cluster, or a short private one where that path is too long. */
export function makeSocketFolder(home: Home): string {
  const beside = join(home.folder, 'socket')
  if (Buffer.byteLength(beside) <= longestSocketFolder) {
    // What a killed server left in it names a process whose number may be anybody's by now.
    rmSync(beside, { recursive: true, force: true })
    mkdirSync(beside)
    giveTo(beside, home.account)
    return beside
  }
  for (const temporary of [tmpdir(), '/tmp']) {
    const folder = mkdtempSync(join(realpathSync(temporary), socketFolderPrefix))
    giveTo(folder, home.account)
    // Root's temporary folder may be closed to PostgreSQL's user: on macOS each user has one of his own.
    if (Buffer.byteLength(folder) <= longestSocketFolder && canWriteIn(folder, home.account)) return folder
    rmdirSync(folder)
  }
  throw new DatabaseUnusable(
    `There is no place for the database's socket: ${beside} is too long a path, and ${home.account?.name ?? 'this user'} ` +
      'cannot use the temporary folder /tmp. Choose a shorter FORDRA_DATA.',
  )
}
