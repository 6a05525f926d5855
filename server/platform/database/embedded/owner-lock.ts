import { chmodSync, chownSync, existsSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'

/**
 * Takes the lock that makes this process the only one to touch a data folder, or says who has it.
 *
 * Node has no call for locking files; its SQLite does, by the operating system's own record locks. The kernel drops
 * such a lock when its process ends in whatever way, so there is no stale lock to judge and nothing to clean up, and it
 * can be taken before there is any cluster. Nothing is ever written into that SQLite file: it stays empty
 * (and keeps no journal beside it).
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
  // Whoever may open the lock's file may also hold a lock on it.
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
    // On a full disk another one's refusal names no process; that is all this file is for.
  }
}

function readHolder(pidFile: string): string | undefined {
  try {
    return readFileSync(pidFile, 'utf8').trim() || undefined
  } catch {
    return undefined
  }
}

/** Root starting somebody's Fordra once must not leave files behind that this somebody cannot open the next time. */
function shareWithFolderOwner(files: string[]): void {
  if (process.getuid?.() !== 0) return
  for (const file of files.filter((name) => existsSync(name))) {
    const { uid, gid } = statSync(dirname(file))
    chownSync(file, uid, gid)
  }
}
