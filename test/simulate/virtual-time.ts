/**
 * The clock of simulated nodes. Importing this file replaces the global timers and `Date`, so it comes before any
 * import of the server. A timer that a node sets is kept here and fires when the scheduler moves the clock; a timer
 * set outside of a node is an ordinary one.
 */
import { AsyncLocalStorage } from 'node:async_hooks'
import { syncBuiltinESMExports } from 'node:module'
import timers from 'node:timers'
import timersPromises from 'node:timers/promises'
import workerThreads, { Worker } from 'node:worker_threads'

/** The node as whose part the present code runs. */
export const currentNode = new AsyncLocalStorage<object>()

const RealDate = Date
const real = { setTimeout, clearTimeout, setInterval, clearInterval }
const realNow = RealDate.now.bind(RealDate)
let elapsedMs = 0
let serial = 0
let skewMs = 0
const waiting = new Set<VirtualTimer>()
let changes = 0

class VirtualTimer {
  readonly node: object
  readonly call: () => void
  readonly delayMs: number
  readonly repeats: boolean
  dueMs = 0
  order = 0

  constructor(node: object, call: () => void, delayMs: number, repeats: boolean) {
    this.node = node
    this.call = AsyncLocalStorage.bind(call)
    this.delayMs = Math.max(1, delayMs || 0)
    this.repeats = repeats
    this.refresh()
  }

  refresh(): this {
    this.dueMs = elapsedMs + this.delayMs
    this.order = ++serial
    waiting.add(this)
    changes++
    return this
  }

  close(): this {
    waiting.delete(this)
    return this
  }

  ref(): this {
    return this
  }

  unref(): this {
    return this
  }

  hasRef(): boolean {
    return false
  }

  [Symbol.toPrimitive](): number {
    return this.order
  }

  [Symbol.dispose](): void {
    this.close()
  }
}

type Callback = (...given: unknown[]) => void

function makeTimer(repeats: boolean) {
  return (call: Callback, delayMs = 0, ...given: unknown[]) => {
    const node = currentNode.getStore()
    if (node) return new VirtualTimer(node, () => call(...given), delayMs, repeats)
    return repeats ? real.setInterval(call, delayMs, ...given) : real.setTimeout(call, delayMs, ...given)
  }
}

function clear(timer: unknown): void {
  if (timer instanceof VirtualTimer) timer.close()
  else real.clearTimeout(timer as NodeJS.Timeout)
}

const promisedTimeout = timersPromises.setTimeout
function sleep<T>(delayMs = 0, value?: T, options: { signal?: AbortSignal; ref?: boolean } = {}): Promise<T> {
  const node = currentNode.getStore()
  if (!node) return promisedTimeout(delayMs, value, options) as Promise<T>
  return new Promise((resolve, reject) => {
    const { signal } = options
    const refuse = () => {
      timer.close()
      reject(Object.assign(new Error('The operation was aborted'), { name: 'AbortError', code: 'ABORT_ERR' }))
    }
    const timer = new VirtualTimer(
      node,
      () => {
        signal?.removeEventListener('abort', refuse)
        resolve(value as T)
      },
      delayMs,
      false,
    )
    if (signal?.aborted) refuse()
    else signal?.addEventListener('abort', refuse, { once: true })
  })
}

/** `Date.now` gives whole milliseconds. */
const wholeNow = (): number => Math.floor(now())

Object.assign(globalThis, {
  setTimeout: makeTimer(false),
  setInterval: makeTimer(true),
  clearTimeout: clear,
  clearInterval: clear,
  Date: new Proxy(RealDate, {
    construct: (target, given, newTarget) =>
      Reflect.construct(target, given.length === 0 ? [now()] : given, newTarget) as object,
    apply: () => new RealDate(now()).toString(),
    get: (target, name, receiver) =>
      name === 'now' ? wholeNow : (Reflect.get(target, name, receiver) as unknown),
  }),
})
RealDate.prototype.constructor = Date
Object.assign(timers, { setTimeout, setInterval, clearTimeout, clearInterval })
Object.assign(timersPromises, { setTimeout: sleep })
/** Threads have real time of their own: the clock does not move on while one is starting, or hashing a password. */
const busyThreads = new Set<object>()
class CountedWorker extends Worker {
  constructor(...given: ConstructorParameters<typeof Worker>) {
    super(...given)
    busyThreads.add(this)
    const started = () => busyThreads.delete(this)
    this.once('message', started).once('error', started).once('exit', started)
  }
}
Object.assign(workerThreads, { Worker: CountedWorker })
syncBuiltinESMExports()

/** Counts the work of a thread until it ends. */
export function countThread<T>(work: Promise<T>): Promise<T> {
  const thread = {}
  busyThreads.add(thread)
  return work.finally(() => busyThreads.delete(thread))
}

const longestWaitMs = 8_000
/** Waits until no thread is starting or hashing a password. */
export async function awaitThreads(): Promise<void> {
  for (const began = performance.now(); busyThreads.size > 0 && performance.now() - began < longestWaitMs;)
    await realSleep(2)
}

/** Milliseconds of the simulated clock: the machine's, and what the scheduler has added. */
export function now(): number {
  return realNow() + elapsedMs + skewMs
}

/** Sets the clock of the nodes' machine apart from that of the database. Timers do not notice. */
export function setSkew(milliseconds: number): void {
  skewMs = milliseconds
}

/** Far east and west of the agency, with half hours, and without any difference. */
export const timeZones = [
  'UTC',
  'Europe/Stockholm',
  'America/St_Johns',
  'Pacific/Kiritimati',
  'Pacific/Pago_Pago',
] as const

/** The time zone of the nodes' machine, an IANA name. */
export function setTimeZone(zone: string): void {
  process.env['TZ'] = zone
}

/** How far the scheduler has moved the clock, in milliseconds. */
export const elapsed = (): number => elapsedMs

/** Grows with every timer that is set. */
export const timerChanges = (): number => changes

/** Milliseconds until the next timer of a node; undefined when none waits. */
export function untilNextTimer(): number | undefined {
  let least: number | undefined
  for (const { dueMs } of waiting) if (least === undefined || dueMs < least) least = dueMs
  return least === undefined ? undefined : Math.max(0, least - elapsedMs)
}

/** Moves the clock and fires what has become due, each timer once, in the order in which they are due. */
export function advance(milliseconds: number): void {
  elapsedMs += milliseconds
  const due = [...waiting]
    .filter(({ dueMs }) => dueMs <= elapsedMs)
    .toSorted((one, other) => one.dueMs - other.dueMs || one.order - other.order)
  for (const timer of due) {
    if (!waiting.delete(timer)) continue
    if (timer.repeats) timer.refresh()
    timer.call()
  }
}

/** Drops the timers of a node that died. */
export function dropTimers(node: object): void {
  for (const timer of waiting) if (timer.node === node) waiting.delete(timer)
}

/** A pause of the machine's own clock. */
export const realSleep = (milliseconds: number): Promise<void> =>
  new Promise((resolve) => real.setTimeout(resolve, milliseconds))

/** Calls after a time of the machine's own clock; returns what takes it back. */
export function afterReal(milliseconds: number, call: () => void): () => void {
  const timer = real.setTimeout(call, milliseconds)
  return () => real.clearTimeout(timer)
}

/** The end of a turn of the event loop. */
export const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))
