import { chmodSync, chownSync, existsSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'

/**
 * Takes the lock that gives this process exclusive use of a data folder, or says who holds it. Node has no call for
 * file locks, but its SQLite uses the operating system's record locks. The kernel releases such a lock when its process
 * ends in any way, so there are no stale locks. The lock can also be taken before a cluster exists. The SQLite file
 * stays empty and has no journal.
 */
export function takeOwnerLock(folder: string): { release(): void } | { holder: string | undefined } {
  const file = join(folder, 'owner.lock')
  const pidFile = join(folder, 'owner.pid')
  const lock = new DatabaseSync(file, { timeout: 0 })
  try {
    lock.exec('pragma journal_mode = memory; begin exclusive')
  } catch (error) {
    lock.close()
    if (!isBusy(error)) throw error
    return { holder: readHolder(pidFile) }
  }
  writeHolder(pidFile)
  // Any user who can open the lock file could hold the lock.
  chmodSync(file, 0o600)
  shareWithFolderOwner([file, pidFile])
  return { release: () => lock.close() }
}

function isBusy(error: unknown): boolean {
  const busy = 5
  return error instanceof Error && 'errcode' in error && error.errcode === busy
}

function writeHolder(pidFile: string): void {
  try {
    writeFileSync(pidFile, `${process.pid}\n`)
  } catch {
    // On a full disk the refusal of another process cannot name this one; the file has no other use.
  }
}

function readHolder(pidFile: string): string | undefined {
  try {
    return readFileSync(pidFile, 'utf8').trim() || undefined
  } catch {
    return undefined
  }
}

/** When root starts a user's Fordra once, its files must stay usable for that user. */
function shareWithFolderOwner(files: string[]): void {
  if (process.getuid?.() !== 0) return
  for (const file of files.filter((name) => existsSync(name))) {
    const { uid, gid } = statSync(dirname(file))
    chownSync(file, uid, gid)
  }
}
