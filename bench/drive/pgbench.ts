/** The ceiling of the database: the same SQL sent by pgbench, without HTTP and without Node. */
import { execFile, spawnSync } from 'node:child_process'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { anyValue, poolSize, type Statement } from '../scenarios/statements.ts'

const run = promisify(execFile)

/** pgbench's version, or null where it is not installed. */
export function findPgbench(): string | null {
  const { stdout } = spawnSync('pgbench', ['--version'], { encoding: 'utf8' })
  return /PostgreSQL\) (\S+)/.exec(stdout ?? '')?.[1] ?? null
}

export interface PgbenchScript {
  planEach: boolean
  args: string[]
}

/**
 * Writes the statements of each kind of request as a script, of which pgbench takes each as often; null without any. A
 * changing key is taken out of a list inside the statement, since pgbench has no random texts; that costs well under a
 * microsecond.
 */
export async function writePgbenchScript(
  kinds: readonly (readonly Statement[])[],
  { keys, folder }: { keys: readonly string[]; folder: string },
): Promise<PgbenchScript | null> {
  const statements = kinds.flat()
  if (statements.length === 0) return null
  const variables: string[] = []
  const scripts = kinds.map((kind, place) =>
    kind.map(({ text, parameters }, index) => {
      const filled = text.replaceAll(/\$(\d+)/g, (_whole, number: string) => {
        const value = parameters[Number(number) - 1] ?? null
        if (value === null) return 'null'
        if (value === anyValue) return `('{${keys.join(',')}}'::uuid[])[:key]`
        if (typeof value === 'string' && value.includes(anyValue)) return ':value'
        const name = `p${place}_${index}_${number}`
        variables.push('-D', `${name}=${value}`)
        return `:${name}`
      })
      return `${filled.trim()};\n`
    }),
  )
  const random = `\\set key random(1, ${keys.length})\n\\set value random(1, 1000000000)\n`
  const files = scripts.map((_, place) => join(folder, `pgbench-${place}.sql`))
  await Promise.all(files.map((file, place) => writeFile(file, random + scripts[place]!.join(''))))
  const mode = statements.every(({ prepared }) => prepared) ? 'prepared' : 'extended'
  const planEach = statements.some((statement) => statement.planEach === true)
  return { planEach, args: ['-n', '-M', mode, ...files.flatMap((file) => ['-f', file]), ...variables] }
}

/**
 * Transactions per second, over no more connections to the database than the servers have. Throws with what pgbench said
 * when a statement failed.
 */
export async function drivePgbench(
  url: string,
  { args, planEach }: PgbenchScript,
  { connections, seconds }: { connections: number; seconds: number },
): Promise<number> {
  const { stdout } = await run(
    'pgbench',
    [...args, '-c', String(Math.min(connections, poolSize)), '-j', '1', '-T', String(seconds), url],
    {
      env: {
        ...process.env,
        PGCLIENTENCODING: 'UTF8',
        LC_ALL: 'C',
        ...(planEach && { PGOPTIONS: '-c plan_cache_mode=force_custom_plan' }),
      },
    },
  )
  const failed = Number(/failed transactions: (\d+)/.exec(stdout)?.[1] ?? 0)
  const rate = Number(/tps = ([\d.]+)/.exec(stdout)?.[1])
  if (failed > 0 || !(rate > 0)) throw new Error(`pgbench failed: ${stdout}`)
  return rate
}

const scaleRows = 5

/**
 * Transactions per second of pgbench's own `simple-update` over two connections, which do not wait for the disk: how fast
 * the machine is just now. Null where pgbench is not installed. `url` is that of a database of its own.
 */
export async function measureMachine(url: string, seconds: number): Promise<number | null> {
  if (findPgbench() === null) return null
  const env = { ...process.env, PGOPTIONS: '-c synchronous_commit=off', LC_ALL: 'C' }
  await run('pgbench', ['-i', '-q', '-s', String(scaleRows), url], { env })
  const { stdout } = await run(
    'pgbench',
    ['-n', '-N', '-M', 'prepared', '-c', '2', '-j', '1', '-T', String(seconds), url],
    { env },
  )
  return Number(/tps = ([\d.]+)/.exec(stdout)![1])
}
