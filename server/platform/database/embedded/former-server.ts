import { readdirSync, rmSync } from 'node:fs'
import { basename } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { DatabaseUnusable } from '../database-unusable.ts'
import { socketFolderPrefix } from './home.ts'
import { isServerOf, postmasterFilePath, readPostmasterFile } from './postmaster-file.ts'

const pollMs = 20
const fastShutdownMs = 30_000
const immediateShutdownMs = 15_000

/**
 * Clears away what an earlier Fordra left on this cluster. The caller holds the owner's lock, so that Fordra is gone;
 * its postmaster.pid may name a process that is gone (stale), one that is anything else (the number was given again),
 * or its PostgreSQL, still stopping or left behind, which is stopped here.
 */
export async function clearFormerServer(cluster: string, report: (line: string) => void): Promise<void> {
  const file = readPostmasterFile(cluster)
  if (!file) return
  if (isServerOf(file.pid, cluster)) {
    report(`Stopping the database server that an earlier Fordra left behind (pid ${file.pid})`)
    await stopServer(file.pid, cluster)
  }
  // A server that stopped in order has removed its file.
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
      if (!isServerOf(pid, cluster)) return
      // Said again and again, because a server that has only just been forked does not listen yet.
      if (waitedMs % 1000 === 0) signalProcess(pid, signal)
      await sleep(pollMs)
    }
  }
  throw new DatabaseUnusable(
    `The database server left behind by an earlier Fordra (pid ${pid}) does not stop. End it, then start again.`,
  )
}

/**
 * Ends worker processes whose PostgreSQL was killed: one in the midst of a long query does not notice, and a new server
 * refuses to start beside it. Only Linux shows which processes these are; elsewhere they end with their query.
 */
export function endOrphanedWorkers(cluster: string): void {
  if (process.platform !== 'linux') return
  for (const entry of readdirSync('/proc').filter((name) => /^\d+$/.test(name))) {
    const pid = Number(entry)
    if (isServerOf(pid, cluster)) signalProcess(pid, 'SIGQUIT')
  }
}

function signalProcess(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal)
  } catch {
    // Gone meanwhile.
  }
}
