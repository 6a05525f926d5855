/**
 * The chunks that the database is working on. A few at once keep it busy; but two chunks with the same reference or the
 * same identity number go one after the other, so that it is always the first row in the file that gets in.
 */
export class ChunksInFlight {
  readonly #most: number
  #flights: { names: ReadonlySet<string>; end: Promise<void> }[] = []

  constructor(most: number) {
    this.#most = most
  }

  /** Waits until there is room for a chunk with these names, and until those that share one have ended. */
  async wait(names: ReadonlySet<string>): Promise<void> {
    for (;;) {
      const rival = this.#flights.findLast((flight) => haveCommon(flight.names, names))
      const before = rival ?? (this.#flights.length < this.#most ? undefined : this.#flights[0])
      if (!before) return
      await before.end
    }
  }

  /** Notes a chunk that was sent. How it ends is for whoever sent it to deal with. */
  add(names: ReadonlySet<string>, outcome: Promise<unknown>): void {
    const leave = () => {
      this.#flights = this.#flights.filter((one) => one !== flight)
    }
    const flight = { names, end: outcome.then(leave, leave) }
    this.#flights.push(flight)
  }
}

function haveCommon(one: ReadonlySet<string>, other: ReadonlySet<string>): boolean {
  for (const name of one) if (other.has(name)) return true
  return false
}
