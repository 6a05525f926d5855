import { readdirSync, rmSync } from 'node:fs'
import { basename } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { DatabaseUnusable } from '../database-unusable.ts'
import { socketFolderPrefix } from './home.ts'
import { servesCluster, postmasterFilePath, readPostmasterFile } from './postmaster-file.ts'

const pollMs = 20
const fastShutdownMs = 30_000
const immediateShutdownMs = 15_000

/**
 * Cleans up after an earlier Fordra on this cluster. The caller holds the owner's lock, so that Fordra has ended. Its
 * postmaster.pid may name a process that has ended, an unrelated process with the same number, or its PostgreSQL, which
 * is then stopped here.
 */
export async function clearFormerServer(cluster: string, report: (line: string) => void): Promise<void> {
  const file = readPostmasterFile(cluster)
  if (!file) return
  if (servesCluster(file.pid, cluster)) {
    report(`Stopping the database server that an earlier Fordra left behind (pid ${file.pid})`)
    await stopServer(file.pid, cluster)
  }
  // A server that stopped cleanly has removed its file.
  rmSync(postmasterFilePath(cluster), { force: true })
  if (basename(file.socketFolder).startsWith(socketFolderPrefix)) {
    rmSync(file.socketFolder, { recursive: true, force: true })
  }
}

async function stopServer(pid: number, cluster: string): Promise<void> {
  for (const [signal, limitMs] of [
    ['SIGINT', fastShutdownMs],
    ['SIGQUIT', immediateShutdownMs],
  ] as const) {
    for (let waitedMs = 0; waitedMs < limitMs; waitedMs += pollMs) {
      if (!servesCluster(pid, cluster)) return
      // Signals repeatedly, because a newly forked server does not handle signals yet.
      if (waitedMs % 1000 === 0) signalProcess(pid, signal)
      await sleep(pollMs)
    }
  }
  throw new DatabaseUnusable(
    `The database server left behind by an earlier Fordra (pid ${pid}) does not stop. End it, then start again.`,
  )
}

/**
 * Ends worker processes of a killed PostgreSQL. During a long query they do not notice, and a new server refuses to
 * start beside them. Only Linux shows which processes these are; elsewhere they end with their query.
 */
export function endOrphanedWorkers(cluster: string): void {
  if (process.platform !== 'linux') return
  for (const entry of readdirSync('/proc').filter((name) => /^\d+$/.test(name))) {
    const pid = Number(entry)
    if (servesCluster(pid, cluster)) signalProcess(pid, 'SIGQUIT')
  }
}

function signalProcess(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal)
  } catch {
    // It has ended meanwhile.
  }
}
