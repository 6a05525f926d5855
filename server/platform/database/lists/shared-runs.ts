/**
 * One run for everybody who asked before it began. Who asks while a run is under way waits for it to end and shares the
 * next one with the others who wait: so a result is never older than the question, and equal work is not done side by side.
 */
export class SharedRuns<T> {
  readonly #byKey = new Map<string, { running: Promise<T>; next?: Promise<T> }>()

  run(key: string, work: () => Promise<T>): Promise<T> {
    const entry = this.#byKey.get(key)
    if (!entry) return this.#start(key, work)
    entry.next ??= entry.running.then(
      () => this.#start(key, work),
      () => this.#start(key, work),
    )
    return entry.next
  }

  #start(key: string, work: () => Promise<T>): Promise<T> {
    const entry = { running: work() }
    this.#byKey.set(key, entry)
    const end = () => {
      if (this.#byKey.get(key) === entry && !('next' in entry)) this.#byKey.delete(key)
    }
    entry.running.then(end, end)
    return entry.running
  }
}
