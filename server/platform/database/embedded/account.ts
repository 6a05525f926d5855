import { execFileSync, spawnSync } from 'node:child_process'
import { statSync } from 'node:fs'

/** The user that PostgreSQL runs as, if not the user that runs Fordra. */
export type Account = { uid: number; gid: number; name: string }

export const isRoot = (): boolean => process.getuid?.() === 0

/**
 * PostgreSQL refuses to run as root. As root, use the owner of existing files, else `postgres` (macOS: `_postgres`),
 * else `nobody`. Undefined for other users, who run PostgreSQL themselves.
 */
export function chooseAccount(existingFolder: string | undefined): Account | undefined {
  if (!isRoot()) return undefined
  const owner = existingFolder === undefined ? undefined : findOwner(existingFolder)
  const account = owner ?? findAccount('postgres') ?? findAccount('_postgres') ?? findAccount('nobody')
  if (!account)
    throw new Error(
      'PostgreSQL cannot run as root, and there is no user postgres or nobody. Create one of them.',
    )
  return account
}

function findOwner(folder: string): Account | undefined {
  const { uid, gid } = statSync(folder)
  return uid === 0 ? undefined : { uid, gid, name: askSystem(['-un', String(uid)]) ?? `number ${uid}` }
}

function findAccount(name: string): Account | undefined {
  const uid = askSystem(['-u', name])
  const gid = askSystem(['-g', name])
  return uid === undefined || gid === undefined ? undefined : { uid: Number(uid), gid: Number(gid), name }
}

/** The system's `id` command knows all users, wherever they are stored. Undefined for an unknown user. */
function askSystem(args: string[]): string | undefined {
  try {
    return execFileSync('id', args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }).trim()
  } catch {
    return undefined
  }
}

/**
 * Options to run a child process as the account, in a folder that everybody may enter. Node reads these ids as signed
 * 32-bit numbers, and macOS's nobody is 4294967294.
 */
export function runAs(account: Account | undefined): { cwd: string; uid?: number; gid?: number } {
  return account ? { cwd: '/', uid: account.uid | 0, gid: account.gid | 0 } : { cwd: '/' }
}

/** Tested by trying, because parent folders, access control lists and mounts also decide. */
export function canWriteIn(folder: string, account: Account | undefined): boolean {
  return succeeds('cd "$0" && test -w .', folder, account)
}

export const canRead = (file: string, account: Account | undefined): boolean =>
  succeeds('test -r "$0"', file, account)

function succeeds(script: string, path: string, account: Account | undefined): boolean {
  const probe = spawnSync('/bin/sh', ['-c', script, path], { ...runAs(account), stdio: 'ignore' })
  return probe.status === 0
}
