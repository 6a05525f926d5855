import { execFileSync } from 'node:child_process'
import { readFileSync, readlinkSync } from 'node:fs'
import { join } from 'node:path'

/** What a running PostgreSQL says about itself in its data folder's postmaster.pid. */
export type PostmasterFile = { pid: number; socketFolder: string; status: string }

export const postmasterFilePath = (cluster: string): string => join(cluster, 'postmaster.pid')

/** Undefined when there is none. A file cut short (a full disk) has pid NaN. */
export function readPostmasterFile(cluster: string): PostmasterFile | undefined {
  try {
    const lines = readFileSync(postmasterFilePath(cluster), 'utf8').split('\n')
    return {
      pid: Number.parseInt(lines[0] ?? '', 10),
      socketFolder: lines[4] ?? '',
      status: (lines[7] ?? '').trim(),
    }
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined
    throw error
  }
}

/**
 * Whether the process is a PostgreSQL that works on this cluster: after a crash the number in the file may belong to
 * nobody or to any other program. A server makes its cluster its working folder. `cluster` is a real path.
 */
export function isServerOf(pid: number, cluster: string, platform: string = process.platform): boolean {
  if (!(pid > 0) || !isAlive(pid)) return false
  try {
    if (platform === 'linux') {
      const command = readFileSync(`/proc/${pid}/cmdline`, 'utf8')
      return command.includes('postgres') && readlinkSync(`/proc/${pid}/cwd`) === cluster
    }
    // Without -ww macOS cuts the line where the window ends, at 79 characters where there is none.
    const command = execFileSync('ps', ['-ww', '-o', 'command=', '-p', String(pid)], { encoding: 'utf8' })
    return command.includes('postgres') && command.includes(cluster)
  } catch {
    // Gone meanwhile, or another user's process, which cannot be a server on our files.
    return false
  }
}

export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM'
  }
}
