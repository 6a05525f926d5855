/**
 * Decides what happens next: which statement reaches PostgreSQL, which answer reaches its node, which client sends its
 * request, when the clock moves. One thing happens at a time. The seed decides, or a recording of an earlier run.
 */
import type { Database } from '../../server/platform/database/database.ts'
import { createRandom, type Random } from './random.ts'
import type { SimulatedNode } from './simulated-node.ts'
import { advance, afterReal, realSleep, timerChanges, turn, untilNextTimer } from './virtual-time.ts'
import type { Connection } from './wire.ts'

/** What was decided: send a statement, hand on its answer, start an operation, wake a client, move the clock. */
export type Decision =
  ['send', string] | ['deliver', string] | ['start', number] | ['wake', number] | ['advance', number]

interface Sleeper {
  number: number
  wake(): void
}

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
}

/** Connections of one label wait in the order in which they came. */
const settleTurns = 3
const lockCheckMs = 2
const hangMs = 30_000
const idleMs = 15
const replayPatienceMs = 150

/** Something will come of it without the scheduler. A client may also open a connection and say nothing. */
const isOnItsWay = ({ state, openedAt }: Connection) =>
  state === 'running' || (state === 'starting' && performance.now() - openedAt < 500)

export class SimulationHang extends Error {}

export class Scheduler {
  readonly random: Random
  readonly tempo: Tempo
  readonly decisions: Decision[] = []
  readonly nodes: SimulatedNode[] = []
  /** Decisions of an earlier run that are still to be followed. */
  readonly #recorded: Decision[]
  /** How many recorded decisions could not be followed. */
  missed = 0
  /** Operations that have not begun, in their order. */
  readonly waiting: number[] = []
  readonly #startOperation: (number: number) => Promise<void>
  readonly #control: () => Database
  active = 0
  /** Anything that is neither a statement nor an operation and still to end, such as the start of a node. */
  pending = 0
  #activity = 0
  #sleepers: Sleeper[] = []
  #sleeps = 0
  #last: Connection | undefined
  steps = 0
  /** After this many decisions something goes round in circles. */
  stepsMax = 60_000

  constructor(
    seed: number,
    {
      tempo,
      recorded = [],
      startOperation,
      control,
    }: {
      tempo: Tempo
      recorded?: readonly Decision[]
      startOperation: (number: number) => Promise<void>
      control: () => Database
    },
  ) {
    this.random = createRandom(seed, 2)
    this.tempo = tempo
    this.#recorded = [...recorded]
    this.#startOperation = startOperation
    this.#control = control
  }

  /** Tells that something happened that may cause more. */
  touch(): void {
    this.#activity++
  }

  /** A client's pause; it ends when the scheduler says so. */
  sleep(): Promise<void> {
    return new Promise((resolve) => {
      this.#sleepers.push({ number: ++this.#sleeps, wake: resolve })
      this.touch()
    })
  }

  /** Runs until the condition holds when everything rests. */
  async run(isOver: () => boolean): Promise<void> {
    for (;;) {
      await this.#timed('settle', () => this.#settle())
      if (isOver()) return
      if (++this.steps > this.stepsMax) throw new SimulationHang(`No end after ${this.stepsMax} decisions.`)
      await this.#step()
    }
  }

  /** Nothing is under way and nothing waits but timers. */
  isResting(): boolean {
    return (
      this.active === 0 &&
      this.#sleepers.length === 0 &&
      this.#connections().every(({ state, groups }) => state === 'idle' && groups.length === 0)
    )
  }

  #connections(): Connection[] {
    return this.nodes.flatMap(({ wire }) => wire.connections)
  }

  #total(): number {
    return (
      this.#activity +
      timerChanges() +
      this.nodes.reduce((sum, { wire }) => sum + wire.activity + wire.steps, 0)
    )
  }

  /** Waits until nothing moves: no bytes between a node and here, no connection that signs in, no turn of its own. */
  async #settle(): Promise<void> {
    const began = performance.now()
    for (let quiet = 0; quiet < settleTurns;) {
      const before = this.#total()
      await turn()
      if (this.#total() !== before) quiet = 0
      else if (this.#connections().some(isOnItsWay)) {
        quiet = 0
        await realSleep(1)
        await this.#noteLocks()
        if (performance.now() - began > hangMs) throw new SimulationHang(this.describe())
      } else quiet++
    }
  }

  /** Tells running statements that wait for a lock from those that run, and the other way round. */
  async #noteLocks(): Promise<void> {
    const watched = this.#connections().filter(({ state }) => state === 'running' || state === 'blocked')
    if (watched.length === 0) return
    const pids = watched.map(({ backendPid }) => backendPid)
    const rows = await this.#timed(
      'locks',
      async () => this.#control()<{ pid: number }[]>`
      select pid from pg_stat_activity where pid = any(${pids}) and wait_event_type = 'Lock'`,
    ).catch(() => [])
    const locked = new Set(rows.map(({ pid }) => pid))
    for (const connection of watched) {
      if (connection.state === 'running' && locked.has(connection.backendPid)) connection.state = 'blocked'
      else if (connection.state === 'blocked' && !locked.has(connection.backendPid))
        connection.state = 'running'
    }
  }

  async #afterStatement(connection: Connection): Promise<void> {
    const began = performance.now()
    while (connection.state === 'running') {
      await new Promise<void>((resolve) => {
        const cancel = afterReal(lockCheckMs, resolve)
        connection.onSettled = () => {
          cancel()
          resolve()
        }
      })
      if (connection.state === 'running') await this.#noteLocks()
      if (performance.now() - began > hangMs) throw new SimulationHang(this.describe())
    }
    if (this.#connections().some(({ state }) => state === 'blocked')) await this.#noteLocks()
  }

  readonly spent: Record<string, number> = {}
  async #timed<T>(name: string, work: () => Promise<T>): Promise<T> {
    const began = performance.now()
    try {
      return await work()
    } finally {
      this.spent[name] = (this.spent[name] ?? 0) + performance.now() - began
    }
  }
  async #step(): Promise<void> {
    const chosen = (await this.#replayed()) ?? this.#choose()
    if (chosen) return this.#perform(chosen)
    await this.#timed('idle', () => this.#idle())
  }

  /** Nothing can go on by itself: threads may still work, and then only the clock is left. */
  async #idle(): Promise<void> {
    const busy =
      this.active + this.pending > 0 || this.#connections().some(({ state }) => state === 'blocked')
    const before = this.#total()
    for (let waited = 0; waited < (busy ? idleMs : 2); waited++) {
      await realSleep(1)
      await this.#noteLocks()
      if (this.#total() !== before) return
    }
    const next = untilNextTimer()
    const sleeper = this.#sleepers[0]
    if (sleeper) await this.#perform({ decision: ['wake', sleeper.number] })
    if (next === undefined) {
      if (!busy && !sleeper) throw new SimulationHang(`Nothing is left to happen. ${this.describe()}`)
      return
    }
    await this.#perform({ decision: ['advance', Math.min(next, 60_000)] })
  }

  async #replayed(): Promise<Choice | undefined> {
    for (;;) {
      const decision = this.#recorded[0]
      if (!decision) return undefined
      for (let waited = 0; ; waited++) {
        const found = this.#find(decision)
        if (found) {
          this.#recorded.shift()
          return found
        }
        if (waited >= replayPatienceMs || (decision[0] === 'start' && !this.waiting.includes(decision[1])))
          break
        await realSleep(1)
        await this.#settle()
        // Something new may only be reachable by what the recording knows nothing of.
        if (
          waited > 5 &&
          !this.#connections().some(({ state }) => state === 'blocked') &&
          this.active + this.pending === 0
        )
          break
      }
      this.#recorded.shift()
      this.missed++
    }
  }

  #find(decision: Decision): Choice | undefined {
    const [kind, what] = decision
    if (kind === 'advance') return { decision }
    if (kind === 'start') return this.waiting.includes(what) ? { decision } : undefined
    if (kind === 'wake')
      return this.#sleepers.some(({ number }) => number === what) ? { decision } : undefined
    const connection = this.#connections().find(
      ({ state, groups, label }) =>
        label === what && (kind === 'send' ? state === 'idle' && groups.length > 0 : state === 'answered'),
    )
    return connection && { decision, connection }
  }

  #choose(): Choice | undefined {
    const { random, tempo } = this
    const connections = this.#connections()
    const ready = connections.filter(({ state, groups }) => state === 'idle' && groups.length > 0)
    const answered = connections.filter(({ state }) => state === 'answered')
    const next = this.active < tempo.clients ? this.waiting[0] : undefined
    const sleeper = this.#sleepers[0]
    if (ready.length + answered.length > 0 && random.chance(tempo.haste)) {
      const until = untilNextTimer()
      if (until !== undefined && until < 2_000) return { decision: ['advance', until] }
    }
    const last = this.#last
    if (last && random.chance(tempo.stickiness)) {
      if (ready.includes(last)) return sendOn(last)
      if (answered.includes(last)) return deliverFrom(last)
    }
    const options: { weight: number; choice: Choice }[] = [
      ...ready.map((connection) => ({ weight: 1, choice: sendOn(connection) })),
      ...answered.map((connection) => ({ weight: 0.5, choice: deliverFrom(connection) })),
    ]
    if (next !== undefined) options.push({ weight: tempo.eagerness, choice: { decision: ['start', next] } })
    if (sleeper && options.length > 0)
      options.push({ weight: 0.3, choice: { decision: ['wake', sleeper.number] } })
    let place = random.next() * options.reduce((sum, { weight }) => sum + weight, 0)
    for (const { weight, choice } of options) {
      place -= weight
      if (place < 0) return choice
    }
    return options.at(-1)?.choice
  }

  async #perform({ decision, connection }: Choice): Promise<void> {
    this.decisions.push(decision)
    this.touch()
    switch (decision[0]) {
      case 'send': {
        this.#last = connection
        connection!.send()
        await this.#timed('statement', () => this.#afterStatement(connection!))
        if (connection!.state === 'answered') {
          const isRecorded = this.#recorded.length > 0
          const [kind, label] = this.#recorded[0] ?? []
          // A recording has each answer that was late on a line of its own.
          const isLate = isRecorded
            ? !(kind === 'deliver' && label === connection!.label && this.#recorded.shift())
            : this.random.chance(this.tempo.lag)
          if (!isLate) {
            this.decisions.push(['deliver', connection!.label])
            connection!.deliver()
          }
        }
        return
      }
      case 'deliver':
        return connection!.deliver()
      case 'start':
        this.waiting.splice(this.waiting.indexOf(decision[1]), 1)
        this.active++
        this.#startOperation(decision[1]).finally(() => {
          this.active--
          this.touch()
        })
        return
      case 'wake': {
        const place = this.#sleepers.findIndex(({ number }) => number === decision[1])
        const [sleeper] = this.#sleepers.splice(place, 1)
        return sleeper?.wake()
      }
      case 'advance':
        await this.moveClock(decision[1])
    }
  }

  /** Moves the clock of the nodes and of the database. */
  async moveClock(milliseconds: number): Promise<void> {
    if (milliseconds > 0)
      await this.#control()`update sim.clock set moved = moved + ${milliseconds} * interval '1 millisecond'`.catch(
        () => {},
      )
    advance(milliseconds)
    this.touch()
  }

  describe(): string {
    const lines = this.#connections()
      .filter(({ state, groups }) => state !== 'idle' || groups.length > 0)
      .map(({ state, label, number }) => `${state} #${number}: ${label}`)
    return `${this.active} operations under way, ${this.waiting.length} to come, ${this.pending} pending. ${lines.join(' | ')}`
  }
}

interface Choice {
  decision: Decision
  connection?: Connection
}

const sendOn = (connection: Connection): Choice => ({ decision: ['send', connection.label], connection })
const deliverFrom = (connection: Connection): Choice => ({
  decision: ['deliver', connection.label],
  connection,
})
