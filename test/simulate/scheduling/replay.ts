/** Follows the recording of an earlier run. */
import type { Connection } from '../wire.ts'
import { deliverFrom, isReady, sendOn, type Choice, type Decision, type Possible } from './decision.ts'

const replayPatienceMs = 300
/** After so many decisions that could not be followed, the replay has become another run and waits no more. */
const missesMax = 50
const lookAhead = 12

/** The run that follows, as a replay needs it. */
export interface Followed {
  possible(): Possible
  hasReached(what: string): boolean
  /** Lets happen what is not decided, for about a millisecond. */
  goOn(): Promise<void>
  /** Waits until nothing has happened for a while. */
  rest(): Promise<void>
}

const canGoOn = (one: Connection) => one.state === 'answered' || isReady(one)

export class Replay {
  /** Decisions that are still to be followed. */
  readonly #recorded: Decision[]
  readonly #run: Followed
  /** How many recorded decisions could not be followed. */
  missed = 0

  constructor(recorded: readonly Decision[], run: Followed) {
    this.#recorded = [...recorded]
    this.#run = run
  }

  get isOver(): boolean {
    return this.#recorded.length === 0
  }

  async next(): Promise<Choice | undefined> {
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

  /** Whether the answer stayed with PostgreSQL: a recording has each answer that was late on a line of its own. */
  isLate(label: string): boolean {
    const at = this.#recorded
      .slice(0, lookAhead)
      .findIndex(([kind, recorded]) => kind === 'deliver' && recorded === label)
    if (at === 0 || at === 1) this.#recorded.splice(at, 1)
    return at > 1
  }

  /**
   * What was recorded becomes possible some time after what came before it. Where it does not, because threads were
   * faster or slower, a statement that was recorded soon after it may go first.
   */
  async #await(decision: Decision): Promise<Choice | 'reached' | 'another' | undefined> {
    if (decision[0] === 'advance') {
      if (this.missed < missesMax) await this.#run.rest()
      return { decision }
    }
    const patience = this.missed < missesMax ? replayPatienceMs : 0
    const began = performance.now()
    for (;;) {
      if (decision[0] === 'reach') {
        if (this.#run.hasReached(decision[1])) return 'reached'
      } else {
        const found = this.#find(decision)
        if (found) return found
        if (decision[0] === 'start') return undefined
      }
      const waited = performance.now() - began
      if (waited > patience / 10 && this.#findAhead() > 0) return 'another'
      if (waited >= patience) return undefined
      await this.#run.goOn()
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
    const extra = this.#run.possible().connections.find((one) => canGoOn(one) && !soon.has(one.label))
    return extra && (extra.state === 'answered' ? deliverFrom(extra) : sendOn(extra))
  }

  #takeAhead(): Choice | undefined {
    const [decision] = this.#recorded.splice(this.#findAhead(), 1)
    return decision && this.#find(decision)
  }

  #find(decision: Decision): Choice | undefined {
    const [kind, what] = decision
    const { waiting, sleepers, connections } = this.#run.possible()
    if (kind === 'advance' || kind === 'reach') return undefined
    if (kind === 'start') return waiting.includes(what) ? { decision } : undefined
    if (kind === 'wake') return sleepers.some(({ number }) => number === what) ? { decision } : undefined
    const connection = connections.find(
      (one) =>
        !one.isStalled && one.label === what && (kind === 'send' ? isReady(one) : one.state === 'answered'),
    )
    return connection && { decision, connection }
  }
}
