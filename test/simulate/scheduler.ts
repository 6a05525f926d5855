/**
 * Decides what happens next: which statement reaches PostgreSQL, which answer reaches its node, which client sends its
 * request, when the clock moves. One thing happens at a time. The seed decides, or a recording of an earlier run.
 */
import type { Database } from '../../server/platform/database/database.ts'
import { createRandom, type Random } from './random.ts'
import type { SimulatedNode } from './simulated-node.ts'
import {
  advance,
  afterReal,
  awaitThreads,
  realSleep,
  timerChanges,
  turn,
  untilNextTimer,
} from './virtual-time.ts'
import type { Connection } from './wire.ts'

/**
 * What was decided: send a statement, hand on its answer, start an operation, wake a client, move the clock. `reach` is
 * no decision: it tells that something ended by itself, for which a replay waits.
 */
export type Decision =
  | ['send', string]
  | ['deliver', string]
  | ['start', number]
  | ['wake', number]
  | ['advance', number]
  | ['reach', string]

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
const replayPatienceMs = 300
/** After so many decisions that could not be followed, the replay has become another run and waits no more. */
const missesMax = 50
const lookAhead = 12

/** Something will come of it without the scheduler. A client may also open a connection and say nothing. */
const isOnItsWay = ({ state, openedAt }: Connection) =>
  state === 'running' || (state === 'starting' && performance.now() - openedAt < 500)

/** What the queue prepares for itself. Its order decides nothing, and its threads of work begin as they like. */
const preparation = /^\S+ fordra jobs .*(LISTEN|pg_advisory_lock|_private_tasks)/

/** Not decided: what a node does before it answers, and what only prepares. */
const isFree = ({ state, groups, label, wire, isStalled }: Connection): boolean =>
  !isStalled &&
  (state === 'answered' || (state === 'idle' && groups.length > 0)) &&
  (!wire.answers || preparation.test(label))

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
  readonly #reached = new Set<string>()
  active = 0
  /** Anything that is neither a statement nor an operation and still to end, such as the start of a node. */
  pending = 0
  #activity = 0
  #sleepers: Sleeper[] = []
  #sleeps = 0
  #last: Connection | undefined
  steps = 0
  /** Commits wait long for the disk, so that locks are held long and waiting ends. */
  isDiskSlow = false
  /** False while the first nodes start: until then nothing is decided. */
  live = false
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

  /** Something has ended whose time the scheduler does not decide. */
  reach(what: string): void {
    this.#reached.add(what)
    if (this.live) this.decisions.push(['reach', what])
    this.touch()
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
      await this.#settle()
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
    const rows = await this.#control()<{ pid: number }[]>`
      select pid from pg_stat_activity where pid = any(${pids}) and wait_event_type = 'Lock'`.catch(() => [])
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

  /** Sends what is not decided; true when there was something. */
  async #serveFree(): Promise<boolean> {
    const free = this.#connections().find(isFree)
    if (!free) return false
    if (free.state === 'idle') free.send()
    await this.#afterStatement(free)
    if (free.state === 'answered') free.deliver()
    return true
  }

  async #step(): Promise<void> {
    if (await this.#serveFree()) return
    if (!this.live) return this.#idle()
    const chosen = (await this.#replayed()) ?? this.#choose()
    if (chosen) return this.#perform(chosen)
    await this.#idle()
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
      const found = await this.#await(decision)
      if (found === 'another') return this.#takeAhead()
      this.#recorded.shift()
      if (found === 'reached') continue
      if (found) return found
      this.missed++
      // Something that the recording knows nothing of may stand in the way.
      const extra = this.#findExtra()
      if (extra) {
        this.#recorded.unshift(decision)
        return extra
      }
    }
  }

  /**
   * What was recorded becomes possible some time after what came before it. Where it does not, because threads were
   * faster or slower, a statement that was recorded soon after it may go first.
   */
  async #await(decision: Decision): Promise<Choice | 'reached' | 'another' | undefined> {
    if (decision[0] === 'advance') {
      await this.#rest()
      return { decision }
    }
    const patience = this.missed < missesMax ? replayPatienceMs : 0
    const began = performance.now()
    for (;;) {
      if (decision[0] === 'reach') {
        if (this.#reached.has(decision[1])) return 'reached'
      } else {
        const found = this.#find(decision)
        if (found) return found
        if (decision[0] === 'start') return undefined
      }
      const waited = performance.now() - began
      if (waited > patience / 10 && this.#findAhead() > 0) return 'another'
      if (waited >= patience) return undefined
      if (!(await this.#serveFree())) await realSleep(1)
      await this.#noteLocks()
      await this.#settle()
    }
  }

  /** The clock moved when nothing else had gone on for a while. */
  async #rest(): Promise<void> {
    for (let quiet = 0, before = this.#total(); quiet < idleMs && this.missed < missesMax; quiet++) {
      if (!(await this.#serveFree())) await realSleep(1)
      await this.#settle()
      if (this.#total() !== before) quiet = 0
      before = this.#total()
    }
  }

  #findAhead(): number {
    return this.#recorded
      .slice(0, lookAhead)
      .findIndex(
        ([kind, what], place) => place > 0 && kind === 'send' && this.#find([kind, what]) !== undefined,
      )
  }

  /** Something that can go on and is not recorded for soon. */
  #findExtra(): Choice | undefined {
    const soon = new Set(this.#recorded.slice(0, 50).map(([, what]) => what))
    const extra = this.#connections().find(
      ({ state, groups, label }) =>
        (state === 'answered' || (state === 'idle' && groups.length > 0)) && !soon.has(label),
    )
    return extra && (extra.state === 'answered' ? deliverFrom(extra) : sendOn(extra))
  }

  #takeAhead(): Choice | undefined {
    const [decision] = this.#recorded.splice(this.#findAhead(), 1)
    return decision && this.#find(decision)
  }

  #find(decision: Decision): Choice | undefined {
    const [kind, what] = decision
    if (kind === 'advance' || kind === 'reach') return undefined
    if (kind === 'start') return this.waiting.includes(what) ? { decision } : undefined
    if (kind === 'wake')
      return this.#sleepers.some(({ number }) => number === what) ? { decision } : undefined
    const connection = this.#connections().find(
      ({ state, groups, label, isStalled }) =>
        !isStalled &&
        label === what &&
        (kind === 'send' ? state === 'idle' && groups.length > 0 : state === 'answered'),
    )
    return connection && { decision, connection }
  }

  #choose(): Choice | undefined {
    const { random, tempo } = this
    const connections = this.#connections().filter(({ isStalled }) => !isStalled)
    const ready = connections.filter(({ state, groups }) => state === 'idle' && groups.length > 0)
    const answered = connections.filter(({ state }) => state === 'answered')
    const next = this.active < tempo.clients ? this.waiting[0] : undefined
    const sleeper = this.#sleepers[0]
    const haste = this.isDiskSlow ? Math.max(0.02, tempo.haste) : tempo.haste
    if (ready.length + answered.length > 0 && random.chance(haste)) {
      const until = untilNextTimer()
      if (until !== undefined && until < 2_000) return { decision: ['advance', until] }
    }
    const last = this.#last
    if (last && random.chance(tempo.stickiness)) {
      if (ready.includes(last) && !this.#isHeldByDisk(last)) return sendOn(last)
      if (answered.includes(last)) return deliverFrom(last)
    }
    const options: { weight: number; choice: Choice }[] = [
      ...ready.map((connection) => ({
        weight: this.#isHeldByDisk(connection) ? 0.02 : 1,
        choice: sendOn(connection),
      })),
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

  #isHeldByDisk({ label }: Connection): boolean {
    return this.isDiskSlow && / commit$/i.test(label)
  }

  async #perform({ decision, connection }: Choice): Promise<void> {
    if (this.live) this.decisions.push(decision)
    this.touch()
    switch (decision[0]) {
      case 'send': {
        this.#last = connection
        connection!.send()
        await this.#afterStatement(connection!)
        if (connection!.state === 'answered') {
          const isRecorded = this.#recorded.length > 0
          const at = this.#recorded
            .slice(0, lookAhead)
            .findIndex(([kind, label]) => kind === 'deliver' && label === connection!.label)
          // A recording has each answer that was late on a line of its own.
          const isLate = isRecorded ? at > 1 : this.random.chance(this.tempo.lag)
          if (isRecorded && (at === 0 || at === 1)) this.#recorded.splice(at, 1)
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
          this.reach(`operation ${decision[1]}`)
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
    await awaitThreads()
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
