import { spawn } from 'node:child_process'
import { once } from 'node:events'
import type { Account } from './account.ts'
import { runAs } from './account.ts'

/**
 * A shell between Fordra and the program it runs. It holds the reading end of a pipe whose only writing end is
 * Fordra's: when Fordra ends in any way, kill -9 included, the pipe closes and the program is told to stop (SIGINT,
 * PostgreSQL's fast shutdown; said again each second, since a program that has only just been forked ignores it).
 * It runs in a session of its own, so Ctrl-C in the terminal reaches Fordra alone, and ignores the signals that a
 * supervisor sends to everybody, so that requests in flight still find their database.
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
  /** Process id of the program itself; undefined when it could not even be started. */
  pid: number | undefined
  /** The program's exit code; null when its guard was killed. */
  exited: Promise<number | null>
  /** Asks the program to stop; wait on `exited`. */
  interrupt(): void
  /** Lets this process end although the program runs, which then stops too. */
  unref(): void
}

/** Starts a program that cannot outlive this process. `output` is the descriptor of an open file for all it prints. */
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
  // A guard that has died closes the pipe before this process notices; its exit tells the rest.
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
