/** Runs the command line like a user: in its own process, with only the given settings. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { childEnvironment } from '../../server/testing/programs/child-environment.ts'

export interface Ended {
  code: number | null
  out: string
  err: string
}

export interface RunOptions {
  cwd: string
  /** Settings: the only ones. */
  env?: Record<string, string>
  /** On standard input. */
  input?: string
}

const program = join(import.meta.dirname, '../main.ts')

export async function runFordra(args: string[], { cwd, env = {}, input = '' }: RunOptions): Promise<Ended> {
  const child = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', program, ...args], {
    cwd,
    env: childEnvironment(env),
    stdio: ['pipe', 'pipe', 'pipe'],
  })
  let [out, err] = ['', '']
  child.stdout.on('data', (text) => (out += String(text)))
  child.stderr.on('data', (text) => (err += String(text)))
  child.stdin.end(input)
  const [code] = (await once(child, 'close')) as [number | null]
  return { code, out, err }
}
