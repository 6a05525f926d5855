import { ApiError } from '../errors.ts'

/** Bytes that one request holds in memory. */
export interface HeldBytes {
  /** Throws a 503 with `Retry-After` when the node, or the caller, would hold too many. */
  add(bytes: number): void
  /** Gives them back. Calling it again does nothing. */
  release(): void
}

/** The files that requests of one node hold in memory, while they arrive or until they are read. */
export interface ByteBudget {
  open(callerId: string): HeldBytes
}

/** `max` bytes, of which one user or API client has at most `callerMax`. */
export function openByteBudget(max: number, callerMax: number): ByteBudget {
  const heldBy = new Map<string, number>()
  let held = 0
  return {
    open: (callerId) => {
      let own = 0
      return {
        add: (bytes) => {
          const ofCaller = (heldBy.get(callerId) ?? 0) + bytes
          if (ofCaller > callerMax) throw overloaded('You send or read too many large files at once.')
          if (held + bytes > max) throw overloaded('Too many large files are sent or read at once.')
          heldBy.set(callerId, ofCaller)
          held += bytes
          own += bytes
        },
        release: () => {
          const left = (heldBy.get(callerId) ?? 0) - own
          if (left === 0) heldBy.delete(callerId)
          else heldBy.set(callerId, left)
          held -= own
          own = 0
        },
      }
    },
  }
}

const overloaded = (why: string) =>
  new ApiError('overloaded', `${why} Try again in 5 seconds.`, { headers: { 'retry-after': '5' } })
