/** Who asked longest ago and does not ask again has gone: another node has its work, or it has none left. */
const forgottenAfterMs = 10_000

/** Gives a limited number of turns at a time, in the order in which they were first asked for. */
export class Turns {
  readonly #most: number
  #taken = 0
  /** Those turned away, and when each last asked. A map keeps the order of the first time. */
  readonly #waiting = new Map<string, number>()

  constructor(most: number) {
    this.#most = most
  }

  /** Whether it is the turn of `id`; who is turned away asks again. `now` in milliseconds. */
  take(id: string, now: number): boolean {
    for (const [other, asked] of this.#waiting)
      if (now - asked > forgottenAfterMs) this.#waiting.delete(other)
    const waiting = [...this.#waiting.keys()]
    const place = waiting.indexOf(id)
    const ahead = place < 0 ? waiting.length : place
    if (this.#taken + ahead >= this.#most) {
      this.#waiting.set(id, now)
      return false
    }
    this.#waiting.delete(id)
    this.#taken++
    return true
  }

  end(): void {
    this.#taken--
  }
}
