import { ApiError } from './errors.ts'

/** The slot of one waiting request. */
export interface WaitSlot {
  /** Aborted once the slot is released. */
  left: AbortSignal
  /** Releases the slot. Calling it again does nothing. */
  leave(): void
}

/** The slots for requests that wait for events on one node. */
export interface WaitSlots {
  /** Throws a 503 with `Retry-After` when all slots are taken, or the caller's share of them. */
  take(callerId: string): WaitSlot
}

/** `max` slots, of which one user or API client has at most `callerMax`. */
export function openWaitSlots(max: number, callerMax: number): WaitSlots {
  const takenBy = new Map<string, number>()
  let taken = 0
  return {
    take: (callerId) => {
      const own = takenBy.get(callerId) ?? 0
      if (own >= callerMax) {
        throw overloaded(
          `You already wait for events ${callerMax} times on this node, the maximum for one caller.`,
        )
      }
      if (taken >= max) throw overloaded('Too many requests wait for events on this node.')
      taken++
      takenBy.set(callerId, own + 1)
      const controller = new AbortController()
      const leave = () => {
        if (controller.signal.aborted) return
        taken--
        const others = takenBy.get(callerId)! - 1
        if (others === 0) takenBy.delete(callerId)
        else takenBy.set(callerId, others)
        controller.abort()
      }
      return { left: controller.signal, leave }
    },
  }
}

const overloaded = (why: string) =>
  new ApiError('overloaded', `${why} Try again in 5 seconds, or ask without waiting.`, {
    headers: { 'retry-after': '5' },
  })
