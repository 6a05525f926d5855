/** Finds the embedded database of a running Fordra, for commands that work beside it. */
import { setTimeout as sleep } from 'node:timers/promises'
import { openDatabase, socketUrl } from './database.ts'
import { DatabaseUnusable } from './database-unusable.ts'
import { superuser } from './embedded/cluster.ts'
import { prepareHome } from './embedded/home.ts'
import { takeOwnerLock } from './embedded/owner-lock.ts'
import { servesCluster, readPostmasterFile } from './embedded/postmaster-file.ts'

const databaseName = 'fordra'
const pollMs = 100
const patienceMs = 30_000

/**
 * The URL of the database that another process has opened in the data folder; undefined when there is no such process.
 * Waits for one that is starting. Throws DatabaseUnusable when that takes too long.
 */
export async function findRunningDatabase(
  dataFolder: string,
  report: (line: string) => void,
): Promise<string | undefined> {
  const home = prepareHome(dataFolder, () => {})
  for (let waitedMs = 0; waitedMs < patienceMs; waitedMs += pollMs) {
    const lock = takeOwnerLock(home.folder)
    if (!('holder' in lock)) {
      lock.release()
      return undefined
    }
    const file = readPostmasterFile(home.cluster)
    if (file?.status === 'ready' && servesCluster(file.pid, home.cluster)) {
      const url = socketUrl(file.socketFolder, superuser, databaseName)
      if (await answers(url)) return url
    }
    if (waitedMs === 1000) report('Waiting for the other running Fordra to open its database')
    await sleep(pollMs)
  }
  throw new DatabaseUnusable(
    `Another Fordra holds the data folder ${dataFolder}, but its database does not answer. Stop it and try again.`,
  )
}

async function answers(url: string): Promise<boolean> {
  const database = openDatabase(url, { max: 1 })
  try {
    await database`select`
    return true
  } catch {
    return false
  } finally {
    await database.end({ timeout: 1 })
  }
}
