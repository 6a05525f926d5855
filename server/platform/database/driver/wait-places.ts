/** Limits how many of a pool's connections wait for locks, or work long, at the same time: the others wait here, without one. */
import { setTimeout as sleep } from 'node:timers/promises'
import type { Sql } from './pool.ts'

/** A quarter of the pool. */
const share = 4

interface Places {
  taken: number
  waiting: (() => void)[]
}

const knownPlaces = new WeakMap<object, Places>()

/** The SQLSTATE of a statement that waited for a lock for longer than `lock_timeout`. */
export const lockTimeout = '55P03'

export const isLockTimeout = (error: unknown): boolean =>
  (error as { code?: unknown } | null)?.code === lockTimeout

/**
 * Runs `work`, which waits for a lock or reads for at most the milliseconds it is given, when a place is free. Throws an
 * error like that of the database when that takes longer than `limitMs`.
 */
export async function inWaitPlace<T>(
  sql: Sql,
  limitMs: number,
  work: (remainingMs: number) => Promise<T>,
): Promise<T> {
  let places = knownPlaces.get(sql)
  if (!places) knownPlaces.set(sql, (places = { taken: 0, waiting: [] }))
  const until = performance.now() + limitMs
  const max = Math.max(1, Math.floor(sql.options.max / share))
  if (places.taken < max) places.taken++
  else await takePlace(places, limitMs)
  try {
    const remainingMs = Math.ceil(until - performance.now())
    if (remainingMs <= 0) throw tooLate()
    return await work(remainingMs)
  } finally {
    const next = places.waiting.shift()
    if (next) next()
    else places.taken--
  }
}

/** Is given the place of one who leaves. */
async function takePlace({ waiting }: Places, limitMs: number): Promise<void> {
  const { promise: given, resolve } = Promise.withResolvers<true>()
  const take = () => resolve(true)
  waiting.push(take)
  const limit = new AbortController()
  const late = sleep(limitMs, false, { signal: limit.signal }).catch(() => false)
  if (await Promise.race([given, late])) return limit.abort()
  const index = waiting.indexOf(take)
  // It may have been given one just now.
  if (index < 0) return
  waiting.splice(index, 1)
  throw tooLate()
}

const tooLate = () => Object.assign(new Error('The lock was not free in time.'), { code: lockTimeout })
