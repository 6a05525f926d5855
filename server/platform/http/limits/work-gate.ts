/** How many requests are worked on at once, and who is next. */
import { ApiError } from '../errors.ts'

export interface Work {
  /** The user or API client. */
  caller: string
  /** Writes hold a connection to the database each. */
  isWrite: boolean
}

export interface WorkGate {
  /**
   * Begins the work, at once or when it is its turn. Returns the function that ends it. Throws a 503 after its time of
   * waiting. `onLeave` takes what to do when the client disconnects.
   */
  enter(work: Work, onLeave: (then: () => void) => void): (() => void) | Promise<() => void>
  /** Requests that are worked on. */
  count(): number
}

export interface WorkLimits {
  /** Requests worked on at once. */
  max: number
  /** Of these, those of one caller. */
  callerMax: number
  /** Of these, those that write. */
  callerWritesMax: number
  waitMs: number
}

interface Waiter extends Work {
  start: () => void
}

/**
 * Callers take turns, and the newest request of a caller is next: under overload it is the one whose client still waits,
 * while each of the oldest would be answered just before its time is up. A refused request has waited, so that clients
 * that try again at once cannot keep the service busy with refusals.
 */
export function openWorkGate(limits: WorkLimits): WorkGate {
  const working = new Working(limits)
  const waiting = new Waiting()
  const begin = (work: Work) => {
    working.add(work)
    return () => {
      working.remove(work)
      if (working.hasRoom()) waiting.takeNext((next) => working.mayStart(next))?.start()
    }
  }
  return {
    count: () => working.count,
    enter: (work, onLeave) => {
      if (working.hasRoom() && working.mayStart(work)) return begin(work)
      return new Promise((resolve, reject) => {
        const waiter: Waiter = {
          ...work,
          start: () => {
            clearTimeout(timer)
            resolve(begin(work))
          },
        }
        const refuse = () => {
          clearTimeout(timer)
          if (waiting.remove(waiter)) reject(overloaded())
        }
        // Its connection keeps the process alive, if anything does.
        const timer = setTimeout(refuse, limits.waitMs).unref()
        waiting.add(waiter)
        onLeave(refuse)
      })
    },
  }
}

/** What is worked on, by caller. */
class Working {
  readonly #limits: WorkLimits
  readonly #callers = new Map<string, { all: number; writes: number }>()
  count = 0

  constructor(limits: WorkLimits) {
    this.#limits = limits
  }

  hasRoom(): boolean {
    return this.count < this.#limits.max
  }

  mayStart({ caller, isWrite }: Work): boolean {
    const { callerMax, callerWritesMax } = this.#limits
    const own = this.#callers.get(caller)
    return own === undefined || (own.all < callerMax && (!isWrite || own.writes < callerWritesMax))
  }

  add({ caller, isWrite }: Work): void {
    this.count++
    const own = this.#callers.get(caller) ?? { all: 0, writes: 0 }
    own.all++
    if (isWrite) own.writes++
    this.#callers.set(caller, own)
  }

  remove({ caller, isWrite }: Work): void {
    this.count--
    const own = this.#callers.get(caller)!
    own.all--
    if (isWrite) own.writes--
    if (own.all === 0) this.#callers.delete(caller)
  }
}

/** What waits, by caller. The first caller is next, and goes to the end when it had its turn. */
class Waiting {
  readonly #callers = new Map<string, Waiter[]>()

  add(waiter: Waiter): void {
    const own = this.#callers.get(waiter.caller)
    if (own) own.push(waiter)
    else this.#callers.set(waiter.caller, [waiter])
  }

  /** False if it waits no longer. */
  remove(waiter: Waiter): boolean {
    const own = this.#callers.get(waiter.caller)
    const at = own?.indexOf(waiter) ?? -1
    if (!own || at < 0) return false
    own.splice(at, 1)
    if (own.length === 0) this.#callers.delete(waiter.caller)
    return true
  }

  takeNext(mayStart: (work: Work) => boolean): Waiter | undefined {
    for (const [caller, own] of this.#callers) {
      const next = own.findLast(mayStart)
      if (!next) continue
      this.remove(next)
      if (own.length > 0) {
        this.#callers.delete(caller)
        this.#callers.set(caller, own)
      }
      return next
    }
    return undefined
  }
}

const overloaded = () =>
  new ApiError('overloaded', 'The service is overloaded. Try again in a second.', {
    headers: { 'retry-after': '1' },
  })

/** Three quarters for one caller, and four connections to the database for the others' writes. */
export const workLimits = (max: number, connections: number, waitSeconds: number): WorkLimits => ({
  max,
  callerMax: Math.ceil(max * 0.75),
  callerWritesMax: Math.max(1, connections - 4),
  waitMs: waitSeconds * 1_000,
})
