/** The worker process as a function: one run at a time, each with a limit of time, after a crash a new process. */
import { fork, type ChildProcess } from 'node:child_process'
import { sourceFiles, readText } from './sources.ts'
import { findFunctions, instrument } from './instrument.ts'
import type { Outcome, Run, Sources } from './worker.ts'

/** The number of a file's first function. */
export const firstFunction = new Map<string, number>()

function instrumentAll(): Sources {
  const sources: Sources = {}
  let next = 0
  for (const file of sourceFiles) {
    const text = readText(file)
    firstFunction.set(file, next)
    sources[file] = instrument(file, text, next)
    next += findFunctions(file, text, next).length
  }
  return sources
}

const sources = instrumentAll()
/** Loaded modules are never let go: a process is replaced before they fill the memory. */
const runsPerProcess = 400

let child: ChildProcess | undefined
let runs = 0

function start(): ChildProcess {
  const started = fork(new URL('worker.ts', import.meta.url), {
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    execArgv: ['--disable-warning=ExperimentalWarning', '--max-old-space-size=2048'],
  })
  started.send({ sources })
  runs = 0
  return started
}

export function stopWorker(): void {
  child?.kill('SIGKILL')
  child = undefined
}

/** A run that takes too long, or takes its process along, is endless. */
export async function runInWorker(run: Run, mostMilliseconds: number): Promise<Outcome> {
  if (runs >= runsPerProcess) stopWorker()
  const worker = (child ??= start())
  runs++
  return new Promise((resolve) => {
    const finish = (outcome: Outcome): void => {
      clearTimeout(timer)
      worker.removeAllListeners()
      resolve(outcome)
    }
    const giveUp = (failure: string): void => {
      stopWorker()
      finish({ status: 'endless', failure, steps: 0, called: [] })
    }
    const timer = setTimeout(() => giveUp('took too long'), mostMilliseconds)
    worker.once('message', (outcome) => finish(outcome as Outcome))
    worker.once('exit', () => giveUp('the process ended'))
    worker.send({ run })
  })
}
