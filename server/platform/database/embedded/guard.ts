import { spawn } from 'node:child_process'
import { once } from 'node:events'
import type { Account } from './account.ts'
import { runAs } from './account.ts'

/**
 * A shell between Fordra and the program it runs. It holds the reading end of a pipe whose only writing end is
 * Fordra's. When Fordra ends in any way, kill -9 included, the pipe closes and the shell sends SIGINT (PostgreSQL's
 * fast shutdown), repeated each second because a newly forked program ignores it. The shell has its own session, so
 * Ctrl-C reaches only Fordra. It ignores signals that supervisors send to all processes, so that running requests keep
 * their database.
 */
const guardScript = `
trap '' HUP INT TERM PIPE
exec 3<&0
"$@" </dev/null 3<&- >&2 &
program=$!
(
  while read -r _; do :; done <&3
  while kill -INT "$program"; do sleep 1; done
) >/dev/null 2>&1 &
reader=$!
exec 3<&- </dev/null
echo "$program"
exec >/dev/null
wait "$program"
code=$?
kill -KILL "$reader"
exit "$code"
`

export type GuardedProgram = {
  /** The program's process id; undefined when it could not be started. */
  pid: number | undefined
  /** The program's exit code; null when its guard was killed. */
  exited: Promise<number | null>
  /** Asks the program to stop; then wait for `exited`. */
  interrupt(): void
  /** Lets this process exit while the program runs; the program then stops too. */
  unref(): void
}

/** Starts a program that cannot outlive this process. `output` is the descriptor of a file for its output. */
export async function runGuarded(options: {
  command: string
  args: string[]
  account: Account | undefined
  environment: Record<string, string>
  output: number
}): Promise<GuardedProgram> {
  const guard = spawn('/bin/sh', ['-c', guardScript, 'fordra-guard', options.command, ...options.args], {
    ...runAs(options.account),
    detached: true,
    env: { PATH: process.env['PATH'] ?? '/usr/bin:/bin', ...options.environment },
    stdio: ['pipe', 'pipe', options.output],
  })
  const { stdin, stdout } = guard
  if (!stdin || !stdout) throw new Error('The guard was started without its pipes.')
  // A dead guard closes the pipe before this process notices; its exit code tells the rest.
  stdin.on('error', () => {})
  const exited = new Promise<number | null>((resolve, reject) => {
    guard.once('exit', (code) => resolve(code))
    guard.once('error', reject)
  })
  exited.catch(() => {})
  const [line] = await Promise.race([once(stdout, 'data'), exited.then(() => [''])])
  stdout.destroy()
  const pid = Number.parseInt(String(line), 10)
  return {
    pid: Number.isNaN(pid) ? undefined : pid,
    exited,
    interrupt: () => {
      guard.ref()
      stdin.end()
    },
    unref: () => {
      guard.unref()
      if ('unref' in stdin && typeof stdin.unref === 'function') stdin.unref()
    },
  }
}
