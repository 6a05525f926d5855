/** A client that follows the event feed page by page. At the end it must have seen every event once, in its order. */
import type { Random } from './random.ts'
import type { Sender, World } from './world.ts'

interface FollowedEvent {
  id: string
  subject: string
  sequence: number
}

export class Follower {
  readonly #simulation: World
  readonly events: FollowedEvent[] = []
  #after = 0
  #busy = false

  constructor(simulation: World) {
    this.#simulation = simulation
  }

  async poll(client: Sender, random: Random): Promise<void> {
    if (this.#busy) return
    this.#busy = true
    try {
      const limit = random.pick([3, 10, 100])
      const wait = random.chance(0.2) ? 1 : 0
      await this.#read(client, limit, wait)
    } finally {
      this.#busy = false
    }
  }

  /** Reads what is left; true when there is nothing more. */
  async readAll(client: Sender): Promise<void> {
    while (await this.#read(client, 500, 0));
  }

  async #read(client: Sender, limit: number, wait: number): Promise<boolean> {
    const answer = await client.send('listEvents', `/events?after=${this.#after}&limit=${limit}&wait=${wait}`)
    if (answer?.status !== 200) return false
    const { value, next } = answer.body as unknown as { value: FollowedEvent[]; next: number }
    this.events.push(...value)
    this.#after = next
    return value.length > 0
  }

  async findFaults(): Promise<string[]> {
    const stored = await this.#simulation.sql<FollowedEvent[]>`
      select id::text, subject::text, sequence::int from event order by xid, position`
    const seen = new Map<string, number>()
    for (const { id } of this.events) seen.set(id, (seen.get(id) ?? 0) + 1)
    const missed = stored.filter(({ id }) => !seen.has(id))
    const twice = [...seen.values()].filter((count) => count > 1)
    const faults: string[] = []
    if (missed.length > 0)
      faults.push(
        `The event feed left out ${missed.length} of ${stored.length} events, such as ${JSON.stringify(missed[0])}.`,
      )
    if (twice.length > 0) faults.push(`The event feed gave ${twice.length} events twice.`)
    const last = new Map<string, number>()
    for (const { subject, sequence } of this.events) {
      if (sequence <= (last.get(subject) ?? 0)) {
        faults.push(`The event feed gave number ${sequence} of ${subject} after ${last.get(subject)}.`)
        break
      }
      last.set(subject, sequence)
    }
    return faults
  }
}
