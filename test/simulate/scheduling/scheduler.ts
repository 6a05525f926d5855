/**
 * Decides what happens next: which statement reaches PostgreSQL, which answer reaches its node, which client sends its
 * request, when the clock moves. One thing happens at a time. The seed decides, or a recording of an earlier run.
 */
import type { Database } from '../../../server/platform/database/database.ts'
import { patience } from '../patience.ts'
import { createRandom } from '../random.ts'
import type { SimulatedNode } from '../simulated-node.ts'
import {
  advance,
  afterReal,
  awaitThreads,
  realSleep,
  timerChanges,
  turn,
  untilNextTimer,
} from '../virtual-time.ts'
import type { Connection } from '../wire.ts'
import { Chooser, type Tempo } from './chooser.ts'
import type { Choice, Decision, Possible, Sleeper } from './decision.ts'
import { Replay } from './replay.ts'

/** Connections of one label wait in the order in which they came. */
const settleTurns = 3
const lockCheckMs = 2
const hangMs = 30_000 * patience
const idleMs = 15
/** Before the process that runs it is ended, which tells nothing. */
const longestMs = 100_000 * patience

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
  readonly #chooser: Chooser
  readonly decisions: Decision[] = []
  readonly nodes: SimulatedNode[] = []
  readonly #replay: Replay
  /** Operations that have not begun, in their order. */
  readonly waiting: number[] = []
  readonly #startOperation: (number: number) => Promise<void>
  readonly #control: () => Database
  readonly #reached = new Set<string>()
  readonly #began = performance.now()
  active = 0
  /** Anything that is neither a statement nor an operation and still to end, such as the start of a node. */
  pending = 0
  #activity = 0
  #sleepers: Sleeper[] = []
  #sleeps = 0
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
    this.#chooser = new Chooser(createRandom(seed, 2), tempo)
    this.#replay = new Replay(recorded, {
      possible: () => this.#possible(),
      hasReached: (what) => this.#reached.has(what),
      goOn: () => this.#goOn(),
      rest: () => this.#rest(),
    })
    this.#startOperation = startOperation
    this.#control = control
  }

  /** How many recorded decisions could not be followed. */
  get missed(): number {
    return this.#replay.missed
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
      if (++this.steps > this.stepsMax)
        throw new SimulationHang(`No end after ${this.stepsMax} decisions. ${this.describe()}`)
      if (performance.now() - this.#began > longestMs)
        throw new SimulationHang(`No end after ${longestMs} ms. ${this.describe()}`)
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
    const chosen = (await this.#replay.next()) ?? this.#chooser.choose(this.#possible())
    if (chosen) return this.#perform(chosen)
    await this.#idle()
  }

  /** Nothing can go on by itself: threads may still work, and then only the clock is left. */
  async #idle(): Promise<void> {
    const busy =
      this.active + this.pending > 0 || this.#connections().some(({ state }) => state === 'blocked')
    const before = this.#total()
    await awaitThreads()
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

  /** The clock moved when nothing else had gone on for a while. */
  async #rest(): Promise<void> {
    for (let quiet = 0, before = this.#total(); quiet < idleMs; quiet++) {
      if (!(await this.#serveFree())) await realSleep(1)
      await this.#settle()
      if (this.#total() !== before) quiet = 0
      before = this.#total()
    }
  }

  async #goOn(): Promise<void> {
    if (!(await this.#serveFree())) await realSleep(1)
    await this.#noteLocks()
    await this.#settle()
  }

  #possible(): Possible {
    const { waiting, active, isDiskSlow } = this
    return { connections: this.#connections(), waiting, active, sleepers: this.#sleepers, isDiskSlow }
  }

  async #perform({ decision, connection }: Choice): Promise<void> {
    if (this.live) this.decisions.push(decision)
    this.touch()
    switch (decision[0]) {
      case 'send': {
        this.#chooser.noteSent(connection!)
        connection!.send()
        await this.#afterStatement(connection!)
        if (connection!.state !== 'answered') return
        const { label } = connection!
        if (this.#replay.isOver ? this.#chooser.isLate() : this.#replay.isLate(label)) return
        this.decisions.push(['deliver', label])
        connection!.deliver()
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
