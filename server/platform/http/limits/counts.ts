import { setTimeout as sleep } from 'node:timers/promises'
import { ApiError } from '../errors.ts'

/** Counts of what each caller has open at once. */
export interface Counts {
  /** Throws a 429 when the caller has the maximum. Returns the function that gives the place back. */
  take(caller: string): () => void
}

export function openCounts(max: number): Counts {
  const open = new Map<string, number>()
  return {
    take: (caller) => {
      const own = open.get(caller) ?? 0
      if (own >= max) throw tooMany(max)
      open.set(caller, own + 1)
      return () => {
        const others = open.get(caller)! - 1
        if (others === 0) open.delete(caller)
        else open.set(caller, others)
      }
    },
  }
}

const holdMs = 2_000

/**
 * Takes a place at once, or throws the 429 after two seconds. Otherwise clients that send again at once would keep the
 * service busy with refusals, each of which costs it a third of an answer.
 */
export function takeOrHold(counts: Counts, caller: string): (() => void) | Promise<never> {
  try {
    return counts.take(caller)
  } catch (error) {
    return sleep(holdMs).then(() => {
      throw error
    })
  }
}

const tooMany = (max: number) =>
  new ApiError(
    'too-many-requests',
    `You have ${max} requests open already, the maximum. Wait for their answers.`,
    {
      headers: { 'retry-after': '1' },
    },
  )
