/**
 * Request quotas: a token bucket per caller that refills by `perSecond` and holds four seconds' worth. Kept per node.
 */

export interface Quota {
  limit: number
  remaining: number
  /** Seconds until the bucket is full; until one request fits if `remaining` is below 0. */
  resetSeconds: number
}

export interface RateLimiter {
  /** Takes one request from the caller's bucket; null when there is no limit. */
  take(caller: string): Quota | null
}

const burstSeconds = 4
const bucketsMax = 100_000

export function createRateLimiter(
  perSecond: number,
  now: () => number = () => performance.now(),
): RateLimiter {
  if (perSecond === 0) return { take: () => null }
  const limit = perSecond * burstSeconds
  const buckets = new Map<string, { tokens: number; at: number }>()
  return {
    take: (caller) => {
      const at = now()
      let bucket = buckets.get(caller)
      if (!bucket) {
        if (buckets.size >= bucketsMax) buckets.delete(buckets.keys().next().value!)
        bucket = { tokens: limit, at }
        buckets.set(caller, bucket)
      }
      bucket.tokens = Math.min(limit, bucket.tokens + ((at - bucket.at) / 1000) * perSecond)
      bucket.at = at
      if (bucket.tokens < 1) {
        return { limit, remaining: -1, resetSeconds: Math.ceil((1 - bucket.tokens) / perSecond) }
      }
      bucket.tokens -= 1
      return {
        limit,
        remaining: Math.floor(bucket.tokens),
        resetSeconds: Math.ceil((limit - bucket.tokens) / perSecond),
      }
    },
  }
}
