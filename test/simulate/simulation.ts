/** One run: a seed's operations on a database of its own, and what must hold of them. */
import { rmSync } from 'node:fs'
import type { Database } from '../../server/platform/database/database.ts'
import { Client, isServiceFailure } from './client.ts'
import type { Attempt, Faults, RequestRecord, World } from './world.ts'
import { checkEnd, checkNow } from './checks/invariants.ts'
import type { Fixture, Laboratory } from './laboratory.ts'
import { Follower } from './follower.ts'
import { Model } from './model.ts'
import type { Operation } from './operations/operation.ts'
import type { Receivers } from './receivers.ts'
import { createRandom, type Random } from './random.ts'
import type { Decision } from './scheduling/decision.ts'
import { Scheduler, SimulationHang } from './scheduling/scheduler.ts'
import { SimulatedNode } from './simulated-node.ts'
import { restoreElsewhere } from './restore-elsewhere.ts'
import { drawFaults, drawTempo, Swarm } from './swarm.ts'
import { realSleep, setSkew, setTimeZone, timeZones } from './virtual-time.ts'

const soonMs = 30 * 60_000
const queueStartsMs = 40_000

export interface RunOptions {
  seed: number
  /** How many operations; by default the seed decides. */
  length?: number
  /** Nodes, connections and the database stay alive. */
  calm?: boolean
  /** Names of operations: no others are drawn, and what dies in them may die. */
  only?: readonly string[] | undefined
  /** Operations that are left out. */
  without?: ReadonlySet<number>
  recorded?: readonly Decision[]
}

export interface RunResult {
  seed: number
  /** What did not hold; none when all did. */
  faults: string[]
  decisions: Decision[]
  trace: string[]
  operations: number
  /** Operations that began, by name. */
  counts: Record<string, number>
  /** How often each request was answered with which status. */
  answers: Record<string, Record<number, number>>
  steps: number
  missed: number
  milliseconds: number
  /** Of all processes that it took, in seconds; those of the start with the first run. */
  cpuSeconds: number
}

const [shortest, longest] = [20, 90]
/** The numbers of twins; the last client of a run is number 10,000. */
const twinsFrom = 1_000

export class Simulation implements World {
  readonly seed: number
  readonly fixture: Fixture
  readonly laboratory: Laboratory
  readonly faults: Faults
  readonly model = new Model()
  readonly requests: RequestRecord[] = []
  readonly trace: string[] = []
  readonly found: string[] = []
  readonly counts: Record<string, number> = {}
  readonly scheduler: Scheduler
  readonly receivers: Receivers
  readonly follower = new Follower(this)
  /** Whether a node, a connection or the database has died so far: then 503 is an answer. */
  disturbed = false
  /** True once nothing more goes wrong and everything is to come to an end. */
  ending = false
  sql!: Database
  #database = ''
  #nodesMade = 0
  readonly #random: Random
  readonly #length: number
  readonly #without: ReadonlySet<number>
  readonly #swarm: Swarm
  /** Set while nodes must not start, because their database is replaced. */
  isMoving = false
  #calamity: Promise<void> = Promise.resolve()

  constructor(
    laboratory: Laboratory,
    receivers: Receivers,
    { seed, length, calm, only, without, recorded }: RunOptions,
  ) {
    this.seed = seed
    this.laboratory = laboratory
    this.receivers = receivers
    this.fixture = laboratory.fixture
    const random = createRandom(seed, 1)
    this.#random = random
    this.#length = length ?? shortest + random.below(longest - shortest)
    this.#without = without ?? new Set()
    this.faults = drawFaults(random, calm !== true)
    if (only !== undefined) this.faults.crashes = true
    const tempo = drawTempo(random)
    this.#swarm = new Swarm(random, only)
    this.model.spread = random.pick([1, 3, Infinity])
    this.scheduler = new Scheduler(seed, {
      tempo,
      ...(recorded && { recorded }),
      startOperation: (number) => this.#operate(number),
      control: () => this.sql,
    })
  }

  note(line: string): void {
    this.trace.push(line)
  }

  fail(fault: string): void {
    if (this.found.length < 30) this.found.push(fault)
    this.note(`FAULT ${fault}`)
  }

  async run(): Promise<RunResult> {
    const began = performance.now()
    this.#database = `simulation_${process.pid}_${this.seed}`
    await this.laboratory.dropDatabase(this.#database)
    const { sql } = await this.laboratory.createDatabase(this.#database)
    this.sql = sql
    this.receivers.begin(this.faults.receivers, createRandom(this.seed, 3), () => this.scheduler.touch())
    const onDeath = (error: unknown) => {
      const { stack, message } = error as Error
      this.fail(`The process would have died: ${String(stack ?? message ?? error).slice(0, 600)}`)
    }
    process.on('uncaughtException', onDeath).on('unhandledRejection', onDeath)
    const zone = createRandom(this.seed, 5).pick(timeZones)
    this.note(`the time zone of the nodes' machine is ${zone}`)
    setTimeZone(zone)
    try {
      this.startNode()
      if (this.#random.chance(0.3)) this.startNode()
      await this.scheduler.run(() => this.scheduler.pending === 0)
      this.scheduler.live = true
      this.scheduler.waiting.push(
        ...Array.from({ length: this.#length }, (_, number) => number).filter(
          (number) => !this.#without.has(number),
        ),
      )
      await this.scheduler.run(
        () =>
          this.scheduler.active === 0 && this.scheduler.waiting.length === 0 && this.scheduler.pending === 0,
      )
      await this.#end()
    } catch (error) {
      if (error instanceof SimulationHang) this.fail(`It does not go on: ${error.message}`)
      else throw error
    } finally {
      process.off('uncaughtException', onDeath).off('unhandledRejection', onDeath)
      for (const node of this.scheduler.nodes) node.kill()
      await this.sql.end({ timeout: 0 })
      await this.laboratory.dropDatabase(this.#database).catch(() => {})
      setSkew(0)
      rmSync(this.#folder, { recursive: true, force: true })
    }
    return {
      seed: this.seed,
      faults: this.found,
      decisions: this.scheduler.decisions,
      trace: this.trace,
      operations: this.#length,
      counts: this.counts,
      answers: countAnswers(this.requests),
      steps: this.scheduler.steps,
      missed: this.scheduler.missed,
      milliseconds: Math.round(performance.now() - began),
      cpuSeconds: 0,
    }
  }

  get #folder(): string {
    return `${this.laboratory.folder}/simulation_${process.pid}_${this.seed}`
  }

  /** Begins a node; it answers some decisions later. */
  startNode(): SimulatedNode {
    const slot = this.scheduler.nodes.some((other) => other.slot === 0) ? 1 : 0
    const node = new SimulatedNode(`n${++this.#nodesMade}`, this.#folder, slot)
    this.scheduler.nodes.push(node)
    this.scheduler.pending++
    this.note(`${node.name} starts`)
    const settings = { ...this.receivers.settings, FORDRA_JOBS: '3' }
    const started = node.start(this.laboratory.socket, this.#database, settings)
    void Promise.race([started, node.died]).then(() => {
      this.scheduler.pending--
      this.scheduler.touch()
      if (node.isDead) return
      if (node.failure) {
        this.note(`${node.name} did not start: ${String(node.failure)}`)
        if (!this.disturbed) this.fail(`A node did not start: ${String((node.failure as Error).stack)}`)
        this.killNode(node)
      } else {
        this.note(`${node.name} answers`)
        node.wire.answers = true
        this.scheduler.reach(`${node.name} answers`)
      }
    })
    return node
  }

  killNode(node: SimulatedNode): void {
    if (node.isDead) return
    this.note(`${node.name} dies`)
    node.kill()
    this.scheduler.nodes.splice(this.scheduler.nodes.indexOf(node), 1)
    if (this.scheduler.nodes.length === 0 && !this.isMoving) this.startNode()
  }

  /** The database ends as by kill -9 and recovers. One that is just coming back is not killed again before it has. */
  crashDatabase(): Promise<void> {
    return this.#afterOthers(() => this.#crash())
  }

  /** One after the other: what replaces or restarts the database. */
  #afterOthers(work: () => Promise<void>): Promise<void> {
    const done = this.#calamity.then(work)
    this.#calamity = done.catch(() => {})
    return done
  }

  async #crash(): Promise<void> {
    this.disturbed = true
    this.note('the database dies')
    await this.sql.end({ timeout: 0 })
    await this.laboratory.crash()
    this.sql = this.laboratory.open(this.#database)
    this.note('the database is back')
  }

  /** All nodes end, and the service goes on from a backup in a database of another name. */
  restoreDatabase(): Promise<void> {
    return this.#afterOthers(async () => {
      this.disturbed = true
      this.isMoving = true
      this.note('all nodes end, and a backup is restored')
      try {
        for (let node = this.scheduler.nodes[0]; node; node = this.scheduler.nodes[0]) this.killNode(node)
        const former = this.#database
        const { name, sql } = await restoreElsewhere(this.laboratory, this.sql, former, this.#folder)
        const left = this.sql
        this.#database = name
        this.sql = sql
        await left.end({ timeout: 0 })
        await this.laboratory.dropDatabase(former)
      } finally {
        this.isMoving = false
      }
      this.note('the backup is restored')
      this.startNode()
    })
  }

  readyNodes(): SimulatedNode[] {
    return this.scheduler.nodes.filter(({ server }) => server !== undefined)
  }

  /** One of the nodes that answer; waits until there is one. */
  async findNode(random: Random): Promise<SimulatedNode> {
    for (;;) {
      const ready = this.readyNodes()
      if (ready.length > 0) return random.pick(ready)
      await this.scheduler.sleep()
    }
  }

  async #operate(number: number): Promise<void> {
    const random = createRandom(this.seed, 4, number)
    const operation = this.#swarm.draw(random, this)
    this.counts[operation.name] = (this.counts[operation.name] ?? 0) + 1
    const hasTwin = random.chance(this.faults.twins) && operation.isAlone !== true
    // A twin draws the same numbers, so that it changes the same record at the same time.
    const twin =
      hasTwin && this.#runOperation(operation, number + twinsFrom, createRandom(this.seed, 6, number))
    await this.#runOperation(operation, number, createRandom(this.seed, 6, number))
    await twin
    // Often, because a later change may put right what an earlier one left wrong.
    if (random.chance(0.25)) await this.check()
  }

  async #runOperation(operation: Operation, number: number, random: Random): Promise<void> {
    this.note(`operation ${number}: ${operation.name}`)
    const client = new Client(this, number, createRandom(this.seed, 7, number))
    try {
      await operation.run({ simulation: this, client, random, model: this.model, number })
    } catch (error) {
      this.fail(`Operation ${number} (${operation.name}): ${String((error as Error).stack).slice(0, 500)}`)
    }
  }

  async check(): Promise<void> {
    for (const fault of await checkNow(this.sql)) this.fail(fault)
  }

  /** What holds of every answer. */
  checkAnswer(record: RequestRecord, attempt: Attempt): void {
    const { id, status, body = '', node } = attempt
    const about = `${record.name} (${id}, ${record.method} ${record.path}, ${node})`
    if (status === undefined) return
    const isExcused = (this.disturbed && status !== 500) || isServiceFailure(attempt)
    if (status >= 500 && !isExcused) this.fail(`${about} was answered ${status}: ${body.slice(0, 300)}`)
  }

  /** Whatever is under way comes to an end, with nothing going wrong; then all is compared. */
  async #end(): Promise<void> {
    this.ending = true
    setSkew(0)
    this.scheduler.isDiskSlow = false
    this.receivers.heal()
    if (this.readyNodes().length === 0 && this.scheduler.nodes.length === 0) this.startNode()
    const { scheduler } = this
    let rounds = 0
    let elapsed = 0
    for (
      let milliseconds = 1_000;
      rounds < 24;
      rounds++, milliseconds = Math.min(milliseconds * 2, 7_200_000)
    ) {
      const after = rounds < 2 ? 1_000 : milliseconds
      // Threads need time of the machine's own clock.
      if (rounds > 2) await realSleep(100)
      await scheduler.moveClock(after)
      elapsed += after
      let quiet = 0
      await scheduler.run(() => {
        quiet = scheduler.isResting() ? quiet + 1 : 0
        return quiet > 0 && scheduler.pending === 0
      })
      if (rounds >= 1 && (await this.isDone())) break
      if (elapsed - after < soonMs && elapsed >= soonMs) {
        await this.#awaitQueue()
        await this.#checkSoon()
      }
    }
    await this.#awaitQueue()
    if (!(await this.isDone())) {
      const rows = await this.sql`
        select 'job' as what, to_jsonb(j) as row from (select id, kind, name, status, attempts, last_error from job_run where ended_at is null) j
        union all select 'queued', to_jsonb(q) from (select * from graphile_worker.jobs) q
        union all select 'message', to_jsonb(m) from (
          select kind, channel, attempts, next_try_at, expires_at, last_error, sim.now() from message where sent_at is null) m`
      this.fail(
        `Work is left undone: ${JSON.stringify(await this.#unfinished())} ${JSON.stringify(rows).slice(0, 1500)}`,
      )
    }
    await this.check()
    for (const fault of await checkEnd(this)) this.fail(fault)
  }

  /** A node learns by the machine's own clock that its queue stands still, and starts it again after 30 seconds. */
  async #awaitQueue(): Promise<void> {
    const began = performance.now()
    while (!(await this.isDone()) && performance.now() - began < queueStartsMs) {
      await realSleep(500)
      await this.scheduler.moveClock(2_000)
      await this.scheduler.run(() => this.scheduler.isResting() && this.scheduler.pending === 0)
    }
  }

  /** A job whose node died is not left until some long timeout. Those that failed often wait longer. */
  async #checkSoon(): Promise<void> {
    const late = await this.sql<{ name: string; status: string; attempts: number }[]>`
      select name, status, attempts from job_run
      where ended_at is null and attempts < 4 and kind not in ('service', 'import')`
    for (const { name, status, attempts } of late)
      this.fail(`${name} is ${status} in attempt ${attempts} half an hour after the last disturbance.`)
  }

  async #unfinished() {
    const [row] = await this.sql<Record<string, number>[]>`
      select (select count(*)::int from job_run where ended_at is null and not (kind = 'service' and attempts >= 4)) as jobs,
        (select count(*)::int from message where sent_at is null and body is not null and channel = 'email'
          and held_reason is null and expires_at > sim.now()) as messages,
        (select count(*)::int from webhook_delivery d join webhook w on w.id = d.webhook_id
          where w.enabled and w.paused_at is null and d.status = 'waiting') as deliveries,
        (select count(*)::int from webhook w where enabled and paused_at is null and exists (
          select from event e where (e.xid, e.position) > (w.after_xid, w.after_position))) as "webhooksBehind",
        (select count(*)::int from audit_entry a where not exists (
          select from audit_seal s where a.xid < s.to_xid)) as unsealed`
    return row!
  }

  async isDone(): Promise<boolean> {
    return Object.values(await this.#unfinished()).every((count) => count === 0)
  }
}

function countAnswers(requests: readonly RequestRecord[]): RunResult['answers'] {
  const answers: RunResult['answers'] = {}
  for (const { name, final } of requests) {
    if (final?.status === undefined) continue
    const counts = (answers[name] ??= {})
    counts[final.status] = (counts[final.status] ?? 0) + 1
  }
  return answers
}
