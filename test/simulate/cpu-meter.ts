/** The CPU time of this process and of the database server, so that a measurement does not depend on a busy machine. */
import { readdirSync, readFileSync } from 'node:fs'

/** `/proc` counts in hundredths of a second. */
const ticksPerSecond = 100

export class CpuMeter {
  readonly #server: number | undefined
  #before = 0

  /** @param backend a process of the database server */
  constructor(backend: number) {
    this.#server = readFields(backend)?.[1]
  }

  /** Seconds since the last reading. Of this process alone where there is no `/proc`. */
  read(): number {
    const { user, system } = process.cpuUsage()
    const total = (user + system) / 1e6 + readServer(this.#server)
    // A process of the server that was killed may not be counted any more.
    const seconds = Math.max(0, total - this.#before)
    this.#before = total
    return seconds
  }
}

/** The server's own time, that of its processes which ended, and that of those which run. */
function readServer(server: number | undefined): number {
  if (server === undefined) return 0
  const processes = readdirSync('/proc').filter((name) => /^\d+$/.test(name))
  return processes.reduce((sum, name) => sum + readProcess(Number(name), server), 0)
}

function readProcess(id: number, server: number): number {
  const fields = readFields(id)
  if (!fields) return 0
  const [own, ended] = [fields[11]! + fields[12]!, fields[13]! + fields[14]!]
  if (id === server) return (own + ended) / ticksPerSecond
  return fields[1] === server ? own / ticksPerSecond : 0
}

/** What `/proc` tells of a process, after its name; undefined where it has ended. */
function readFields(id: number): number[] | undefined {
  try {
    const text = readFileSync(`/proc/${id}/stat`, 'utf8')
    return text
      .slice(text.lastIndexOf(')') + 2)
      .split(' ')
      .map(Number)
  } catch {
    return undefined
  }
}
