/** The queue for hashing passwords. Senders take turns, and so do the accounts of a sender. */
import { ApiError } from '../../platform/http/errors.ts'

/** Whose turn it is. */
export interface HashTurn {
  /** The network address of somebody who is not signed in, or the id of the signed-in user. */
  sender: string
  /** The login or client id as given, or the user's id. It must not tell whether the account exists. */
  account: string
}

export interface HashQueue {
  /** Runs the work when it is its turn. Throws a 503 when the queue is full and no sender has more work in it. */
  run<T>(turn: HashTurn, work: () => Promise<T>): Promise<T>
}

interface Waiter {
  start: () => void
  refuse: (error: ApiError) => void
}

/** Waiting work by sender and account. The first of each map is next, and goes to the end when it had its turn. */
type Waiting = Map<string, Map<string, Waiter[]>>

/**
 * Runs `parallelMax` at once; `waitingMax` more wait. Senders take turns, and so do the accounts of a sender. When the
 * queue is full, the newest work of the sender with most work in it is refused.
 */
export function openHashQueue(parallelMax: number, waitingMax: number): HashQueue {
  const waiting: Waiting = new Map()
  let running = 0
  let count = 0
  const startNext = () => {
    const next = takeNext(waiting)
    if (next) {
      count--
      next.start()
    } else running--
  }
  const wait = (turn: HashTurn) =>
    new Promise<void>((start, refuse) => {
      addWaiter(waiting, turn, { start, refuse })
      if (++count <= waitingMax) return
      count--
      takeNewest(waiting).refuse(overloaded())
    })
  return {
    run: async (turn, work) => {
      if (running >= parallelMax) await wait(turn)
      else running++
      try {
        return await work()
      } finally {
        startNext()
      }
    },
  }
}

const overloaded = () =>
  new ApiError('overloaded', 'Too many sign-ins at once. Try again in a moment.', {
    headers: { 'retry-after': '2' },
  })

function addWaiter(waiting: Waiting, { sender, account }: HashTurn, waiter: Waiter): void {
  const accounts = waiting.get(sender) ?? new Map<string, Waiter[]>()
  const own = accounts.get(account) ?? []
  own.push(waiter)
  accounts.set(account, own)
  waiting.set(sender, accounts)
}

/** Removes and returns the first of the next account of the next sender. */
function takeNext(waiting: Waiting): Waiter | undefined {
  const [next] = waiting
  if (!next) return undefined
  const [sender, accounts] = next
  const [account, own] = [...accounts][0]!
  waiting.delete(sender)
  accounts.delete(account)
  const waiter = own.shift()!
  if (own.length > 0) accounts.set(account, own)
  if (accounts.size > 0) waiting.set(sender, accounts)
  return waiter
}

/** Removes and returns the newest of the largest account of the sender with most in the queue, which is not empty. */
function takeNewest(waiting: Waiting): Waiter {
  const countWaiters = (accounts: Map<string, Waiter[]>) => [...accounts.values()].flat().length
  const [sender, accounts] = largest(waiting, countWaiters)
  const [account, own] = largest(accounts, ({ length }) => length)
  const waiter = own.pop()!
  if (own.length === 0) accounts.delete(account)
  if (accounts.size === 0) waiting.delete(sender)
  return waiter
}

/** The entry of greatest size, the last one of equals. */
function largest<T>(entries: Map<string, T>, countWaiters: (value: T) => number): [string, T] {
  let found: [string, T] | undefined
  let size = 0
  for (const [key, value] of entries) {
    const own = countWaiters(value)
    if (own >= size) [found, size] = [[key, value], own]
  }
  return found!
}
