/** The process that runs seeds: it is replaced when it dies, hangs, or has run many. */
import { fork, type ChildProcess } from 'node:child_process'
import { childEnvironment } from '../../server/testing/programs/child-environment.ts'
import { patience } from './patience.ts'
import type { RunResult } from './simulation.ts'
import type { WorkerRequest } from './worker.ts'

const seedsPerProcess = 150
const longestMs = 120_000 * patience

export class SeedRunner {
  readonly #plant: string | undefined
  #child: Promise<ChildProcess> | undefined
  #runs = 0

  constructor(plant?: string) {
    this.#plant = plant
  }

  async run(request: WorkerRequest): Promise<RunResult> {
    if (this.#runs >= seedsPerProcess) await this.stop()
    const child = await (this.#child ??= this.#start())
    this.#runs++
    return new Promise((resolve) => {
      const finish = (result: RunResult) => {
        clearTimeout(timer)
        child.removeAllListeners()
        resolve(result)
      }
      const began = performance.now()
      const giveUp = (fault: string) => {
        this.#child = undefined
        child.kill('SIGKILL')
        finish({
          seed: request.seed,
          faults: [fault],
          decisions: [],
          trace: [],
          operations: 0,
          counts: {},
          answers: {},
          steps: 0,
          missed: 0,
          milliseconds: performance.now() - began,
          // Unknown; hardly more than that.
          cpuSeconds: (performance.now() - began) / 1_000,
        })
      }
      const timer = setTimeout(() => giveUp(`The run took longer than ${longestMs} ms.`), longestMs)
      child.once('message', (result) => finish(result as RunResult))
      child.once('exit', (code, signal) => giveUp(`The process ended with ${code ?? signal}.`))
      child.send(request)
    })
  }

  async stop(): Promise<void> {
    const child = await this.#child
    this.#child = undefined
    this.#runs = 0
    if (!child || child.exitCode !== null) return
    await new Promise<void>((resolve) => {
      child.once('exit', () => resolve())
      child.send('end')
    })
  }

  #start(): Promise<ChildProcess> {
    const child = fork(new URL('worker.ts', import.meta.url), {
      stdio: [
        'ignore',
        'ignore',
        process.env['FORDRA_SIMULATE_LOG'] === undefined ? 'ignore' : 'inherit',
        'ipc',
      ],
      execArgv: ['--disable-warning=ExperimentalWarning'],
      env: childEnvironment({
        FORDRA_SIMULATE_PATIENCE: String(patience),
        ...(this.#plant !== undefined && { FORDRA_SIMULATE_PLANT: this.#plant }),
      }),
    })
    return new Promise((resolve, reject) => {
      child.once('message', () => {
        child.removeAllListeners('exit')
        resolve(child)
      })
      child.once('exit', (code) => reject(new Error(`The simulator's process ended with ${code}.`)))
    })
  }
}
