/** The servers that are driven, each a process of its own. */
import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, openSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { basePath } from '../../contract/api.ts'
import type { BareConfig } from './bare-server.ts'
import { benchLogin } from '../load/load-debtors.ts'

const root = join(import.meta.dirname, '../..')

export interface ServerProcess {
  address: string
  pid: number
  stop(): Promise<void>
}

/** The product as an operator starts it, its log in a file; only the share of requests per caller is lifted. */
export async function startProduct(options: {
  url: string
  folder: string
  profile?: string | undefined
  settings?: Record<string, string>
}): Promise<ServerProcess> {
  const profiling = options.profile === undefined ? [] : ['--cpu-prof', `--cpu-prof-dir=${options.profile}`]
  return startServer([...profiling, join(root, 'cli', 'main.ts'), 'start'], {
    log: join(options.folder, 'product.log'),
    environment: {
      ...inheritedEnvironment(),
      DATABASE_URL: options.url,
      PORT: '0',
      FORDRA_RATE_LIMIT: '0',
      ...options.settings,
    },
  })
}

export async function startBare(config: BareConfig, folder: string): Promise<ServerProcess> {
  const file = join(folder, 'bare.json')
  await writeFile(file, JSON.stringify(config))
  return startServer([join(import.meta.dirname, 'bare-server.ts'), file], {
    log: join(folder, 'bare.log'),
    environment: inheritedEnvironment(),
  })
}

export const startReference = (url: string, { pool, folder }: { pool: number; folder: string }) =>
  startServer([join(import.meta.dirname, 'reference-server.ts'), url, String(pool)], {
    log: join(folder, 'reference.log'),
    environment: inheritedEnvironment(),
  })

/** Without the settings of the one who measures: figures compare only with the same ones. */
function inheritedEnvironment(): Record<string, string | undefined> {
  const kept = Object.entries(process.env).filter(([name]) => !/^(FORDRA_|PG|PORT$|HOST$)/.test(name))
  return Object.fromEntries(kept)
}

async function startServer(
  args: string[],
  { log, environment }: { log: string; environment: Record<string, string | undefined> },
): Promise<ServerProcess> {
  const logFile = openSync(log, 'a')
  const child = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', ...args], {
    cwd: root,
    env: environment,
    stdio: ['ignore', 'pipe', logFile],
  })
  closeSync(logFile)
  const address = await readAddress(child)
  if (address === undefined) throw new Error(`A server did not start; its log ${log} tells why.`)
  return {
    address,
    pid: child.pid!,
    stop: async () => {
      if (child.exitCode !== null || child.signalCode !== null) return
      const ended = once(child, 'exit')
      child.kill('SIGTERM')
      await ended
    },
  }
}

/** Each server prints where it answers. */
async function readAddress(child: ChildProcess): Promise<string | undefined> {
  for await (const line of createInterface({ input: child.stdout! })) {
    const address = / answers at (http:\S+)/.exec(line)?.[1]
    if (address === undefined) continue
    child.stdout!.resume()
    return address
  }
  return undefined
}

/** Returns an access token. */
export async function signIn(address: string, user = benchLogin): Promise<string> {
  const response = await fetch(`${address}${basePath}/auth/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(user),
  })
  const { accessToken } = (await response.json()) as { accessToken?: string }
  if (accessToken === undefined) throw new Error(`The bench could not sign in: status ${response.status}.`)
  return accessToken
}
