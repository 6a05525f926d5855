import type { Sql } from '../../platform/database/driver/pool.ts'
import { createPoll } from '../../platform/poll.ts'
import { findFeedEnd } from './event-feed.ts'

/**
 * Wakes requests that wait for events. One query per node watches the feed's end for all waiters; without waiters there
 * is none.
 */
export interface FeedWatch {
  /** Read it before reading events, and pass it to `change`. */
  version(): number
  /** Resolves when the feed has grown since that version, after `ms`, on `signal`, or when the watch ends. */
  change(since: number, ms: number, signal: AbortSignal): Promise<void>
  isStopped(): boolean
  stop(): void
}

const lookEveryMs = 100

export function watchFeed(sql: Sql, onError: (error: unknown) => void): FeedWatch {
  const waiters = new Set<() => void>()
  let isStopped = false
  let lastEnd = ''
  let version = 0
  const wakeAll = () => {
    for (const wake of waiters) wake()
  }
  const poll = createPoll({
    everyMs: lookEveryMs,
    isNeeded: () => waiters.size > 0,
    poll: async () => {
      const end = JSON.stringify(await findFeedEnd(sql))
      if (end === lastEnd) return
      lastEnd = end
      version++
      wakeAll()
    },
    onError,
  })
  return {
    version: () => version,
    change: (since, ms, signal) => {
      if (isStopped || version !== since || signal.aborted) return Promise.resolve()
      return new Promise((resolve) => {
        const wake = () => {
          clearTimeout(timer)
          waiters.delete(wake)
          signal.removeEventListener('abort', wake)
          resolve()
        }
        const timer = setTimeout(wake, ms)
        waiters.add(wake)
        signal.addEventListener('abort', wake)
        poll.begin()
      })
    },
    isStopped: () => isStopped,
    stop: () => {
      isStopped = true
      poll.stop()
      wakeAll()
    },
  }
}
