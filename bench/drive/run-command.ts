/** Runs a command of the command line as an operator does, and measures it. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { readMemory } from './memory.ts'

const root = join(import.meta.dirname, '../..')
const shownCharacters = 2000

export interface CommandRun {
  seconds: number
  /** The largest resident set that its process ever had; null where it cannot be read. */
  peakBytes: number | null
}

/** Throws an Error with what the command said when it does not end with 0. */
export async function runCommand(url: string, args: readonly string[]): Promise<CommandRun> {
  const begin = performance.now()
  const child = spawn(
    process.execPath,
    ['--disable-warning=ExperimentalWarning', join(root, 'cli', 'main.ts'), ...args],
    { cwd: root, env: { ...process.env, DATABASE_URL: url }, stdio: ['ignore', 'pipe', 'pipe'] },
  )
  let said = ''
  const listen = (chunk: Buffer) => (said = `${said}${String(chunk)}`.slice(-shownCharacters))
  child.stdout.on('data', listen)
  child.stderr.on('data', listen)
  let peakBytes: number | null = null
  const watch = setInterval(() => (peakBytes = readMemory(child.pid!, 'VmHWM') ?? peakBytes), 50)
  const [code] = (await once(child, 'close')) as [number | null]
  clearInterval(watch)
  const seconds = (performance.now() - begin) / 1000
  if (code !== 0) throw new Error(`fordra ${args.join(' ')} ended with ${code}: ${said}`)
  return { seconds, peakBytes }
}
