import { ApiError } from '../../platform/http/errors.ts'

/** Where one request waits. */
export interface Place {
  /** Aborted once the place is left. */
  left: AbortSignal
  /** Gives the place back; once more it does nothing. */
  leave(): void
}

/** The places of those who wait for events on one node. */
export interface Places {
  /** Throws a 503 with `Retry-After` when all places are taken, or the caller's share of them. */
  take(callerId: string): Place
}

/** `max` places, of which one user or API client has `callerMax` at most. */
export function openPlaces(max: number, callerMax: number): Places {
  const takenBy = new Map<string, number>()
  let taken = 0
  return {
    take: (callerId) => {
      const own = takenBy.get(callerId) ?? 0
      if (own >= callerMax) {
        throw full(`You already wait for events ${callerMax} times on this node, the maximum for one caller.`)
      }
      if (taken >= max) throw full('As many wait for events on this node as can.')
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

const full = (why: string) =>
  new ApiError('overloaded', `${why} Try again in 5 seconds, or ask without waiting.`, {
    headers: { 'retry-after': '5' },
  })
