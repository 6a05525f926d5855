/**
 * One run for everybody who asked before it began. Who asks while a run is under way waits for it to end and shares the
 * next one with the others who wait: so a result is never older than the question, and equal work is not done side by side.
 * A run is aborted when all who asked for it have left.
 */
export class SharedRuns<T> {
  readonly #byKey = new Map<string, { running: Promise<T>; next?: { askers: Askers; result: Promise<T> } }>()

  /** `left` aborts when the one who asks no longer waits. */
  run(key: string, work: (signal: AbortSignal) => Promise<T>, left?: AbortSignal): Promise<T> {
    const entry = this.#byKey.get(key)
    if (!entry) return this.#start(key, work, new Askers(left))
    if (entry.next) {
      entry.next.askers.add(left)
      return entry.next.result
    }
    const askers = new Askers(left)
    const start = () => this.#start(key, work, askers)
    const result = entry.running.then(start, start)
    entry.next = { askers, result }
    return result
  }

  #start(key: string, work: (signal: AbortSignal) => Promise<T>, { signal }: Askers): Promise<T> {
    const entry = { running: work(signal) }
    this.#byKey.set(key, entry)
    const end = () => {
      if (this.#byKey.get(key) === entry && !('next' in entry)) this.#byKey.delete(key)
    }
    entry.running.then(end, end)
    return entry.running
  }
}

/** Those who wait for a run. */
class Askers {
  readonly #all = new AbortController()
  #waiting = 0

  constructor(first?: AbortSignal) {
    this.add(first)
  }

  get signal(): AbortSignal {
    return this.#all.signal
  }

  add(left?: AbortSignal): void {
    if (left?.aborted) return
    this.#waiting++
    left?.addEventListener('abort', () => --this.#waiting === 0 && this.#all.abort(left.reason), {
      once: true,
    })
  }
}
