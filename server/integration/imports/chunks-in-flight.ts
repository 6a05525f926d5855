/**
 * The chunks that are being inserted. A few at a time keep the database busy. Two chunks with the same reference or
 * identity number go one after the other, so that the first row of the file is always the one inserted.
 */
export class ChunksInFlight {
  readonly #most: number
  #flights: { names: ReadonlySet<string>; end: Promise<void> }[] = []

  constructor(most: number) {
    this.#most = most
  }

  /** Waits until there is room for a chunk with these keys, and until chunks that share a key have ended. */
  async wait(names: ReadonlySet<string>): Promise<void> {
    for (;;) {
      const rival = this.#flights.findLast((flight) => intersects(flight.names, names))
      const before = rival ?? (this.#flights.length < this.#most ? undefined : this.#flights[0])
      if (!before) return
      await before.end
    }
  }

  /** Records a chunk that was sent. The sender handles its outcome. */
  add(names: ReadonlySet<string>, outcome: Promise<unknown>): void {
    const leave = () => {
      this.#flights = this.#flights.filter((one) => one !== flight)
    }
    const flight = { names, end: outcome.then(leave, leave) }
    this.#flights.push(flight)
  }
}

function intersects(one: ReadonlySet<string>, other: ReadonlySet<string>): boolean {
  for (const name of one) if (other.has(name)) return true
  return false
}
