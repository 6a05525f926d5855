/** The program as a process of its own, with its log. */
import { spawn } from 'node:child_process'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openTestDatabase } from '../database.ts'
import { childEnvironment } from './child-environment.ts'

const programFile = join(import.meta.dirname, '../../../cli/main.ts')

/** The program on a database of its own; its log goes to standard error. */
export async function startProgram(settings: Record<string, string>) {
  const database = await openTestDatabase()
  const child = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', programFile, 'start'], {
    // Outside of folders with a .env file.
    cwd: tmpdir(),
    env: childEnvironment({ DATABASE_URL: database.url, PORT: '0', ...settings }),
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let [output, log] = ['', '']
  child.stderr.on('data', (chunk: Buffer) => (log += chunk.toString()))
  const address = await new Promise<string>((resolve, reject) => {
    child.stdout.on('data', (chunk: Buffer) => {
      output += chunk.toString()
      const found = /answers at (\S+)/.exec(output)?.[1]
      if (found !== undefined) resolve(found)
    })
    child.once('exit', () => reject(new Error(`The program ended: ${log}`)))
  })
  return {
    address,
    sql: database.sql,
    /** What it has logged so far. */
    readLog: () => log,
    /** Returns everything it logged. */
    stop: async () => {
      child.kill('SIGTERM')
      await new Promise((resolve) => child.once('close', resolve))
      await database.close()
      return log
    },
  }
}
