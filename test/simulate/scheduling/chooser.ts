/** Chooses among what is possible, by chance or by priorities. */
import type { Random } from '../random.ts'
import { untilNextTimer } from '../virtual-time.ts'
import type { Connection } from '../wire.ts'
import { deliverFrom, isReady, sendOn, type Choice, type Possible } from './decision.ts'

export interface Tempo {
  /** Operations under way at once. */
  clients: number
  /** How much likelier a new operation is than one statement. */
  eagerness: number
  /** The probability that an answer stays with PostgreSQL for a while. */
  lag: number
  /** The probability of a move of the clock while there is other work. */
  haste: number
  /** The probability that the same connection goes on, if it can. */
  stickiness: number
  /**
   * Whether each transaction has a priority that the seed draws, and the highest goes on (probabilistic concurrency
   * testing). Then this is the probability that the one that goes on falls behind all others.
   */
  demotion: number | undefined
}

interface Option {
  weight: number
  choice: Choice
  /** What has the priority: a connection, the next operation, the next sleeper. */
  who: object
}

const newcomer = {}
const sleeping = {}

export class Chooser {
  readonly #random: Random
  readonly tempo: Tempo
  #last: Connection | undefined
  readonly #priorities = new WeakMap<object, number>()

  constructor(random: Random, tempo: Tempo) {
    this.#random = random
    this.tempo = tempo
  }

  /** A statement of the connection is sent. */
  noteSent(connection: Connection): void {
    this.#last = connection
  }

  isLate(): boolean {
    return this.#random.chance(this.tempo.lag)
  }

  choose(possible: Possible): Choice | undefined {
    const connections = possible.connections.filter(({ isStalled }) => !isStalled)
    const ready = connections.filter(isReady)
    const answered = connections.filter(({ state }) => state === 'answered')
    const haste = possible.isDiskSlow ? Math.max(0.02, this.tempo.haste) : this.tempo.haste
    if (ready.length + answered.length > 0 && this.#random.chance(haste)) {
      const until = untilNextTimer()
      if (until !== undefined && until < 2_000) return { decision: ['advance', until] }
    }
    const options = this.#list(possible, ready, answered)
    if (options.length === 0) return undefined
    return this.tempo.demotion === undefined
      ? this.#chooseByChance(options, possible)
      : this.#chooseByPriority(options, this.tempo.demotion)
  }

  #list(possible: Possible, ready: Connection[], answered: Connection[]): Option[] {
    const { waiting, active, sleepers } = possible
    const options: Option[] = [
      ...ready.map((connection) => ({
        weight: isHeldByDisk(connection, possible) ? 0.02 : 1,
        choice: sendOn(connection),
        who: connection,
      })),
      ...answered.map((connection) => ({ weight: 0.5, choice: deliverFrom(connection), who: connection })),
    ]
    const next = active < this.tempo.clients ? waiting[0] : undefined
    if (next !== undefined)
      options.push({ weight: this.tempo.eagerness, choice: { decision: ['start', next] }, who: newcomer })
    const [sleeper] = sleepers
    if (sleeper && options.length > 0)
      options.push({ weight: 0.3, choice: { decision: ['wake', sleeper.number] }, who: sleeping })
    return options
  }

  #chooseByChance(options: readonly Option[], possible: Possible): Choice {
    const last = this.#last
    if (last && this.#random.chance(this.tempo.stickiness)) {
      const further = options.find(({ who }) => who === last)
      if (further && !(isReady(last) && isHeldByDisk(last, possible))) return further.choice
    }
    let place = this.#random.next() * options.reduce((sum, { weight }) => sum + weight, 0)
    for (const { weight, choice } of options) {
      place -= weight
      if (place < 0) return choice
    }
    return options.at(-1)!.choice
  }

  /** A transaction that falls behind stays open until nothing else can go on: what it should exclude then shows. */
  #chooseByPriority(options: readonly Option[], demotion: number): Choice {
    let best = options[0]!
    for (const option of options) if (this.#priorityOf(option) > this.#priorityOf(best)) best = option
    const { who, choice } = best
    if (this.#random.chance(demotion)) this.#priorities.set(who, this.#random.next() - 1)
    else if (who === newcomer || who === sleeping) this.#priorities.delete(who)
    return choice
  }

  /** Drawn anew for each transaction; what waits long for the disk comes after the rest. */
  #priorityOf({ who, weight, choice }: Option): number {
    const { connection } = choice
    if (connection && isReady(connection) && !connection.inTransaction && !this.#isOfTransaction(connection))
      this.#priorities.delete(who)
    let priority = this.#priorities.get(who)
    if (priority === undefined) {
      priority = this.#random.next()
      this.#priorities.set(who, priority)
      if (connection) this.#drawnFor.set(connection, connection.groups[0])
    }
    return weight < 0.1 ? priority - 2 : priority
  }

  /** The statement that begins a transaction keeps its priority while it waits. */
  readonly #drawnFor = new WeakMap<Connection, object | undefined>()

  #isOfTransaction(connection: Connection): boolean {
    return this.#drawnFor.get(connection) === connection.groups[0]
  }
}

const isHeldByDisk = (connection: Connection, { isDiskSlow }: Possible): boolean =>
  isDiskSlow && / commit$/i.test(connection.label)
