/** Runs something once for each way that its choices can go. */
const maxWays = 100

export class Ways {
  #ways: { taken: number; count: number }[] = []
  #next = 0
  readonly #chosen = new Map<unknown, number>()
  #numbers = 0

  everyWay<T>(read: () => T): T[] {
    const results: T[] = []
    this.#ways = []
    for (;;) {
      this.#next = this.#numbers = 0
      this.#chosen.clear()
      results.push(read())
      this.#ways.length = this.#next
      while (this.#ways.length > 0 && this.#ways.at(-1)!.taken + 1 === this.#ways.at(-1)!.count)
        this.#ways.pop()
      const last = this.#ways.at(-1)
      if (!last || results.length === maxWays) return results
      last.taken += 1
    }
  }

  /** One of so many; the same for the same key throughout a way. */
  choose(key: unknown, count: number): number {
    const known = this.#chosen.get(key)
    if (known !== undefined) return known
    const way = (this.#ways[this.#next] ??= { taken: 0, count })
    this.#next += 1
    this.#chosen.set(key, way.taken)
    return way.taken
  }

  /** Stands for the first of some parameters: far enough from others that their numbers do not meet. */
  freshNumber(): number {
    this.#numbers += 1
    return 1000 * this.#numbers
  }
}
