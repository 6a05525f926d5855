import { execFileSync, spawnSync } from 'node:child_process'
import { statSync } from 'node:fs'

/** The user that PostgreSQL runs as, where that is not the user that runs Fordra. */
export type Account = { uid: number; gid: number; name: string }

export const isRoot = (): boolean => process.getuid?.() === 0

/**
 * PostgreSQL refuses to run as root, so root needs somebody else: whoever owns the files already, else `postgres`
 * (macOS: `_postgres`), else `nobody`. Undefined for an ordinary user, who runs it as himself.
 */
export function chooseAccount(existingFolder: string | undefined): Account | undefined {
  if (!isRoot()) return undefined
  const owner = existingFolder === undefined ? undefined : findOwner(existingFolder)
  const account = owner ?? findAccount('postgres') ?? findAccount('_postgres') ?? findAccount('nobody')
  if (!account) throw new Error('Neither a user postgres nor a user nobody is there to run PostgreSQL as.')
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

/** The `id` of the system knows its users wherever they are kept; undefined for one that it does not know. */
function askSystem(args: string[]): string | undefined {
  try {
    return execFileSync('id', args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }).trim()
  } catch {
    return undefined
  }
}

/**
 * The options that make a child process run as the account; the folder it starts in must be one anybody may enter.
 * Node takes the numbers here as 32 bits with a sign, and macOS's nobody is 4294967294.
 */
export function runAs(account: Account | undefined): { cwd: string; uid?: number; gid?: number } {
  return account ? { cwd: '/', uid: account.uid | 0, gid: account.gid | 0 } : { cwd: '/' }
}

/** Asked of the system itself by trying, because folders above, lists of access and mounts all have a say. */
export function canWriteIn(folder: string, account: Account | undefined): boolean {
  return succeeds('cd "$0" && test -w .', folder, account)
}

export const canRead = (file: string, account: Account | undefined): boolean =>
  succeeds('test -r "$0"', file, account)

function succeeds(script: string, path: string, account: Account | undefined): boolean {
  const probe = spawnSync('/bin/sh', ['-c', script, path], { ...runAs(account), stdio: 'ignore' })
  return probe.status === 0
}
