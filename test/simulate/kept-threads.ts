/**
 * Stands in for the threads of services (`threads.ts`): the same threads, which the nodes of a process share and which
 * outlive them. What a service says about itself is asked once. Starting threads took most of the time of a short seed.
 */
import * as real from '../../server/integration/services/threads.ts'

export { ThreadFailure, ThreadTimeout } from '../../server/integration/services/threads.ts'

const shared = real.openThreads()

/** A thread still serves other nodes when its node ends; its timers ended with the node. */
export const openThreads = (): real.Threads => ({ run: shared.run, close: () => Promise.resolve() })

type Started = Awaited<ReturnType<typeof real.startThread>>
const known = new Map<string, Promise<Started>>()

export function startThread(module: real.ThreadModule, withinMs?: number): Promise<Started> {
  let started = known.get(module.file)
  if (!started) {
    started = real.startThread(module, withinMs)
    known.set(module.file, started)
  }
  return started
}
