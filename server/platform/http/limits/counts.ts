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

const tooMany = (max: number) =>
  new ApiError(
    'too-many-requests',
    `You have ${max} requests open already, the maximum. Wait for their answers.`,
    {
      headers: { 'retry-after': '1' },
    },
  )
