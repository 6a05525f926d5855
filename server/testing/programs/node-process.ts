/** A node of the service in a process of its own, on a test's database: one that may be killed. */
import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { anchorFolder } from './child-environment.ts'

export interface NodeProcess {
  child: ChildProcess
  address: string
  output(): string
  /** Resolves with the exit code when it has ended. */
  end(signal: 'SIGKILL' | 'SIGTERM'): Promise<number | null>
}

const ownProgram = join(import.meta.dirname, '../../../cli/main.ts')

export async function startNodeProcess(
  databaseUrl: string,
  settings: Record<string, string> = {},
  program = ownProgram,
): Promise<NodeProcess> {
  const child = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', program, 'start'], {
    env: {
      ...process.env,
      DATABASE_URL: databaseUrl,
      FORDRA_ANCHOR: anchorFolder(databaseUrl),
      PORT: '0',
      FORDRA_LOG_LEVEL: '0',
      FORDRA_RATE_LIMIT: '0',
      FORDRA_ADMIN_EMAIL: 'admin@agency.example',
      FORDRA_ADMIN_PASSWORD: adminPassword,
      ...settings,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let text = ''
  child.stdout.on('data', (chunk: Buffer) => (text += chunk.toString()))
  child.stderr.on('data', (chunk: Buffer) => (text += chunk.toString()))
  while (!text.includes('Ctrl-C') && child.exitCode === null) await sleep(20)
  const address = /answers at (http:\S+)/.exec(text)?.[1]
  if (address === undefined) throw new Error(`The node did not start:\n${text}`)
  return {
    child,
    address,
    output: () => text,
    end: async (signal) => {
      if (child.exitCode !== null || child.signalCode !== null) return child.exitCode
      const exit = once(child, 'exit')
      child.kill(signal)
      await exit
      return child.exitCode
    },
  }
}

export const adminPassword = 'administrator of the test'
