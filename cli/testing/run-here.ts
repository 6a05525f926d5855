/** Runs a command in the process of the test, which costs a second less than a process of its own. */
import assert from 'node:assert/strict'
import { Readable, Writable } from 'node:stream'
import { childEnvironment } from '../../server/testing/programs/child-environment.ts'
import { runCommand } from '../run-command.ts'
import type { Ended, RunOptions } from './run-fordra.ts'

let isRunning = false

/** As `runFordra`, where the end of the process is not what is tested. One at a time: it changes what is the process's. */
export async function runHere(args: string[], { cwd, env = {}, input = '' }: RunOptions): Promise<Ended> {
  assert.ok(!isRunning, 'Another command runs in this process.')
  isRunning = true
  const [out, err] = [collectText(), collectText()]
  const former = { cwd: process.cwd(), env: { ...process.env }, exitCode: process.exitCode }
  const restore = replaceStreams({ stdin: Readable.from([input]), stdout: out.stream, stderr: err.stream })
  process.chdir(cwd)
  setEnvironment(childEnvironment(env))
  process.exitCode = undefined
  try {
    await runCommand(args)
    return { code: Number(process.exitCode ?? 0), out: out.read(), err: err.read() }
  } finally {
    process.exitCode = former.exitCode
    setEnvironment(former.env)
    process.chdir(former.cwd)
    restore()
    isRunning = false
  }
}

/** In place, as the environment of a new thread is copied from that of the process. */
function setEnvironment(variables: NodeJS.ProcessEnv): void {
  for (const name of Object.keys(process.env)) if (!(name in variables)) delete process.env[name]
  Object.assign(process.env, variables)
}

function replaceStreams(streams: Record<'stdin' | 'stdout' | 'stderr', Readable | Writable>): () => void {
  const names = ['stdin', 'stdout', 'stderr'] as const
  const former = names.map((name) => [name, Object.getOwnPropertyDescriptor(process, name)!] as const)
  for (const name of names)
    Object.defineProperty(process, name, { value: streams[name], configurable: true, enumerable: true })
  return () => {
    for (const [name, property] of former) Object.defineProperty(process, name, property)
  }
}

function collectText(): { stream: Writable; read(): string } {
  let text = ''
  const stream = new Writable({
    write: (part, _encoding, done) => {
      text += String(part)
      done()
    },
  })
  return { stream, read: () => text }
}
