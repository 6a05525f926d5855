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

const program = join(import.meta.dirname, '../main.ts')

export async function runFordra(
  args: string[],
  { cwd, env = {}, input = '' }: { cwd: string; env?: Record<string, string>; input?: string },
): Promise<Ended> {
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
