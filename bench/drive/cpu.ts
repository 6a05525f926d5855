/** Processor time of processes, from Linux's /proc; elsewhere unknown. */
import { readdirSync, readFileSync } from 'node:fs'
import { openDatabase } from '../../server/platform/database/database.ts'
import type { Sql } from '../../server/platform/database/driver/pool.ts'
import type { Cpu } from '../report/statistics.ts'

/** Clock ticks per second as /proc counts them: 100 on every Linux that Node runs on. */
const ticksPerSecond = 100

interface ProcessTimes {
  parent: number
  name: string
  /** Seconds of the process itself, and of its children that have ended. */
  own: number
  ended: number
}

function readTimes(pid: number): ProcessTimes | null {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'utf8')
    // The name may hold blanks and parentheses; what follows the last one does not.
    const nameEnd = text.lastIndexOf(')')
    const fields = text.slice(nameEnd + 2).split(' ')
    const ticks = (from: number) => (Number(fields[from]) + Number(fields[from + 1])) / ticksPerSecond
    return {
      parent: Number(fields[1]),
      name: text.slice(text.indexOf('(') + 1, nameEnd),
      own: ticks(11),
      ended: ticks(13),
    }
  } catch {
    return null
  }
}

/** The pid of PostgreSQL's first process, or null when the server is another machine's. */
export async function findPostmaster(sql: Sql): Promise<number | null> {
  const [row] = await sql<{ pid: number }[]>`select pg_backend_pid() as pid`
  const backend = readTimes(row!.pid)
  return backend?.name.startsWith('postgres') ? backend.parent : null
}

/** The same by a connection of its own. */
export async function readPostmaster(url: string): Promise<number | null> {
  const sql = openDatabase(url, { max: 1, applicationName: 'fordra bench' })
  try {
    return await findPostmaster(sql)
  } finally {
    await sql.end({ timeout: 5 })
  }
}

function readDatabaseSeconds(postmaster: number): number | null {
  const times = readTimes(postmaster)
  if (!times) return null
  const children = readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map((name) => readTimes(Number(name)))
    .filter((child) => child?.parent === postmaster)
  return times.own + times.ended + children.reduce((sum, child) => sum + child!.own, 0)
}

/** Starts counting; the function returned tells the seconds since. */
export function startCpuCount(pids: { server: number | null; postmaster: number | null }): () => Cpu {
  const read = (): Cpu => ({
    server: pids.server === null ? null : (readTimes(pids.server)?.own ?? null),
    database: pids.postmaster === null ? null : readDatabaseSeconds(pids.postmaster),
  })
  const before = read()
  return () => {
    const now = read()
    return {
      server: difference(now.server, before.server),
      database: difference(now.database, before.database),
    }
  }
}

const difference = (now: number | null, then: number | null) =>
  now === null || then === null ? null : now - then
