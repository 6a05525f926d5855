import type { Sql } from '../../platform/database/driver/pool.ts'
import { createPoll } from '../../platform/poll.ts'
import { findMarks } from './notifications.store.ts'

/**
 * Wakes streams when the notifications of their user change. One query per node looks for all users that are followed;
 * without any there is none.
 */
export interface NotificationWatch {
  /** The state of a user's notifications. Read it before the stream begins, and pass it to `change`. */
  read(userId: string): Promise<string>
  /** Resolves with the state when it differs from the given one, after `ms`, on `signal`, or when the watch ends. */
  change(userId: string, since: string, ms: number, signal: AbortSignal): Promise<string>
  isStopped(): boolean
  stop(): void
}

const lookEveryMs = 1000

interface Waiter {
  userId: string
  since: string
  wake: (mark: string) => void
}

export function watchNotifications(sql: Sql, onError: (error: unknown) => void): NotificationWatch {
  const waiters = new Set<Waiter>()
  let isStopped = false
  const poll = createPoll({
    everyMs: lookEveryMs,
    isNeeded: () => waiters.size > 0,
    poll: async () => {
      const marks = await findMarks(sql, [...new Set([...waiters].map(({ userId }) => userId))])
      for (const { userId, since, wake } of waiters) {
        const mark = marks.get(userId) ?? since
        if (mark !== since) wake(mark)
      }
    },
    onError,
  })
  return {
    read: async (userId) => (await findMarks(sql, [userId])).get(userId)!,
    change: (userId, since, ms, signal) => {
      if (isStopped || signal.aborted) return Promise.resolve(since)
      return new Promise((resolve) => {
        const wake = (mark: string) => {
          clearTimeout(timer)
          waiters.delete(waiter)
          signal.removeEventListener('abort', leave)
          resolve(mark)
        }
        const leave = () => wake(since)
        const waiter = { userId, since, wake }
        const timer = setTimeout(leave, ms)
        waiters.add(waiter)
        signal.addEventListener('abort', leave)
        poll.begin()
      })
    },
    isStopped: () => isStopped,
    stop: () => {
      isStopped = true
      poll.stop()
      for (const { since, wake } of waiters) wake(since)
    },
  }
}
