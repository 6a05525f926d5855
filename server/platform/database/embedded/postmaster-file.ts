import { execFileSync } from 'node:child_process'
import { readFileSync, readlinkSync } from 'node:fs'
import { join } from 'node:path'

/** What a running PostgreSQL writes to postmaster.pid in its data folder. */
export type PostmasterFile = { pid: number; socketFolder: string; status: string }

export const postmasterFilePath = (cluster: string): string => join(cluster, 'postmaster.pid')

/** Undefined when the file is missing. A truncated file (full disk) has pid NaN. */
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
 * True if the process is a PostgreSQL server of this cluster. After a crash the number may be unused or belong to
 * another program. A server has its cluster as working folder. `cluster` is a real path.
 */
export function servesCluster(pid: number, cluster: string, platform: string = process.platform): boolean {
  if (!(pid > 0) || !isAlive(pid)) return false
  try {
    if (platform === 'linux') {
      const command = readFileSync(`/proc/${pid}/cmdline`, 'utf8')
      return command.includes('postgres') && readlinkSync(`/proc/${pid}/cwd`) === cluster
    }
    // Without -ww macOS truncates the line at the window width, or at 79 characters.
    const command = execFileSync('ps', ['-ww', '-o', 'command=', '-p', String(pid)], { encoding: 'utf8' })
    return command.includes('postgres') && command.includes(cluster)
  } catch {
    // It has ended, or belongs to another user and so cannot be a server on our files.
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
