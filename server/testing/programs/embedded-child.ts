import type { ChildProcess } from 'node:child_process'
import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { isAlive } from '../../platform/database/embedded/postmaster-file.ts'

export type EmbeddedChild = {
  process: ChildProcess
  /** Its first line: where its server is, or why it has none. Rejects when it ended without a word. */
  answer: Promise<{ url: string } | { refused: string }>
}

/** Starts another process that runs the embedded server on the folder. */
export function startChild(dataFolder: string): EmbeddedChild {
  const child = spawn(
    process.execPath,
    ['--disable-warning=ExperimentalWarning', join(import.meta.dirname, 'embedded-program.ts'), dataFolder],
    { stdio: ['ignore', 'pipe', 'inherit'] },
  )
  const { stdout } = child
  const said = once(stdout, 'data').then(([line]) => JSON.parse(String(line)))
  const ended = once(child, 'exit').then(() => {
    throw new Error('The child ended without a word.')
  })
  const answer = Promise.race([said, ended])
  answer.catch(() => {})
  return { process: child, answer }
}

/** The url of a child that is expected to serve. */
export async function readUrl(child: EmbeddedChild): Promise<string> {
  const answer = await child.answer
  if ('refused' in answer) throw new Error(answer.refused)
  return answer.url
}

export async function killChild(child: EmbeddedChild, signal: NodeJS.Signals): Promise<void> {
  if (child.process.exitCode !== null || child.process.signalCode !== null) return
  const exit = once(child.process, 'exit')
  child.process.kill(signal)
  await exit
}

type Process = { pid: number; parent: number }

/** A process and all below it, from the top. */
export function listTree(pid: number): number[] {
  const all = listProcesses()
  const below = (parent: number): number[] =>
    all
      .filter((process) => process.parent === parent)
      .flatMap((process) => [process.pid, ...below(process.pid)])
  return [pid, ...below(pid)]
}

export function findParent(pid: number): number {
  const found = listProcesses().find((process) => process.pid === pid)
  if (!found) throw new Error(`No process ${pid}`)
  return found.parent
}

function listProcesses(): Process[] {
  const lines = execFileSync('ps', ['-A', '-o', 'pid=,ppid='], { encoding: 'utf8' }).trim().split('\n')
  return lines.map((line) => {
    const [pid, parent] = line.trim().split(/\s+/).map(Number)
    return { pid: pid ?? 0, parent: parent ?? 0 }
  })
}

/** Kills processes outright, the named order being kept: none can react to the end of another. */
export function killAll(pids: number[]): void {
  for (const pid of pids) if (isAlive(pid)) process.kill(pid, 'SIGSTOP')
  for (const pid of pids) if (isAlive(pid)) process.kill(pid, 'SIGKILL')
}

/** Waits for what must come sooner or later; the test runner's own limit ends a wait in vain. */
export async function waitUntil(condition: () => boolean): Promise<void> {
  while (!condition()) await sleep(20)
}
