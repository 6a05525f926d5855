/** Numbers that depend on the seed alone (mulberry32). */
export interface Random {
  /** From 0 to 1, without 1. */
  next(): number
  /** A whole number from 0 to below `limit`. */
  below(limit: number): number
  chance(probability: number): boolean
  pick<T>(items: readonly T[]): T
}

export function createRandom(...seeds: number[]): Random {
  let state = seeds.reduce((mixed, seed) => Math.imul(mixed ^ seed, 0x9e3779b1) + 0x85ebca6b, 0x2545f491) | 0
  const next = () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
  const below = (limit: number) => Math.floor(next() * limit)
  return {
    next,
    below,
    chance: (probability) => next() < probability,
    pick: (items) => items[below(items.length)]!,
  }
}
